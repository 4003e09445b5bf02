package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Op is what happened at a place. The set is closed; the zero Op is none.
type Op uint8

// The operations. Insert, Remove and Move are those of arrays whose elements
// were matched other than index by index.
const (
	OpAdd    = Op(difftree.OpAdd)    // a value was added
	OpDelete = Op(difftree.OpDelete) // a value was deleted
	OpUpdate = Op(difftree.OpUpdate) // the value, or its marks, changed
	OpInsert = Op(difftree.OpInsert) // an element was added, and those after it have higher indexes
	OpRemove = Op(difftree.OpRemove) // an element was removed, and those after it have lower indexes
	OpMove   = Op(difftree.OpMove)   // an element is at another place in the order
)

// String returns the name of the operation in lower case, for example "add".
func (o Op) String() string {
	switch o {
	case OpAdd:
		return "add"
	case OpDelete:
		return "delete"
	case OpUpdate:
		return "update"
	case OpInsert:
		return "insert"
	case OpRemove:
		return "remove"
	case OpMove:
		return "move"
	}
	return "invalid op"
}

// Invert is the operation seen from the other side: an add for a delete.
func (o Op) Invert() Op { return Op(difftree.Op(o).Invert()) }

// Change is one difference: where, what happened, and the value before and
// after. It is two words, and may be kept after the iteration that gave it,
// which keeps its whole Diff alive. The zero Change is none.
type Change struct{ at difftree.Handle }

// node is the node of the change; for the zero Change one that says nothing.
func (c Change) node() *difftree.Node {
	if c.at.In.Open() == nil {
		return &difftree.Node{}
	}
	return c.at.Place().Node()
}

// Path is where the change is: in the new value, or, when something went, in the
// old one. Below a secret its keys are secret too; show [Change.Shown] instead.
// It is built by this call, in time and memory that grow with the depth.
func (c Change) Path() path.Path { return c.at.Place().Path(c.node().Removed()) }

// OldPath is where the change is in the old value, and NewPath where in the new
// one. They differ only below arrays whose elements were matched other than
// index by index. Where the value is missing, it is where it would be.
func (c Change) OldPath() path.Path { return c.at.Place().Path(true) }

// NewPath is [Change.OldPath] on the other side.
func (c Change) NewPath() path.Path { return c.at.Place().Path(false) }

// Shown is Path as texts may show it: cut at the outermost secret above it, on
// either side.
func (c Change) Shown() path.Shown { return path.Show(c.Path(), c.at.Place().Visible()) }

// Op is what happened.
func (c Change) Op() Op { return Op(c.node().Op) }

// Old is the value before, and false when there was none. It is secret when a
// container above it was. Where a null counts as missing, the null of an added
// member that was really there comes back, with true.
func (c Change) Old() (value.Value, bool) {
	n := c.node()
	return n.Old, n.Facts.Has(difftree.HasOld)
}

// New is the value after, like [Change.Old].
func (c Change) New() (value.Value, bool) {
	n := c.node()
	return n.New, n.Facts.Has(difftree.HasNew)
}

// Verdict says whether this is surely a change ([value.Changed]), or may turn
// out to be none once what is not known yet is known ([value.Maybe]).
func (c Change) Verdict() value.Verdict { return c.node().Verdict }

// ValueChanged reports whether there is a difference other than of this value's
// own marks: it came, went, or its content differs; differences of secret marks
// inside do not count. What differs inside a container whose dependencies alone
// differ are changes of their own.
func (c Change) ValueChanged() bool { return c.node().Facts.Has(difftree.ValueChanged) }

// SecretChanged reports whether the value became secret or ceased to be. A
// container is then one change as a whole: nothing of it may be shown.
func (c Change) SecretChanged() bool { return c.node().Facts.Has(difftree.SecretChanged) }

// DependenciesChanged reports whether the value's own dependencies differ.
func (c Change) DependenciesChanged() bool { return c.node().Facts.Has(difftree.DependenciesChanged) }

// OrderChanged reports whether elements of this array are in another order. It
// is never so where arrays are compared index by index.
func (c Change) OrderChanged() bool { return c.node().Facts.Has(difftree.OrderChanged) }

// Secret reports whether either side is secret, itself or by a container above
// it. A text must then show neither.
func (c Change) Secret() bool {
	return c.at.In.Open() != nil && c.at.Place().Secret()
}
