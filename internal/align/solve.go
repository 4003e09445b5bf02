package align

import (
	"math/bits"
	"slices"
)

// aligner holds what the steps of one alignment share.
type aligner struct {
	old, new []int32
	partner  []int32 // for each new element: none, its old partner, or moved(that)
	exact    bool    // the partners so far are a longest common subsequence
	work     *Work

	count, seen []int32  // by symbol; zero between uses
	words       []uint64 // scratch of the bit-parallel programme
}

func newAligner(a, b []int32, work *Work) *aligner {
	a, b, symbols := dense(a, b, work)
	al := &aligner{old: a, new: b, partner: make([]int32, len(b)), exact: true, work: work}

	table := make([]int32, 2*symbols)
	al.count, al.seen = table[:symbols], table[symbols:]

	for j := range al.partner {
		al.partner[j] = none
	}

	return al
}

// maxDepth bounds how often landmarks are sought between landmarks.
const maxDepth = 2

// solve pairs two subsequences and returns how many pairs it made.
func (al *aligner) solve(a, b seq, depth int) int {
	a, b, done, pairs := al.reduce(a, b)
	if pairs == 0 {
		return done
	}

	if pairs <= int64(a.len()+b.len()) {
		return done + al.sparse(a, b, int(pairs))
	}

	if area(a, b) <= affordable(a, b) {
		return done + al.parallel(a, b)
	}

	if kept, ok := al.oneMove(a, b); ok {
		return done + kept
	}

	al.exact = false

	if depth < maxDepth {
		if kept, ok := al.landmarks(a, b, pairs, depth); ok {
			return done + kept
		}
	}

	return done + al.coarse(a, b)
}

// oneMove pairs two subsequences of which one is the other with its first element
// moved to the end, or its last to the front: between the ends that they share,
// nothing else is left of a sequence in which one element moved.
func (al *aligner) oneMove(a, b seq) (kept int, ok bool) {
	n := a.len()
	if n != b.len() {
		return 0, false
	}

	front, back := a.cut(1, n), b.cut(0, n-1) // the first element moved to the end
	if !slices.Equal(front.sym, back.sym) {
		front, back = a.cut(0, n-1), b.cut(1, n)
		if !slices.Equal(front.sym, back.sym) {
			return 0, false
		}
	}

	for k, j := range back.at {
		al.partner[j] = front.at[k]
	}

	al.work.Compared += 2 * n

	return n - 1, true
}

// leaf pairs two subsequences exactly whatever it costs.
func (al *aligner) leaf(a, b seq) int {
	a, b, done, pairs := al.reduce(a, b)

	switch {
	case pairs == 0:
		return done
	case pairs <= int64(a.len()+b.len()):
		return done + al.sparse(a, b, int(pairs))
	}

	return done + al.parallel(a, b)
}

// reduce pairs the ends in common and drops symbols that only one side has. It
// returns what remains, the number of pairs made, and how many pairs
// of equal elements there are in it.
func (al *aligner) reduce(a, b seq) (x, y seq, done int, pairs int64) {
	a, b, done = al.trim(a, b)
	if a.len() == 0 || b.len() == 0 {
		return a, b, done, 0
	}

	n, m := a.len(), b.len()
	if a, b, pairs = al.shared(a, b); pairs == 0 || a.len() == n && b.len() == m {
		return a, b, done, pairs
	}

	// Dropping may have brought equal ends together. The pairs are then fewer
	// than counted, which only makes the choice of a method a little careful.
	a, b, more := al.trim(a, b)
	if a.len() == 0 || b.len() == 0 {
		pairs = 0
	}

	return a, b, done + more, pairs
}

func (al *aligner) trim(a, b seq) (x, y seq, done int) {
	head, tail := common(a.sym, b.sym)
	al.work.Compared += head + tail + 2
	n, m := a.len(), b.len()

	for k := range head {
		al.partner[b.at[k]] = a.at[k]
	}

	for k := 1; k <= tail; k++ {
		al.partner[b.at[m-k]] = a.at[n-k]
	}

	return a.cut(head, n-tail), b.cut(head, m-tail), head + tail
}

// area is the number of words that the bit-parallel programme needs, and
// affordable the number that it may: enough for two sides of
// 1,900 elements. Both are linear in memory as well.
func area(a, b seq) int64 { return int64((a.len()+63)/64) * int64(b.len()) }

func affordable(a, b seq) int64 {
	return 28*int64(min(a.len(), b.len())) + 2*int64(max(a.len(), b.len())) + 256
}

// share is the t-th of so many parts of n.
func share(n, t, parts int) int { return int(int64(n) * int64(t) / int64(parts)) }

// sparse finds a longest common subsequence as a longest increasing one of all
// pairs of equal elements: by the new index, and for each from the last old one
// to the first, so that no two of one new element can follow each other.
func (al *aligner) sparse(a, b seq, pairs int) int {
	last, earlier := al.count, make([]int32, a.len()) // both one more than an index
	for i, s := range a.sym {
		earlier[i], last[s] = last[s], int32(i+1)
	}

	room := make([]int32, 2*pairs)
	olds, news := room[:0:pairs], room[pairs:pairs]

	for j, s := range b.sym {
		for i := last[s]; i > 0; i = earlier[i-1] {
			olds, news = append(olds, i-1), append(news, int32(j))
		}
	}

	for _, s := range a.sym {
		last[s] = 0
	}

	al.work.Probed += 2*a.len() + b.len() + pairs

	chain := increasing(olds, al.work)
	for _, k := range chain {
		al.partner[b.at[news[k]]] = a.at[olds[k]]
	}

	return len(chain)
}

// log2 is the logarithm, rounded up, and at least 1.
func log2(n int) int { return max(1, bits.Len(uint(max(n-1, 0)))) }
