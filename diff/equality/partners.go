package equality

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// A walk over two values is guided by the diff of their normal forms, which says which
// elements belong together: at each place by the branch of that diff, or nil where nothing
// inside changed, or one value replaced the other as a whole.

// memberOf returns the guide to a member.
func memberOf(guide *difftree.Branch, key string) *difftree.Branch {
	if guide == nil {
		return nil
	}

	i, found := slices.BinarySearchFunc(guide.Nodes, key, func(n difftree.Node, key string) int {
		return strings.Compare(n.Key, key)
	})
	if !found {
		return nil
	}
	return guide.Nodes[i].Below
}

// partner is the old element that a new one is compared with, and the guide to it; at is
// negative if there is none.
type partner struct {
	at    int
	guide *difftree.Branch
}

// partners returns the partner of each element of the new array.
func partners(olds, news int, guide *difftree.Branch) []partner {
	const none, inOrder = -1, -2
	all := make([]partner, news)
	if guide == nil || guide.Kind != value.KindArray {
		for j := range all {
			if all[j].at = j; j >= olds {
				all[j].at = none
			}
		}
		return all
	}

	for j := range all {
		all[j].at = inOrder
	}
	for i := range guide.Nodes {
		n := &guide.Nodes[i]
		switch {
		case n.Removed():
		case n.Added():
			all[n.NewAt()].at = none
		default:
			all[n.NewAt()] = partner{n.OldAt(), n.Below}
		}
	}

	taken, next := guide.TakenIndexes(), 0
	for j := range all {
		if all[j].at != inOrder {
			continue
		}
		for len(taken) > 0 && taken[0] == next {
			taken, next = taken[1:], next+1
		}
		all[j].at = next
		next++
	}
	return all
}
