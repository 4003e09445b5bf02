package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/difftree"
)

// elements pairs the nodes of two arrays, one of which may be empty, and finds which
// elements moved. The time depends on the number of nodes, not on the lengths.
func (c composer) elements(in, s *scope, at *pair, x, y *difftree.Branch) ([]pair, *Error) {
	s.guess = s.guess || c.anyGuessed(x) || c.anyGuessed(y)
	between, ok := s.lengths(x, y)
	if !ok {
		return nil, c.misfit(in, at, false)
	}

	unordered := x.Unordered || y.Unordered
	s.inserts = !isByIndex(x) || !isByIndex(y) || unordered
	var pairs []pair
	if s.inserts {
		pairs = through(x, y)
	} else {
		pairs = sideBySide(x, y, byIndexes)
	}
	for i := range pairs {
		first, second := pairs[i].nodes()
		beyond := (first != nil && !first.Removed() && first.NewAt() >= between) || (second != nil && !second.Added() && second.OldAt() >= between)
		if beyond {
			return nil, c.misfit(in, at, false)
		}
	}

	if err := c.allStates(s, pairs); err != nil || !s.inserts {
		return pairs, err
	}
	keepOrder(pairs)
	c.cancel(pairs)
	// A changed order is a fact of the array if the array is known, else of elements.
	anyMoved := slices.ContainsFunc(pairs, func(p pair) bool { return p.moved })
	s.shape.Unordered = unordered && (!anyMoved || (s.old.there() && s.now.there()))
	return pairs, nil
}

// anyGuessed reports whether it is a guess which elements a diff compares.
func (c composer) anyGuessed(b *difftree.Branch) bool {
	return slices.ContainsFunc(b.Nodes, func(n difftree.Node) bool { return c.guessed(&n, b.Kind) })
}

// lengths finds the lengths of the array before, between and after two diffs. A diff
// that leaves all elements where they are fits an array of any length, as long as it has
// them.
func (s *scope) lengths(x, y *difftree.Branch) (between int, ok bool) {
	ok = true
	first, second := x.Reshapes(), y.Reshapes()
	switch {
	case first && second:
		s.shape.OldSize, s.shape.NewSize = x.OldSize, y.NewSize
		between, ok = x.NewLen(), x.NewLen() == y.OldLen()
	case first:
		s.shape.OldSize, s.shape.NewSize = x.OldSize, x.NewSize
		between = x.NewLen()
	case second, len(x.Nodes) == 0:
		s.shape.OldSize, s.shape.NewSize = y.OldSize, y.NewSize
		between = y.OldLen()
	default:
		between = x.OldLen()
		for i := range y.Nodes {
			if n := &y.Nodes[i]; !n.Added() {
				between = max(between, n.OldAt()+1)
			}
		}
		s.shape.OldSize = difftree.ClampIndex(between)
		s.shape.NewSize = s.shape.OldSize
	}
	return between, ok
}

// through pairs the nodes of two arrays by the index in between. An element without a
// node is in order on both sides of a diff, so its rank leads to its other index.
func through(x, y *difftree.Branch) []pair {
	var pairs []pair
	at := map[int]int{} // index in between to index in pairs
	xOlds, xNews := indexes(x.Nodes)
	yOlds, yNews := indexes(y.Nodes)
	for i := range x.Nodes {
		e := elementOf(&x.Nodes[i])
		p := pair{first: x.Child(i), oldAt: e.oldAt, moved: e.moved}
		if e.inNew {
			at[e.newAt] = len(pairs)
			p.newAt = atRank(yNews, rankOf(yOlds, e.newAt)) // unless y has a node there
		}

		pairs = append(pairs, p)
	}
	for i := range y.Nodes {
		e := elementOf(&y.Nodes[i])
		k, both := at[e.oldAt]
		if !both || !e.inOld {
			k = len(pairs)
			pairs = append(pairs, pair{oldAt: atRank(xOlds, rankOf(xNews, e.oldAt))})
		}
		p := &pairs[k]
		p.second, p.newAt, p.moved = y.Child(i), e.newAt, p.moved || e.moved
	}
	return pairs
}

// element returns where the element of a pair is before and after both diffs.
func (p *pair) element() element {
	return element{p.oldAt, p.newAt, p.old.counts(), p.now.counts(), p.moved}
}

// keepOrder finds out which elements, of those that either diff moved, moved in the end:
// as few as possible. Those that no diff moved stay in order.
func keepOrder(pairs []pair) {
	for i := range pairs {
		p := &pairs[i]
		p.moved = p.moved && p.old.counts() && p.now.counts()
	}
	slices.SortStableFunc(pairs, func(p, q pair) int { return p.newAt - q.newAt })
	olds, news := outOfOrder(pairs, (*pair).element)
	partners := make([]int32, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		partners[i] = align.None
		if p.moved && rankOf(olds, p.oldAt) == rankOf(news, p.newAt) {
			partners[i] = int32(p.oldAt) //nolint:gosec // an index
		}
	}

	for i, moved := range align.Moved(partners) {
		if partners[i] != align.None {
			pairs[i].moved = moved
		}
	}
}

// cancel drops elements that the first diff removes and the second one adds again at the
// same place: of those between the same neighbors, the first ones and the last ones.
func (c composer) cancel(pairs []pair) {
	olds, news := outOfOrder(pairs, (*pair).element)
	removed, added := map[int][]*pair{}, map[int][]*pair{} // by rank
	for i := range pairs {
		e := pairs[i].element()
		switch {
		case e.inOld && !e.inNew:
			rank := rankOf(olds, e.oldAt)
			removed[rank] = append(removed[rank], &pairs[i])
		case e.inNew && !e.inOld:
			rank := rankOf(news, e.newAt)
			added[rank] = append(added[rank], &pairs[i])
		}
	}

	cancels := func(gone, again *pair) bool {
		if !c.rules.Relation.Equal(gone.old.Value, again.now.Value) {
			return false
		}
		gone.old, again.now = state{}, state{}
		return true
	}
	for rank, gone := range removed {
		again := added[rank]
		slices.SortFunc(gone, func(p, q *pair) int { return p.oldAt - q.oldAt })

		for len(gone) > 0 && len(again) > 0 && cancels(gone[0], again[0]) {
			gone, again = gone[1:], again[1:]
		}
		for len(gone) > 0 && len(again) > 0 && cancels(gone[len(gone)-1], again[len(again)-1]) {
			gone, again = gone[:len(gone)-1], again[:len(again)-1]
		}
	}
}
