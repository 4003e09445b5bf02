package diff

import (
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Apply returns v with the changes of d made.
//
// Between(old, now, o).Apply(old) equals now under o.Relation, and is
// [value.Value.Identical] to it at every place that the diff changes.
// Containers above a change keep the marks that they have in v.
//
// The diff must fit v, which need not be the old value: at every place that it changes,
// v must have the old value, as compared under the diff's Relation, or no value if
// there was none. Containers above must be of the same kind, and arrays whose elements
// are added, removed or moved must have the same length. Otherwise v is returned with
// an [*Error] that wraps [ErrFit] and names the first place, in path order, that does
// not fit.
//
// The time is linear in the diff and in the number of children of the containers that
// change. Unchanged parts share memory with v.
func (d Diff) Apply(v value.Value) (value.Value, error) {
	if d.Empty() {
		return v, nil
	}

	result, err := applied(d.root(), v)
	if err != nil {
		return v, err // a nil *Error would not be a nil error
	}
	return result, nil
}

// applied returns what a value at a place is after the changes at and below it.
func applied(s difftree.Place, v value.Value) (value.Value, *Error) {
	made, err := applyAt(nil, s, stateOf(v))
	if err != nil {
		return v, err
	}
	if s.Node().Whole() {
		return made.Value, nil
	}

	return made.AsPartOf(v), nil
}

type level struct {
	up      *level // nil: none above
	present value.Value
}

// applyAt makes the changes at and below a place in what is present.
func applyAt(up *level, s difftree.Place, present state) (state, *Error) {
	n := s.Node()
	if n.Whole() {
		switch {
		case !fits(up, s, present):
			return state{}, misfit(up, s, present, wanted(n), found(n, present))
		case !n.Facts.Has(difftree.HasNew):
			return state{}, nil
		}
		return stateOf(n.New), nil
	}

	kind := kindOf(n)
	switch {
	case !present.there():
		return state{}, misfit(up, s, present, kind.String(), "nothing")
	case present.Kind() != kind:
		return state{}, misfit(up, s, present, kind.String(), present.Kind().String())
	case n.Facts.Has(difftree.DependenciesChanged) && !difftree.SameDependencies(present.Value, n.Old):
		return state{}, misfit(up, s, present, "the old dependencies", "other dependencies")
	case n.Below == nil:
		return stateOf(withDependenciesOf(n.New, present.Value)), nil
	case n.Below.Reshapes() && present.Len() != n.Below.OldLen():
		return state{}, misfit(up, s, present, elements(n.Below.OldLen()), elements(present.Len()))
	}
	here := &level{up, present.Value}
	made, err := rebuild(present.Value, n.Below, func(i int, child state) (state, *Error) {
		return applyAt(here, n.Below.Child(i), child)
	})
	if err != nil {
		return state{}, err
	}

	owner := present.Value
	if n.Facts.Has(difftree.DependenciesChanged) {
		owner = withDependenciesOf(n.New, owner)
	}
	return stateOf(made.WithMarksOf(owner)), nil
}

// rebuild returns a container with other children where a branch has nodes: child returns
// what becomes of the one at a node.
func rebuild(v value.Value, b *difftree.Branch, child func(i int, present state) (state, *Error)) (value.Value, *Error) {
	if b.Kind == value.KindArray {
		return rebuildArray(v, b, child)
	}
	return rebuildObject(v, v.IsSecret(), len(b.Nodes), func(i int) string { return b.Nodes[i].Key }, child)
}

// rebuildObject is rebuild for objects, with n other members, whose keys are in order.
// What is returned is for a container that is secret or not.
func rebuildObject(v value.Value, secret bool, n int, keyOf func(i int) string, child func(i int, present state) (state, *Error)) (value.Value, *Error) {
	var failed *Error
	made := value.Internal.WithFields(v, secret, n, keyOf, func(i int, member value.Value, there bool) (value.Value, bool) {
		present := state{}
		if there {
			present = stateOf(member)
		}
		if failed != nil {
			return value.Value{}, false
		}
		var after state
		after, failed = child(i, present)
		return after.Value, after.there()
	})
	if failed != nil {
		return value.Value{}, failed
	}
	return made, nil
}

// rebuildArray is rebuild for arrays. If elements were inserted, removed or moved, those
// without a node fill the places between the nodes.
func rebuildArray(v value.Value, b *difftree.Branch, child func(i int, present state) (state, *Error)) (value.Value, *Error) {
	var taken []int // the indexes of elements with nodes, where they are in another order
	if b.Shuffles() {
		taken = b.TakenIndexes()
	}

	secret := v.IsSecret()
	elems := make([]value.Value, 0, v.Len()+len(b.Nodes))
	next := 0 // the next element of v
	add := func() bool {
		for len(taken) > 0 && taken[0] <= next {
			if taken[0] == next {
				next++
			}
			taken = taken[1:]
		}

		if next >= v.Len() {
			return false
		}
		elems = append(elems, difftree.NotInherited(v.Elem(next), secret))
		next++
		return true
	}
	for i := range b.Nodes {
		n := &b.Nodes[i]
		for len(elems) != n.NewAt() && (!n.Removed() || n.OldAt() != n.NewAt() || n.OldAt() != next) && add() {
		}
		var present state
		if !n.Added() {
			present = stateOf(v).elem(n.OldAt())
		}
		if present.there() && next == n.OldAt() {
			next++
		}
		made, err := child(i, present)
		if err != nil {
			return value.Value{}, err
		}
		if made.there() {
			elems = append(elems, difftree.NotInherited(made.Value, secret))
		}
	}

	for add() {
	}
	return value.Array(elems...), nil
}

// fits reports whether what is present is what the change starts from.
func fits(up *level, s difftree.Place, present state) bool {
	n, there := s.Node(), present.there()
	if s.In.Kind == value.KindObject && there && s.In.Rules.Absent(present.Value, up != nil && up.present.IsSecret()) {
		there = false
	}
	if n.Added() {
		return !there // a null on the old side counts as missing
	}

	return there && s.In.Rules.Relation.Equal(present.Value, n.Old)
}

func withDependenciesOf(w, v value.Value) value.Value {
	return v.DropDependencies().WithDependencies(slices.Collect(w.Dependencies())...)
}

// misfit makes the error for a place where something else is present. At and below a
// secret it does not say what: kinds and lengths are contents too.
func misfit(up *level, s difftree.Place, present state, want, got string) *Error {
	at, visible := s.Path(true), s.Visible()
	for depth := at.Len() - 1; up != nil; up, depth = up.up, depth-1 {
		if up.present.IsSecret() && (visible < 0 || depth < visible) {
			visible = depth
		}
	}
	if visible >= 0 || present.IsSecret() || isSecret(s.Node()) {
		want, got = "", ""
	}
	return &Error{Op: "apply", At: path.Show(at, visible), Want: want, Found: got, err: ErrFit}
}

func wanted(n *difftree.Node) string {
	if n.Added() {
		return "nothing"
	}
	return "the old value"
}

func found(n *difftree.Node, present state) string {
	switch {
	case !present.there():
		return "nothing"
	case !n.Added() && present.Kind() == n.Old.Kind():
		return "another value"
	}
	return present.Kind().String()
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}
