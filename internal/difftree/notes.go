package difftree

import "github.com/propalg/propalg/value"

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
