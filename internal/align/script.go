package align

// Script says which elements of two sequences are partners. Elements in no run
// are removed (old) or inserted (new).
type Script struct {
	// Runs are sorted by New and do not overlap on either side. Those that did not
	// move are sorted by Old as well. Two that could be one are one.
	Runs []Run
}

// Run is a run of pairs: elements Old+k and New+k are partners for 0 <= k < Len,
// and have equal symbols.
type Run struct {
	Old, New, Len int32
	Moved         bool // out of the order that the other runs keep
}

// Pair is a pair of elements, by their indexes.
type Pair struct {
	Old, New int32
	Moved    bool // see [Chain]
}

// Work counts what was done, for tests of its growth. It is added to.
type Work struct {
	Compared int // comparisons of symbols, and calls of a similarity
	Visited  int // nodes of a search, words of a bit-parallel row
	Probed   int // looks into a table, steps of a binary search
}

// Total is the sum of the counts.
func (w Work) Total() int { return w.Compared + w.Visited + w.Probed }

// Weight is the weight of a script between sequences of n and m elements: the
// elements without a partner and the partners that moved.
func (s Script) Weight(n, m int) int {
	weight := n + m

	for _, r := range s.Runs {
		if r.Moved {
			weight -= int(r.Len)
		} else {
			weight -= 2 * int(r.Len)
		}
	}

	return weight
}

// Runs joins pairs that are sorted by New to the runs of a script.
func Runs(pairs []Pair) []Run {
	var runs []Run
	for _, p := range pairs {
		runs = extend(runs, Run{Old: p.Old, New: p.New, Len: 1, Moved: p.Moved})
	}

	return runs
}

// extend appends a run, or joins it to the last one when it goes on from there.
func extend(runs []Run, r Run) []Run {
	if r.Len == 0 {
		return runs
	}

	if k := len(runs) - 1; k >= 0 {
		last := &runs[k]
		if last.Moved == r.Moved && last.Old+last.Len == r.Old && last.New+last.Len == r.New {
			last.Len += r.Len

			return runs
		}
	}

	return append(runs, r)
}

// Align matches two sequences. Symbols are small numbers: equal elements have
// equal ones. (Large or negative ones cost a sort.) The work is added to work,
// which may be nil. Sequences have fewer than 2^31 elements.
func Align(older, newer []int32, work *Work) Script {
	head, tail := common(older, newer)
	if work != nil {
		work.Compared += head + tail + 2
	}

	a, b := older[head:len(older)-tail], newer[head:len(newer)-tail]

	first := Run{Len: int32(head)}
	last := Run{Old: int32(len(older) - tail), New: int32(len(newer) - tail), Len: int32(tail)}

	switch {
	case len(a) > 0 && len(b) > 0:
	case head+tail == 0:
		return Script{}
	default:
		return Script{Runs: extend(extend(make([]Run, 0, 2), first), last)}
	}

	if work == nil {
		work = &Work{}
	}

	al := newAligner(a, b, work)
	al.solve(newSeq(al.old), newSeq(al.new), 0)
	al.slide()
	al.pairLeft()

	runs := extend(make([]Run, 0, 8), first)
	for j, i := range al.partner {
		if i == none {
			continue
		}

		r := Run{Old: i, New: int32(head + j), Len: 1}
		if i < none {
			r.Old, r.Moved = unmoved(i), true
		}

		r.Old += int32(head)
		runs = extend(runs, r)
	}

	return Script{Runs: extend(runs, last)}
}
