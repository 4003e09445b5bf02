package align

import "slices"

// none stands for no partner. A partner that moved is written below it.
const none int32 = -1

// moved writes the old index i as that of a partner that moved; unmoved reads it.
func moved(i int32) int32   { return none - 1 - i }
func unmoved(i int32) int32 { return none - 1 - i }

// seq is a subsequence of the old or the new elements.
type seq struct {
	sym []int32
	at  []int32 // where each stands in the whole
}

func newSeq(sym []int32) seq {
	at := make([]int32, len(sym))
	for i := range at {
		at[i] = int32(i)
	}

	return seq{sym, at}
}

func (s seq) len() int           { return len(s.sym) }
func (s seq) cut(lo, hi int) seq { return seq{s.sym[lo:hi], s.at[lo:hi]} }

// common counts the elements that two sequences share at their front, and then
// at their back.
func common(a, b []int32) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}

	for n -= head; tail < n && a[len(a)-1-tail] == b[len(b)-1-tail]; {
		tail++
	}

	return head, tail
}

// dense renumbers symbols so that a table of them is no longer than a few times
// the sequences. It returns the sequences as they are when they already are dense.
func dense(a, b []int32, work *Work) (x, y []int32, symbols int) {
	limit := int32(min(4*(len(a)+len(b))+1024, 1<<30))
	least, most := int32(0), int32(0)

	for _, side := range [2][]int32{a, b} {
		for _, s := range side {
			least, most = min(least, s), max(most, s)
		}
	}

	if least >= 0 && most < limit {
		return a, b, int(most) + 1
	}

	known := slices.Concat(a, b)
	slices.Sort(known)
	known = slices.Compact(known)

	number := func(side []int32) []int32 {
		out := make([]int32, len(side))

		for i, s := range side {
			k, _ := slices.BinarySearch(known, s)
			out[i] = int32(k)
		}

		return out
	}

	for n := len(known); n > 0; n >>= 1 { // a sort and a search for each element
		work.Probed += 2 * (len(a) + len(b))
	}

	return number(a), number(b), len(known)
}

// shared drops the elements whose symbol the other side lacks. It also counts the
// pairs of equal elements, which may be as many as n·m.
func (al *aligner) shared(a, b seq) (x, y seq, pairs int64) {
	count, seen := al.count, al.seen
	for _, s := range b.sym {
		seen[s]++
	}

	kept := 0

	for _, s := range a.sym {
		count[s]++

		if seen[s] > 0 {
			kept++
		}
	}

	x = a
	if kept < a.len() {
		x = only(a, seen, kept)
	}

	kept = 0

	for _, s := range b.sym {
		if count[s] > 0 {
			kept++
			pairs += int64(count[s])
		}
	}

	y = b
	if kept < b.len() {
		y = only(b, count, kept)
	}

	for _, s := range a.sym {
		count[s] = 0
	}

	for _, s := range b.sym {
		seen[s] = 0
	}

	al.work.Probed += 3 * (a.len() + b.len())

	return x, y, pairs
}

// only copies the elements whose symbol has a count.
func only(s seq, count []int32, kept int) seq {
	room := make([]int32, 2*kept)
	out := seq{room[:0:kept], room[kept:kept]}

	for i, sym := range s.sym {
		if count[sym] > 0 {
			out.sym, out.at = append(out.sym, sym), append(out.at, s.at[i])
		}
	}

	return out
}

// inOrder pairs the k-th occurrence of each symbol in a with its k-th occurrence
// in b. The result has the index in a for each element of b, or none.
func (al *aligner) inOrder(a, b seq) []int32 {
	first, later := al.count, make([]int32, a.len()) // both one more than an index
	for i := a.len() - 1; i >= 0; i-- {
		s := a.sym[i]
		later[i], first[s] = first[s], int32(i+1)
	}

	partner := make([]int32, b.len())

	for j, s := range b.sym {
		i := first[s] - 1
		if partner[j] = i; i >= 0 {
			first[s] = later[i]
		}
	}

	for _, s := range a.sym {
		first[s] = 0
	}

	al.work.Probed += 2*a.len() + b.len()

	return partner
}
