package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opRebase = "rebase"

// Rebase makes the changes of d, which was made from base, in a value that base has become
// meanwhile. It returns what [Merge] returns of base, what d makes of base, and v: where
// both changed the same place there is a conflict, and the value has what base has.
//
// The error is that of [Diff.Apply] if d does not fit base.
func (d Diff) Rebase(base, v value.Value, o Options) (Merged, error) {
	left, err := d.Apply(base)
	if err != nil {
		return Merged{Value: v}, err
	}
	return Merge(base, left, v, o), nil
}

// RebaseWithoutBase returns what [Diff.Rebase] returns for the value that d was made from,
// if that follows from d and v alone: the values are equal under o.Relation and marks, and
// the conflicts have equal values. Otherwise the error is an [*Error] that wraps [ErrBase]
// and names the first place that the base decides.
//
// A diff has the old values of what it changes, and no others. That is enough in objects, if
// those around a change are in v and as secret as they were, and in arrays if o and d match
// their elements by index and not both v and d change the length.
//
// The time is that of Rebase.
func (d Diff) RebaseWithoutBase(v value.Value, o Options) (Merged, error) {
	if d.Empty() {
		return Merged{Value: v}, nil
	}

	r := rebaser{from: d.Relation(), relation: o.Relation &^ (value.IgnoreSecrets | value.IgnoreDependencies), matches: o.matches()}
	base, err := r.base(d.root(), stateOf(v), r.matches.Set.Matcher())
	if err != nil {
		return Merged{Value: v}, err
	}
	return d.Rebase(base.Value, v, o)
}

// rebaser makes a base for a merge: v with the old values of a diff. It differs from the
// true one only where the diff changes nothing, so that the merge takes what v has there.
type rebaser struct {
	from, relation value.Relation // of the diff, and of the merge
	matches        walk.Matches
}

// base returns what the base has at a place, and v there.
func (r *rebaser) base(s difftree.Place, v state, patterns path.Matcher) (state, *Error) {
	switch old := oldState(s.Node()); old.is {
	case missing:
		return state{}, nil
	case null, present:
		return stateOf(old.Value), nil
	case unsure:
	}

	b := s.Node().Below
	how := r.matches.All
	if r.matches.Set != nil {
		how = r.matches.At(patterns)
	}
	isArray := b.Kind == value.KindArray
	switch {
	case !v.hasKind(b.Kind), v.IsSecret() != b.Secret, b.Secret && r.from&value.IgnoreSecrets != 0:
		return state{}, baseNeeded(s)
	case isArray && (how != walk.Match{} || !isByIndex(b) || (v.Len() != b.OldLen() && b.NewLen() != b.OldLen())):
		return state{}, baseNeeded(s)
	}

	made, err := rebuild(v.Value, b, func(i int, present state) (state, *Error) {
		inside := patterns
		if r.matches.Set != nil {
			inside = patterns.Next(b.Step(i, true))
		}
		old, err := r.base(b.Child(i), present, inside)
		n := &b.Nodes[i]
		changesLength := isArray && !n.Added() && (!present.there() || (n.Removed() && !r.relation.Equal(present.Value, old.Value)))
		if err == nil && changesLength { // on one side, and the element on the other: of the whole array
			return state{}, baseNeeded(s)
		}
		return old, err
	})
	if err != nil {
		return state{}, err
	}
	return stateOf(made.WithMarksOf(v.Value)), nil
}

func baseNeeded(s difftree.Place) *Error {
	return &Error{Op: opRebase, At: path.Show(s.Path(true), s.Visible()), err: ErrBase}
}
