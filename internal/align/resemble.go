package align

import (
	"cmp"
	"slices"
)

// candidate is a pair that may be made, with what it is worth.
type candidate struct {
	i, j  int32
	worth int64
}

// maxWorth is the greatest similarity that is distinguished from greater ones, so that
// sums cannot overflow.
const maxWorth int64 = 1 << 31

// Resemble pairs elements that are not equal but alike: n removed ones with m
// inserted ones, in order, so that the sum of their similarity is greatest. A
// similarity of 0 or less does not pair, one above 2^31 counts as 2^31. Of equal
// sums the one is taken that pairs the earliest old element, with its earliest
// partner, and so on.
//
// Similarity is called once for each i and j when n·m is at most the
// budget. Else each element of the shorter side is compared only with as many of
// the other as the budget allows, those at about the same place (i·m/n), and when
// the budget is less than the shorter side its last elements go unpaired. Among
// what was compared the sum is greatest. Never are there more calls than budget.
// Pairs are sorted, and none is moved. Besides the calls, work is O(c log c) for c
// calls.
func Resemble(n, m int, similarity func(i, j int) int, budget int, work *Work) []Pair {
	found := candidates(n, m, similarity, budget, work)
	if len(found) == 0 {
		return nil
	}

	// Candidates from the last row to the first, each row from left to right:
	// then what is drawn from the tree stands below and to the right.
	best := newMaxTree(m)
	sum := make([]int64, len(found))
	next := make([]int32, len(found))

	for hi := len(found); hi > 0; {
		lo := hi - 1
		for lo > 0 && found[lo-1].i == found[lo].i {
			lo--
		}

		for k := lo; k < hi; k++ {
			j := int(found[k].j)

			next[k] = best.after(j, sum, work)
			sum[k] = found[k].worth

			if next[k] != none {
				sum[k] += sum[next[k]]
			}

			best.put(j, int32(k), sum, work)
		}

		hi = lo
	}

	var pairs []Pair
	for k := best.after(-1, sum, work); k != none; k = next[k] {
		pairs = append(pairs, Pair{Old: found[k].i, New: found[k].j})
	}

	return pairs
}

// ResembleAny is [Resemble] where order does not matter: the most similar pair is
// made first, then the most similar one of what is left, and so on; of equal ones
// the earliest. Pairs are sorted by New, and none is moved.
func ResembleAny(n, m int, similarity func(i, j int) int, budget int, work *Work) []Pair {
	found := candidates(n, m, similarity, budget, work)
	if len(found) == 0 {
		return nil
	}

	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })

	if work != nil {
		work.Probed += len(found) * log2(len(found))
	}

	var pairs []Pair

	usedOld, usedNew := make([]bool, n), make([]bool, m)

	for _, c := range found {
		if !usedOld[c.i] && !usedNew[c.j] {
			usedOld[c.i], usedNew[c.j] = true, true
			pairs = append(pairs, Pair{Old: c.i, New: c.j})
		}
	}

	slices.SortFunc(pairs, func(a, b Pair) int { return int(a.New) - int(b.New) })

	return pairs
}

// candidates calls similarity within the budget and returns the pairs that are
// worth anything, by rows.
func candidates(n, m int, similarity func(i, j int) int, budget int, work *Work) []candidate {
	if n <= 0 || m <= 0 || budget <= 0 {
		return nil
	}

	var found []candidate

	compare := func(i, j int) {
		if worth := int64(similarity(i, j)); worth > 0 {
			found = append(found, candidate{int32(i), int32(j), min(worth, maxWorth)})
		}
	}

	short, long := min(n, m), max(n, m)
	width := min(budget/short, long)

	if width == 0 {
		short, width = budget, 1
	}

	for s := range short {
		middle := share(long, s, min(n, m))
		lo := max(0, min(middle-width/2, long-width))

		for l := lo; l < lo+width; l++ {
			if n <= m {
				compare(s, l)
			} else {
				compare(l, s)
			}
		}
	}

	if n > m { // by columns so far
		slices.SortFunc(found, func(a, b candidate) int {
			if a.i != b.i {
				return int(a.i) - int(b.i)
			}

			return int(a.j) - int(b.j)
		})
	}

	if work != nil {
		work.Compared += short * width
	}

	return found
}

// maxTree answers which candidate right of a column has the greatest sum: a tree
// of prefixes (Fenwick 1994), from the last column to the first.
type maxTree []int32

func newMaxTree(columns int) maxTree {
	t := make(maxTree, columns+1)
	for k := range t {
		t[k] = none
	}

	return t
}

// after is the candidate with the greatest sum in the columns after j, of equals
// the first one, or none.
func (t maxTree) after(j int, sum []int64, work *Work) int32 {
	best := none

	for at := len(t) - 2 - j; at > 0; at &= at - 1 {
		best = better(best, t[at], sum)

		if work != nil {
			work.Probed++
		}
	}

	return best
}

func (t maxTree) put(j int, k int32, sum []int64, work *Work) {
	for at := len(t) - 1 - j; at < len(t); at += at & -at {
		t[at] = better(t[at], k, sum)

		if work != nil {
			work.Probed++
		}
	}
}

// better is the candidate with the greater sum, of equals the first one.
func better(a, b int32, sum []int64) int32 {
	switch {
	case a == none:
		return b
	case b == none || sum[a] > sum[b]:
		return a
	case sum[b] > sum[a]:
		return b
	}

	return min(a, b)
}
