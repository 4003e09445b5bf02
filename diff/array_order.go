package diff

// NOTE: Composing, splitting and merging diffs of arrays share this file.

import (
	"slices"
	"sort"

	"github.com/propalg/propalg/internal/difftree"
)

// An element is in order if it is in both versions of an array and did not move: the
// k-th such element of the old array is the k-th one of the new array. Nearly all are,
// so only the indexes of the others are listed, in ascending order. An index that is not
// listed has a rank, the number of unlisted indexes below it.

func rankOf(listed []int, i int) int {
	below, _ := slices.BinarySearch(listed, i)
	return i - below
}

func atRank(listed []int, rank int) int {
	return rank + sort.Search(len(listed), func(i int) bool { return listed[i]-i > rank })
}

// gapAt returns the start of the gap that has so many elements in order before it.
func gapAt(listed []int, rank int) int {
	if rank == 0 {
		return 0
	}
	return atRank(listed, rank-1) + 1
}

// element is the place of an element in two versions of an array.
type element struct {
	oldAt, newAt int
	inOld, inNew bool
	moved        bool
}

func elementOf(n *difftree.Node) element {
	return element{n.OldAt(), n.NewAt(), !n.Added(), !n.Removed(), n.Facts.Has(difftree.Moved)}
}

// outOfOrder returns the indexes, in the old and the new array, of the elements that are
// not in order.
func outOfOrder[T any](list []T, element func(*T) element) (olds, news []int) {
	for i := range list {
		e := element(&list[i])
		if e.inOld && (e.moved || !e.inNew) {
			olds = append(olds, e.oldAt)
		}
		if e.inNew && (e.moved || !e.inOld) {
			news = append(news, e.newAt)
		}
	}
	slices.Sort(olds)
	slices.Sort(news)

	return olds, news
}

// indexes returns the indexes of the elements that have nodes, in the old and the new
// array: as if all of them had moved.
func indexes(nodes []difftree.Node) (olds, news []int) {
	return outOfOrder(nodes, func(n *difftree.Node) element {
		e := elementOf(n)
		e.moved = true
		return e
	})
}

// arrange sorts the nodes of an array, and finds the gaps of elements that were added or
// removed.
func arrange(nodes []difftree.Node) {
	olds, news := outOfOrder(nodes, elementOf)
	for i := range nodes {
		n := &nodes[i]
		switch {
		case n.Removed():
			n.NewIndex = difftree.ClampIndex(gapAt(news, rankOf(olds, n.OldAt())))
		case n.Added():
			n.OldIndex = difftree.ClampIndex(gapAt(olds, rankOf(news, n.NewAt())))
		}
	}

	slices.SortFunc(nodes, difftree.CompareElements)
}

// isByIndex reports whether elements were compared index by index, or might have been.
func isByIndex(b *difftree.Branch) bool {
	return !slices.ContainsFunc(b.Nodes, func(n difftree.Node) bool {
		return n.OldAt() != n.NewAt() || n.Facts.Has(difftree.Moved) || n.Op == difftree.OpInsert || n.Op == difftree.OpRemove
	})
}
