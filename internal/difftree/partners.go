package difftree

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/value"
)

// A walk over other values than those that a tree was made of, such as values in another
// spelling, is guided by the tree, which says which elements belong together: at each place
// by the branch there, or nil where nothing inside changed, or one value replaced the other
// as a whole.

// Member returns the node of the member with a key, or nil.
func (b *Branch) Member(key string) *Node {
	if b == nil || b.Kind != value.KindObject {
		return nil
	}

	i, found := slices.BinarySearchFunc(b.Nodes, key, func(n Node, key string) int {
		return strings.Compare(n.Key, key)
	})
	if !found {
		return nil
	}
	return &b.Nodes[i]
}

// Inside returns the branch below a node, which may be nil.
func (n *Node) Inside() *Branch {
	if n == nil {
		return nil
	}
	return n.Below
}

// Partner is the old element that a new one is compared with, and its node, which is nil
// if nothing changed. At is negative if there is none.
type Partner struct {
	At   int
	Node *Node
}

// Partners returns the partner of each element of the new array; b may be nil.
func (b *Branch) Partners(olds, news int) []Partner {
	const none, inOrder = -1, -2
	all := make([]Partner, news)
	if b == nil || b.Kind != value.KindArray {
		for j := range all {
			if all[j].At = j; j >= olds {
				all[j].At = none
			}
		}
		return all
	}

	for j := range all {
		all[j].At = inOrder
	}
	for i := range b.Nodes {
		n := &b.Nodes[i]
		switch {
		case n.Removed():
		case n.Added():
			all[n.NewAt()] = Partner{none, n}
		default:
			all[n.NewAt()] = Partner{n.OldAt(), n}
		}
	}

	taken, next := b.TakenIndexes(), 0
	for j := range all {
		if all[j].At != inOrder {
			continue
		}
		for len(taken) > 0 && taken[0] == next {
			taken, next = taken[1:], next+1
		}
		all[j].At = next
		next++
	}
	return all
}
