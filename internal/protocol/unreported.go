package protocol

import "github.com/propalg/propalg/internal/difftree"

// Unreported reports whether the protocol has nothing to say of a difference, in an object
// or in an array.
func Unreported(n *difftree.Node, inObject bool) bool {
	switch {
	case !n.Whole():
		return false
	case inObject: // null or missing
		return Nothing(n.New) && Nothing(n.Old)
	case n.Facts.Has(difftree.Moved) && n.OldAt() == n.NewAt() && n.Op == difftree.OpMove:
		return true // an equal element is at the index on both sides
	}

	return n.IsShifted() && !n.Facts.Has(difftree.IsChange) // another order, where order does not count
}
