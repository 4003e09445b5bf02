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
	d.top = veil.Hide(inverted(d.top.Open()))
	return d
}

// inverted returns the inverse of a branch, and of what is below it, in new memory.
func inverted(b *difftree.Branch) *difftree.Branch {
	inverse := *b
	inverse.OldSize, inverse.NewSize = b.NewSize, b.OldSize
	nodes := slices.Clone(b.Nodes)
	for i := range nodes {
		invertNode(&nodes[i])
		if nodes[i].Below != nil {
			nodes[i].Below = inverted(nodes[i].Below)
		}
	}

	if b.Kind == value.KindArray && !slices.IsSortedFunc(nodes, difftree.CompareElements) {
		slices.SortFunc(nodes, difftree.CompareElements)
	}
	inverse.Attach(nodes)
	return &inverse
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
