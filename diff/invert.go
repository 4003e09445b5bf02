package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// Invert returns the diff from new to old: applied to the new value it gives the
// old one. Inverting twice gives an equal diff; and the inverse of Between(a, b,
// o) equals Between(b, a, o).
//
// Where a diff was applied to another value than the old one, its inverse need not
// fit what came of it: what is added below a container that is secret in that value
// only is secret there, and is not what the inverse takes away.
func (d Diff) Invert() Diff {
	if d.Empty() {
		return d
	}
	var memory slabs
	top := memory.branch(*d.top.Open())
	d.top = veil.Hide(top)
	todo := []*branch{top}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b.oldSize, b.newSize = b.newSize, b.oldSize
		nodes := memory.nodes(len(b.nodes))
		copy(nodes, b.nodes)
		for i := range nodes {
			nodes[i].invert()
			if below := nodes[i].below; below != nil {
				nodes[i].below = memory.branch(*below)
				todo = append(todo, nodes[i].below)
			}
		}
		if b.kind == value.KindArray && !slices.IsSortedFunc(nodes, inOrder) {
			slices.SortFunc(nodes, inOrder)
		}
		b.hang(nodes)
	}
	return d
}

func (n *node) invert() {
	n.old, n.new = n.new, n.old
	n.oldIx, n.newIx = n.newIx, n.oldIx
	n.op = n.op.Invert()
	sides := n.facts & (hasOld | hasNew)
	if sides == hasOld || sides == hasNew {
		n.facts ^= hasOld | hasNew
	}
}
