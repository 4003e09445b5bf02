package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/value"
)

// BetweenCounting is Between, and how much work it was: pairs and elements
// visited, parts hashed, comparisons and probes.
func BetweenCounting(old, now value.Value, o Options) (Diff, int) {
	from, _ := walk.Equal(o.rules(), old, now)
	result := walk.Between(old, now, from, WalkOptions(o), new(treeBuilder))
	return Between(old, now, o), result.Work
}

// ScratchHolds reports whether the memory that a walk gave back still holds a
// value.
func ScratchHolds() bool {
	t := builders.Get().(*treeBuilder) //nolint:forcetypeassert // the pool holds nothing else
	defer builders.Put(t)
	return slices.ContainsFunc(t.nodes[:cap(t.nodes)], func(n difftree.Node) bool { return n.Key != "" || n.Facts != 0 || n.Below != nil }) ||
		slices.ContainsFunc(t.open[:cap(t.open)], func(o openBranch) bool { return o.branch.Kind != 0 || o.first != 0 })
}
