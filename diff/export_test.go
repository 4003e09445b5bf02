package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
)

// ScratchHolds reports whether the memory that a walk gave back still holds a
// value.
func ScratchHolds() bool {
	t := builders.Get().(*treeBuilder) //nolint:forcetypeassert // the pool holds nothing else
	defer builders.Put(t)
	return slices.ContainsFunc(t.nodes[:cap(t.nodes)], func(n difftree.Node) bool { return n.Key != "" || n.Facts != 0 || n.Below != nil }) ||
		slices.ContainsFunc(t.open[:cap(t.open)], func(o openBranch) bool { return o.branch.Kind != 0 || o.first != 0 })
}
