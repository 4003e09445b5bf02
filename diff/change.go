package diff

import (
	"iter"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Op is the operation of a change. The set is closed; the zero Op is not an operation.
type Op uint8

// The operations. OpInsert, OpRemove and OpMove are those of arrays whose elements were
// not matched by index.
const (
	OpAdd    Op = iota + 1 // a value was added
	OpDelete               // a value was deleted
	OpUpdate               // the value, or its marks, changed
	OpInsert               // an element was added, and the indexes after it are higher
	OpRemove               // an element was removed, and the indexes after it are lower
	OpMove                 // an element changed its place in the order
)

// Those of difftree are the same numbers, or this does not compile.
var _ = [1]struct{}{}[(OpAdd^Op(difftree.OpAdd))|(OpDelete^Op(difftree.OpDelete))|(OpUpdate^Op(difftree.OpUpdate))|
	(OpInsert^Op(difftree.OpInsert))|(OpRemove^Op(difftree.OpRemove))|(OpMove^Op(difftree.OpMove))]

// String returns the name of the operation in lower case, for example "add".
func (o Op) String() string {
	return scan.Name(o, "invalid op", []string{
		OpAdd: "add", OpDelete: "delete", OpUpdate: "update", OpInsert: "insert", OpRemove: "remove",
		OpMove: "move",
	})
}

// Change is one difference: a path, an operation, and the values before and after.
//
// It is small and may be kept after the iteration, but it keeps its whole Diff in memory.
// The zero Change is not a change.
type Change struct{ at difftree.Handle }

func (c Change) node() *difftree.Node { return nodeOf(c.at) }

// nodeOf is the node at a place; for the zero Handle one that says nothing.
func nodeOf(at difftree.Handle) *difftree.Node {
	if at.In.Open() == nil {
		return &difftree.Node{}
	}
	return at.Place().Node()
}

// Path returns the path in the new value, or of a removed value in the old one.
//
// Each call builds it, in time and memory that grow with the depth. Below a secret its
// keys are secret too; use [Change.Shown] for display.
func (c Change) Path() path.Path { return c.at.Place().Path(c.node().Removed()) }

// OldPath returns the path in the old value. It differs from NewPath only below arrays
// whose elements were not matched by index. For an added value it is where the value
// would be.
func (c Change) OldPath() path.Path { return c.at.Place().Path(true) }

// NewPath returns the path in the new value. For a removed value it is where the value
// would be.
func (c Change) NewPath() path.Path { return c.at.Place().Path(false) }

// Shown returns Path for display, redacted at the outermost secret above it on either
// side.
func (c Change) Shown() path.Shown { return path.Show(c.Path(), c.at.Place().Visible()) }

// Op returns the operation.
func (c Change) Op() Op { return Op(c.node().Op) }

// Old returns the value before the change, and false if there was none.
//
// It is secret if a container above it was. If the Relation treats null as missing and
// the member was such a null, Old returns the null and true, although the operation is
// OpAdd.
func (c Change) Old() (value.Value, bool) {
	n := c.node()
	return n.Old, n.Facts.Has(difftree.HasOld)
}

// New returns the value after the change, and false if there is none; see [Change.Old].
func (c Change) New() (value.Value, bool) {
	n := c.node()
	return n.New, n.Facts.Has(difftree.HasNew)
}

// Verdict returns [value.Changed], or [value.Maybe] if the change may turn out to be
// none: once unknowns, sealed secrets or missing hashes are known, or because elements
// were matched by guess.
func (c Change) Verdict() value.Verdict { return c.node().Verdict }

// ValueChanged reports whether the content of the value changed, rather than only its marks
// or its place.
//
// It is true if the value was added or removed, or if the contents differ in more than
// secret marks. It is false for a container in which only the dependencies or the order
// changed, even if there are changes inside: these are changes of their own.
func (c Change) ValueChanged() bool { return c.node().Facts.Has(difftree.ValueChanged) }

// SecretChanged reports whether exactly one of the two sides is secret. A container is then
// one change as a whole, and no part of either side may be shown.
func (c Change) SecretChanged() bool { return c.node().Facts.Has(difftree.SecretChanged) }

// DependenciesChanged reports whether the value's own dependencies differ.
func (c Change) DependenciesChanged() bool { return c.node().Facts.Has(difftree.DependenciesChanged) }

// OrderChanged reports whether the order of this array's elements changed. It is false
// for arrays that are compared index by index.
func (c Change) OrderChanged() bool { return c.node().Facts.Has(difftree.OrderChanged) }

// Secret reports whether either side is secret, itself or because of a container above
// it. Neither side may then be shown.
func (c Change) Secret() bool {
	return c.at.In.Open() != nil && c.at.Place().Secret()
}

// Changes iterates over the changes in path order.
//
// Members are in order of key, elements in order of index, and a change of a
// container's own marks is before the changes inside it. A subtree that was added or
// removed is one change.
func (d Diff) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for s := d.root(); s.In != nil; s = s.Next() {
			if s.Node().Facts.Has(difftree.IsChange) && !yield(Change{s.Handle()}) {
				return
			}
		}
	}
}

// Leaves iterates over the changes like [Diff.Changes], but splits added and removed
// subtrees.
//
// Each scalar and each empty container in such a subtree is one change. Members that
// count as missing are left out, and so are dependencies of the containers above.
func (d Diff) Leaves() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for c := range d.Changes() {
			if !yieldLeaves(c.at.Place(), yield) {
				return
			}
		}
	}
}

// yieldLeaves iterates over a subtree like [Diff.Changes], and makes the branches of added
// and removed containers as it gets to them. The diff itself does not change.
func yieldLeaves(from difftree.Place, yield func(Change) bool) bool {
	for s := from; ; {
		if b := s.Expand(); b != nil {
			s = b.Child(0)
			continue
		}
		if !yield(Change{s.Handle()}) {
			return false
		}

		for s != from && s.At+1 == len(s.In.Nodes) {
			s = s.Container()
		}
		if s == from {
			return true
		}
		s.At++
	}
}
