// Package align matches two sequences of symbols: it finds which elements of the new
// sequence are elements of the old one, which of them moved, and which have no partner.
//
// The weight of a result is the number of old elements without a partner, of new
// elements without a partner, and of partners that moved. It is least when as many equal
// symbols as possible are paired and as many pairs as possible are in the same order on
// both sides:
//
//   - For each symbol min(count in old, count in new) elements are paired. This
//     holds at every size.
//   - The pairs that did not move are a longest common subsequence, within either of
//     the bounds below, fewPairs and maxEdits. Otherwise it is a good one, except where
//     more than maxEdits/2 elements moved as a block among few symbols: then most
//     elements may move.
//
// # How
//
// The ends in common are paired. Of what is between them, all pairs of equal elements
// are examined if they are few, and a longest chain of them that is in order on both
// sides stays in place. If they are many, then there are few symbols or many elements,
// and the fewest edits are searched. At last, equal elements that have no partner are
// paired as moves.
//
// Which of the two is used depends on sizes and symbols only, so that equal inputs have
// equal results. The time is O((n+m) log(n+m)), the memory O(n+m). What is searched is
// kept in memory, so that the tests find the cost there.
//
// Of results with equal weight the one is taken that pairs early elements. When two
// neighbours change places, the later one moves.
package align

import "slices"

// The bounds on the work of Align. That of [Resemble] is for the caller to say.
const (
	// fewPairs is how many pairs of equal elements there may be for each element if all
	// are examined. More than that are rare unless there are few symbols, and then the
	// search for few edits has the shorter way.
	fewPairs = 16
	// maxEdits is how many insertions and removals that search follows before it settles
	// for what it found: it takes at most maxEdits/2 steps for each element.
	maxEdits = 1000
)

// None is the partner of an element that has none.
const None int32 = -1

// Align returns the old partner of each new element, or [None], and which of the new
// elements moved.
//
// Symbols are small numbers, not negative: equal elements have equal ones, and tables
// as long as the greatest are made. Sequences have fewer than 2^31 elements.
func Align(older, newer []int32) (partner []int32, moved []bool) {
	partner, moved = make([]int32, len(newer)), make([]bool, len(newer))
	head, tail := common(older, newer)
	n, m := len(older)-tail, len(newer)-tail
	for j := range head {
		partner[j] = int32(j)
	}
	for k := range tail {
		partner[m+k] = int32(n + k)
	}
	for j := head; j < m; j++ {
		partner[j] = None
	}
	if head < n && head < m {
		x := newAligner(older[head:n], newer[head:m], partner[head:m], moved[head:m])
		x.solve()
		x.move()
		for j := head; j < m; j++ {
			if partner[j] != None {
				partner[j] += int32(head)
			}
		}
	}

	return partner, moved
}

// Moved returns which elements have to move: a longest chain of partners that increase
// keeps its place. Elements whose partner is [None] do not move, and no other partner
// occurs twice. The time is O(n log n).
func Moved(partner []int32) []bool {
	moved := make([]bool, len(partner))
	c := newChain(len(partner))
	for j, i := range partner {
		if i != None {
			moved[j] = true
			c.add(i, int32(j))
		}
	}

	for _, l := range c.longest() {
		moved[l.new] = false
	}
	return moved
}

// common counts the elements that two sequences share at their front, and then at
// their back.
func common(a, b []int32) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}

	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

type aligner struct {
	old, new []int32
	partner  []int32 // of each new element: an old one, or None
	moved    []bool  // of each new element

	// The old elements with symbol s are at[first[s]:first[s+1]], in ascending order.
	first, at []int32
}

func newAligner(a, b, partner []int32, moved []bool) *aligner {
	x := &aligner{old: a, new: b, partner: partner, moved: moved}
	x.first, x.at = make([]int32, max(slices.Max(a), slices.Max(b))+2), make([]int32, len(a))
	for _, s := range a {
		x.first[s]++
	}
	end := int32(0)
	for s, count := range x.first {
		end += count
		x.first[s] = end
	}

	for i := len(a) - 1; i >= 0; i-- {
		s := a[i]
		x.first[s]--
		x.at[x.first[s]] = int32(i)
	}
	return x
}

func (x *aligner) equals(symbol int32) []int32 { return x.at[x.first[symbol]:x.first[symbol+1]] }

// solve pairs elements that keep their order: as many as possible if all pairs of
// equal elements are examined, or if there are few edits.
func (x *aligner) solve() {
	pairs, most := 0, fewPairs*(len(x.old)+len(x.new))
	for _, s := range x.new {
		pairs += len(x.equals(s))
		if pairs > most { // asked here, since the sum may exceed an int
			x.search()
			return
		}
	}
	// Of one new element the last old one is first, so that no two of them can follow
	// each other (Hunt and Szymanski 1977).
	c := newChain(min(pairs, len(x.old)+len(x.new)))
	for j, s := range x.new {
		for _, i := range slices.Backward(x.equals(s)) {
			c.add(i, int32(j))
		}
	}

	for _, l := range c.longest() {
		x.partner[l.new] = l.old
	}
}

// move pairs what is left of equal elements, as moves, in the order of their
// occurrence.
func (x *aligner) move() {
	taken := make([]bool, len(x.old))
	for _, i := range x.partner {
		if i != None {
			taken[i] = true
		}
	}

	next := slices.Clone(x.first)
	for j, s := range x.new {
		if x.partner[j] != None {
			continue
		}
		for next[s] < x.first[s+1] && taken[x.at[next[s]]] {
			next[s]++
		}
		if next[s] < x.first[s+1] {
			x.partner[j], x.moved[j] = x.at[next[s]], true
			next[s]++
		}
	}
}
