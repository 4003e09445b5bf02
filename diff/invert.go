package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// Invert returns the diff from new to old: applied to the new value it returns the old
// one.
//
// Inverting twice returns an equal diff. Where arrays are positional, the inverse of
// Between(a, b, o) equals Between(b, a, o).
//
// If a diff was applied to another value than the old one, its inverse need not fit the
// result: a value added below a container that is secret only there becomes secret, and
// differs from the value that the inverse removes.
func (d Diff) Invert() Diff {
	if d.Empty() {
		return d
	}
	var memory slabs
	top := memory.branch(*d.top.Open())
	d.top = veil.Hide(top)
	todo := []*difftree.Branch{top}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b.OldSize, b.NewSize = b.NewSize, b.OldSize
		nodes := memory.nodes(len(b.Nodes))
		copy(nodes, b.Nodes)
		for i := range nodes {
			invertNode(&nodes[i])
			if below := nodes[i].Below; below != nil {
				nodes[i].Below = memory.branch(*below)
				todo = append(todo, nodes[i].Below)
			}
		}
		if b.Kind == value.KindArray && !slices.IsSortedFunc(nodes, difftree.CompareElements) {
			slices.SortFunc(nodes, difftree.CompareElements)
		}
		b.Attach(nodes)
	}
	return d
}

func invertNode(n *difftree.Node) {
	n.Old, n.New = n.New, n.Old
	n.OldIndex, n.NewIndex = n.NewIndex, n.OldIndex
	n.Op = n.Op.Invert()
	sides := n.Facts & (difftree.HasOld | difftree.HasNew)
	if sides == difftree.HasOld || sides == difftree.HasNew {
		n.Facts ^= difftree.HasOld | difftree.HasNew
	}
}
