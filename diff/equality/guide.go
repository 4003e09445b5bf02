package equality

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// guide is the place in the diff of two normal forms that a walk over the values is at. It
// says which elements belong together.
type guide struct {
	below *difftree.Branch // if something inside changed
	apart bool             // one value as a whole replaced the other
}

// guideTo returns the guide to the root.
func guideTo(d diff.Diff) guide {
	root := diff.Tree(d)
	if root.In == nil {
		return guide{}
	}
	return guideOf(root.Node())
}

func guideOf(n *difftree.Node) guide {
	return guide{n.Below, n.Whole() && n.Op != difftree.OpMove}
}

// member returns the guide to a member.
func (g guide) member(key string) guide {
	if g.below == nil || g.below.Kind != value.KindObject {
		return g
	}
	i, found := slices.BinarySearchFunc(g.below.Nodes, key, func(n difftree.Node, key string) int {
		return strings.Compare(n.Key, key)
	})
	if !found {
		return guide{}
	}
	return guideOf(&g.below.Nodes[i])
}

// partner is the old element that a new one is compared with; at is -1 for none.
type partner struct {
	at    int
	guide guide
}

// partners returns the partner of each element of the new array.
func (s *speller) partners(olds, news int, g guide) []partner {
	all := make([]partner, news)
	for j := range all {
		all[j] = partner{at: -1}
	}
	if s.matched && g.apart {
		return all
	}
	if g.below == nil || g.below.Kind != value.KindArray {
		for j := range min(olds, news) {
			all[j].at = j
		}
		return all
	}
	const listed = -2
	for i := range g.below.Nodes {
		switch n := &g.below.Nodes[i]; {
		case n.Removed():
		case n.Added():
			all[n.NewAt()].at = listed
		default:
			all[n.NewAt()] = partner{n.OldAt(), guideOf(n)}
		}
	}
	taken, i := g.below.TakenIndexes(), 0
	for j := range all {
		if all[j].at != -1 {
			continue
		}
		for len(taken) > 0 && taken[0] == i {
			taken, i = taken[1:], i+1
		}
		all[j].at = i
		i++
	}
	return all
}
