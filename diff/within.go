package diff

// NOTE: A place is a path, the same in all three values, so the elements of arrays are
// compared index by index. Any other matching would make the verdict depend on how it guesses:
// [a b] to [a b c], where [x a b c] was promised, is the promised insertion of c to one and two
// other values to another.

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Within returns where an update from old to now did not keep what its preview promised,
// in the order of paths. It is empty if the promise was kept.
//
// A place is compared by its path in all three values. It is a breach if now has another
// value than promised, or only one of them has a value; [Breach.Kind] says how it differs
// from old. An unknown that was promised admits any value, and none; a reference with an unknown
// ID, any ID. What cannot be told from the value that came, such as a sealed secret or an asset
// without a hash, is no breach unless o.MaybeIsChanged. It is also a breach if a secret mark or a dependency that was promised
// is missing, but not if one was gained. Old need not be what the preview saw.
//
// Values and marks are compared under o.Relation; a null that counts as missing does so with
// any marks. How o matches the elements of arrays has
// no effect: they are compared index by index. Nothing is allocated if nothing is found.
// The time is linear in the size of the values, but for the search of members in old, which
// is logarithmic.
func Within(old, now, promised value.Value, o Options) []Breach {
	w := within{rules: o.rules()}
	w.place(&trio{old: stateOf(old), now: stateOf(now), promised: stateOf(promised)}, spot{visible: -1})
	return w.found
}

type within struct {
	rules difftree.Rules
	found []Breach
}

// trio is one place in three values.
type trio struct{ old, now, promised state }

// spot is what is known of a place on the way down.
type spot struct {
	depth, visible int  // as of a junction
	guarded        bool // the promise has a secret above
}

// place compares one place. It returns its junction if there is a breach at it or below,
// for the container to lead to.
func (w *within) place(t *trio, at spot) *junction {
	where := w.marks(t, at)
	switch {
	case t.promised.there() && t.promised.IsUnknown():
	case t.now.isContainer() && t.promised.hasKind(t.now.Kind()):
		return w.children(t, at, where)
	case w.admitted(t):
	case w.same(t.now, t.old):
		return w.breach(BreachMissing, t, at, where)
	case w.same(t.promised, t.old):
		return w.breach(BreachExtra, t, at, where)
	default:
		return w.breach(BreachOther, t, at, where)
	}
	return where
}

// marks compares the marks of what was promised with those of what came.
func (w *within) marks(t *trio, at spot) *junction {
	if !t.now.there() || !t.promised.there() {
		return nil
	}
	secret := !at.guarded && t.promised.IsSecret() && w.rules.SecretsDiffer(t.promised.Value, t.now.Value)
	dependency := w.dependencyLost(t.promised.Value, t.now.Value)

	unmarked := secret && (t.old.IsSecret() || !w.same(t.now, t.old))
	unlinked := dependency && (!t.old.there() || !difftree.SameDependencies(t.now.Value, t.old.Value))
	switch {
	case unmarked || unlinked:
		return w.breach(BreachMark, t, at, nil)
	case secret || dependency:
		return w.breach(BreachMissing, t, at, nil)
	}
	return nil
}

func (w *within) dependencyLost(promised, now value.Value) bool {
	if !promised.HasDependencies() || !w.rules.DependenciesDiffer(promised, now) {
		return false
	}
	union := now.WithDependencies(slices.Collect(promised.Dependencies())...)
	return !difftree.SameDependencies(union, now)
}

// admitted reports whether what came has the content that was promised, or may have.
func (w *within) admitted(t *trio) bool {
	if !t.now.there() || !t.promised.there() {
		return t.now.there() == t.promised.there()
	}

	bare := w.rules.Relation | value.IgnoreSecrets
	switch bare.Compatible(t.promised.DropDependencies(), t.now.DropDependencies()) {
	case value.Same:
		return true
	case value.Maybe:
		open := !w.rules.MaybeIsChanged || t.promised.ContainsUnknown() // such as the ID of a reference
		return open && !t.now.ContainsUnknown()
	case value.Changed:
	}
	return false
}

// same reports whether two states are equal but for marks.
func (w *within) same(s, t state) bool {
	if !s.there() || !t.there() {
		return s.there() == t.there()
	}
	return !w.rules.ContentsDiffer(s.Value, t.Value)
}

func (w *within) children(t *trio, at spot, where *junction) *junction {
	below := spot{at.depth + 1, at.visible, at.guarded || t.promised.IsSecret()}
	if at.visible < 0 && (t.old.IsSecret() || t.now.IsSecret() || t.promised.IsSecret()) {
		below.visible = at.depth
	}

	if !t.old.hasKind(t.now.Kind()) {
		t.old = state{}
	}

	promised, now := t.promised.Children(), t.now.Children()
	var of trio
	i, j, order, _ := value.Internal.Agree(w.rules.Relation, promised, now, 0, 0, false)
	for i < promised.Len() || j < now.Len() {
		of = trio{}
		key, child := promised.At(i)
		if order <= 0 {
			of.promised = w.child(t, child)
			i++
		}
		if order >= 0 {
			key, child = now.At(j)
			of.now = w.child(t, child)
			j++
		}
		step := path.Key(key)
		if t.now.Kind() == value.KindArray {
			step = path.Index(max(i, j) - 1)
			of.old = t.old.elem(max(i, j) - 1)
		} else if old := t.old.member(key); old.there() {
			of.old = w.child(t, old.Value)
		}

		where = at.over(where, w.place(&of, below), step)
		i, j, order, _ = value.Internal.Agree(w.rules.Relation, promised, now, i, j, false)
	}
	return where
}

// child returns a child of containers, unless it is a member that is null and so counts as
// missing, whatever marks it has.
func (w *within) child(t *trio, v value.Value) state {
	if v.IsNull() && w.rules.Relation&value.NullAsMissing != 0 && t.now.Kind() == value.KindObject {
		return state{}
	}
	return stateOf(v)
}

// junction returns the junction of a spot, which is made at most once.
func (s spot) junction(made *junction) *junction {
	if made == nil {
		made = &junction{visible: s.visible, depth: s.depth}
	}
	return made
}

// over returns the junction of a container, of which a child has one if it has breaches.
func (s spot) over(made, child *junction, step path.Step) *junction {
	if child == nil {
		return made
	}
	child.up, child.step = s.junction(made), step
	return child.up
}

func (w *within) breach(kind BreachKind, t *trio, at spot, made *junction) *junction {
	where := at.junction(made)
	of := veil.Hide(&[3]state{t.old, t.promised, t.now})
	w.found = append(w.found, Breach{kind, Conflict{at: veil.Hide(where), of: of}})
	return where
}
