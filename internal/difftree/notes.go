package difftree

import "github.com/propalg/propalg/value"

// Sides returns the values to show. An added value has no old side, even if it replaced
// a null that counts as missing.
func (n *Node) Sides() (old, now value.Value, hasOld, hasNow bool) {
	hasOld, hasNow = n.Facts.Has(HasOld), n.Facts.Has(HasNew)
	switch n.Op {
	case OpAdd, OpInsert:
		hasOld = false
	case OpDelete, OpRemove:
		hasNow = false

	case OpUpdate, OpMove:
	}
	return n.Old, n.New, hasOld, hasNow
}

// Notes returns remarks on what the values do not show.
func (n *Node) Notes() []string {
	var notes []string

	old, now, hasOld, hasNow := n.Sides()
	if n.Facts.Has(SecretChanged) && hasOld && hasNow {
		if now.IsSecret() {
			notes = append(notes, "becomes secret")
		} else {
			notes = append(notes, "no longer secret")
		}
	}
	if n.Facts.Has(DependenciesChanged) {
		notes = append(notes, "dependencies change")
	}
	if n.Facts.Has(OrderChanged) {
		notes = append(notes, "order changes")
	}
	switch {
	case n.Verdict != value.Maybe || old.IsUnknown() || now.IsUnknown():
	case hasOld && hasNow && n.Op != OpMove:
		notes = append(notes, "may be the same")
	default:
		notes = append(notes, "may turn out otherwise")
	}
	return notes
}
