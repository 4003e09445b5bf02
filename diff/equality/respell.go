package equality

import (
	"math/bits"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Respell returns the value now in the spelling of old wherever the rules hide a
// difference, with the marks of now. Its normal form is that of now. Only the Relation and the
// matching of arrays in o matter.
//
// A provider's Read calls it with the inputs that it was given and those that it found:
// an API may return a name in lower case or fill in a default, and if Read passed that on,
// the next preview would show a change. Give what was found the marks of the given inputs
// first ([value.Value.WithSecretsOf]), since a secret is not written into a place that is not secret.
func (r *Rules) Respell(old, now value.Value, o diff.Options) value.Value {
	s := r.newSpeller(old, now, &o)
	if s == nil {
		return now
	}
	return s.respell(old, now, r.set.Matcher(), s.guide)
}

// Between returns the changes from old to what [Rules.Respell] makes of now. A nil Rules
// compares as [diff.Between] does.
func (r *Rules) Between(old, now value.Value, o diff.Options) diff.Diff {
	s := r.newSpeller(old, now, &o)
	if s == nil {
		return diff.Between(old, now, o)
	}
	now = s.respell(old, now, r.set.Matcher(), s.guide)
	return diff.Internal.BetweenUnsure(old, now, o, path.NewSet(s.unsure...))
}

// newSpeller returns nil if there is nothing to respell.
func (r *Rules) newSpeller(old, now value.Value, o *diff.Options) *speller {
	if r.Patterns().Len() == 0 || value.Internal.SharesMemory(old, now) || o.Relation.Equal(old, now) {
		return nil
	}
	s := &speller{normalizer: normalizer{rules: r, relation: o.Relation, guessing: true}}
	if o.Arrays != diff.Positional() || len(o.ArrayRules) > 0 {
		d := diff.Between(r.Normalize(old, o.Relation), r.Normalize(now, o.Relation), *o)
		if root := diff.Internal.Tree(d); root.In != nil {
			s.guide = root.Node().Below
		}
	}

	return s
}

type speller struct {
	normalizer
	guide  *difftree.Branch // to the root; nil if elements are all compared index by index
	here   []path.Step
	unsure []path.Pattern // of places where an unknown decides whether there is a difference
}

// respell returns now with the spelling of old, at a state of the patterns. It passes over
// equal values that it compares at depths 1, 2, 4, 8 and so on: at each depth, that would be
// quadratic.
func (s *speller) respell(old, now value.Value, st path.Matcher, guide *difftree.Branch) value.Value {
	switch {
	case !st.MayMatchBelow() || value.Internal.SharesMemory(old, now):
		return now
	case bits.OnesCount(uint(len(s.here))) == 1 && s.relation.Equal(old, now):
		return now
	case old.Kind() == value.KindObject && now.Kind() == value.KindObject:
		return s.object(old, now, st, guide)
	case old.Kind() == value.KindArray && now.Kind() == value.KindArray:
		return s.array(old, now, st, guide)
	case !s.rules.forms(st) || s.relation.Equal(old, now):
		return now
	}
	x, y := bare(old), bare(now)
	if s.relation.Equal(x, y) {
		return now
	}
	switch s.relation.Compatible(s.normalize(x, st), s.normalize(y, st)) {
	case value.Same:
		return s.taken(old, now)
	case value.Maybe:
		s.isUnsure()
	case value.Changed:
	}

	return now
}

// taken returns old with the marks of now, or now where that would show a secret. If the
// Relation does not compare secret marks, old keeps its own.
func (s *speller) taken(old, now value.Value) value.Value {
	switch {
	case s.relation&value.IgnoreSecrets != 0:
		return old.DropDependencies().WithMarksOf(now)
	case old.IsSecret() && !now.IsSecret():
		return now
	}
	return bare(old).WithMarksOf(now)
}

// isUnsure notes that an unknown decides whether there is a difference here.
func (s *speller) isUnsure() { s.unsure = append(s.unsure, path.PatternOf(s.here...)) }

func (s *speller) below(step path.Step, old, now value.Value, st path.Matcher, guide *difftree.Branch) value.Value {
	s.here = append(s.here, step)
	made := s.respell(old, now, st, guide)
	s.here = s.here[:len(s.here)-1]
	return made
}

func (s *speller) object(old, now value.Value, st path.Matcher, guide *difftree.Branch) value.Value {
	var members []value.Member // nil while they are those of now
	for i, j := 0, 0; i < old.Len() || j < now.Len(); {
		before := j // members of now
		oldKey, x, hasOld := old.MemberAt(i)
		newKey, y, hasNew := now.MemberAt(j)
		if hasOld && hasNew {
			order := strings.Compare(oldKey, newKey)
			hasOld, hasNew = order <= 0, order >= 0
		}

		key := newKey
		if hasOld {
			key = oldKey
			i++
		}

		if hasNew {
			j++
		}
		p := pair{x, y, hasOld, hasNew}
		after, keep := s.member(key, &p, old, now, st.Next(path.Key(key)), guide)
		if members == nil && (keep != hasNew || (keep && !value.Internal.SharesMemory(after, y))) {
			members = make([]value.Member, 0, old.Len()+now.Len())
			for k := range before {
				key, v, _ := now.MemberAt(k)
				members = append(members, value.Field(key, difftree.NotInherited(v, now.IsSecret())))
			}
		}
		if keep && members != nil {
			members = append(members, value.Field(key, difftree.NotInherited(after, now.IsSecret())))
		}
	}
	if members == nil {
		return now
	}
	return value.Object(members...).WithMarksOf(now)
}

// pair is a member on either side.
type pair struct {
	old, now       value.Value
	hasOld, hasNew bool
}

// member returns the new member, respelled, and whether there is one.
func (s *speller) member(key string, p *pair, old, now value.Value, st path.Matcher, guide *difftree.Branch) (made value.Value, keep bool) {
	if !st.MayMatchBelow() {
		return p.now, p.hasNew
	}
	if s.rules.ignores(st) {
		return p.old, p.hasOld
	}
	if s.rules.drops(st) && !s.same(p, old, now) {
		was, is := value.Same, value.Same // as if missing
		if p.hasOld {
			was = s.normalizer.member(p.old, st, old.IsSecret())
		}
		if p.hasNew {
			is = s.normalizer.member(p.now, st, now.IsSecret())
		}
		switch {
		case was == value.Same && is == value.Same:
			return s.dropped(p, now)
		case was != value.Changed && is != value.Changed:
			s.here = append(s.here, path.Key(key))
			s.isUnsure()
			s.here = s.here[:len(s.here)-1]
		}
	}

	if !p.hasOld || !p.hasNew {
		return p.now, p.hasNew
	}
	return s.below(path.Key(key), p.old, p.now, st, guide.Member(key).Inside()), true
}

// same reports whether there is no difference even without rules: two members are equal, or
// the only one counts as missing.
func (s *speller) same(p *pair, old, now value.Value) bool {
	one := p.now
	switch {
	case p.hasOld && p.hasNew:
		return value.Internal.SharesMemory(p.old, p.now) || s.relation.Equal(p.old, p.now)
	case p.hasOld:
		one = p.old
	}

	relation := s.relation
	if old.IsSecret() || now.IsSecret() { // where the mark says nothing
		relation |= value.IgnoreSecrets
	}
	return relation&value.NullAsMissing != 0 && relation.Equal(one, value.Null())
}

// dropped returns the new member where both normal forms have none: that of old.
func (s *speller) dropped(p *pair, now value.Value) (made value.Value, keep bool) {
	switch {
	case p.hasOld && p.hasNew:
		if s.relation.Equal(bare(p.old), bare(p.now)) {
			return p.now, true
		}
		return s.taken(p.old, p.now), true
	case p.hasOld && p.old.IsSecret() && !now.IsSecret() && s.relation&value.IgnoreSecrets == 0:
		return value.Value{}, false
	}

	return p.old, p.hasOld
}

// array respells the elements of an array.
func (s *speller) array(old, now value.Value, st path.Matcher, guide *difftree.Branch) value.Value {
	var elems []value.Value
	for j, p := range guide.Partners(old.Len(), now.Len()) {
		if p.At < 0 {
			continue
		}
		x, y := old.Elem(p.At), now.Elem(j)
		made := s.below(path.Index(j), x, y, st.Next(path.Index(j)), p.Node.Inside())
		if value.Internal.SharesMemory(made, y) {
			continue
		}

		if elems == nil {
			elems = make([]value.Value, now.Len())
			for k, e := range now.Elems() {
				elems[k] = difftree.NotInherited(e, now.IsSecret())
			}
		}
		elems[j] = difftree.NotInherited(made, now.IsSecret())
	}
	if elems == nil {
		return now
	}
	return value.Array(elems...).WithMarksOf(now)
}
