package align

// slide moves gaps, which are runs of elements without a partner, where equal
// elements allow it: an element beside a gap and the one at the gap's other end
// are exchanged when they are equal, which keeps the chain as long as it is. A gap
// goes up if it can join the one above, so that there are fewer; then it goes as
// far down as it can, so that of a run of equals the last ones are without a
// partner.
func (al *aligner) slide() {
	al.slideGaps(al.new, al.partner)

	owner := make([]int32, len(al.old)) // the new element of each old one
	for i := range owner {
		owner[i] = none
	}

	for j, i := range al.partner {
		if i != none {
			owner[i] = int32(j)
		}
	}

	if al.slideGaps(al.old, owner) {
		for j := range al.partner {
			al.partner[j] = none
		}

		for i, j := range owner {
			if j != none {
				al.partner[j] = int32(i)
			}
		}
	}

	al.work.Visited += 2*len(al.old) + 2*len(al.partner)
}

// slideGaps slides the gaps of one side, from front to end, and says whether any
// moved. Each element is passed a few times at most: on the way up by the gap
// below it, and on the way down by the one above, alone or joined.
func (al *aligner) slideGaps(sym, partner []int32) bool {
	slid := false
	above := [2]int{int(none), 0} // start and end of the gap above

	for k := 0; k < len(sym); {
		if partner[k] != none {
			k++

			continue
		}

		lo, hi := k, gapEnd(partner, k)

		if up := lo - rise(sym, above[1], lo, hi); up == above[1] && above[0] >= 0 {
			for t := lo - 1; t >= up; t-- {
				partner[t+hi-lo], partner[t] = partner[t], none
			}

			lo, hi, slid = above[0], up+hi-lo, true
			al.work.Compared += k - up
		} else {
			al.work.Compared += lo - up + 1
		}

		for hi < len(sym) && sym[lo] == sym[hi] {
			partner[lo], partner[hi] = partner[hi], none
			lo, hi, slid = lo+1, gapEnd(partner, hi), true
			al.work.Compared++
		}

		above = [2]int{lo, hi}
		k = hi
	}

	return slid
}

// gapEnd is where the gap ends that k is in.
func gapEnd(partner []int32, k int) int {
	for k < len(partner) && partner[k] == none {
		k++
	}

	return k
}

// rise is how far a gap can go up, at most to the end of the gap above.
func rise(sym []int32, top, lo, hi int) int {
	by := 0
	for lo-by > top && sym[lo-by-1] == sym[hi-by-1] {
		by++
	}

	return by
}

// pairLeft pairs what is left of equal symbols, as moves. When the chain is not known to be a
// longest one it is drawn anew through all pairs.
func (al *aligner) pairLeft() {
	taken := make([]bool, len(al.old))
	kept := 0

	for _, i := range al.partner {
		if i != none {
			taken[i] = true
			kept++
		}
	}

	olds, news := newSeq(al.old), newSeq(al.new)
	olds = olds.where(len(al.old)-kept, func(i int) bool { return !taken[i] })
	news = news.where(len(al.partner)-kept, func(j int) bool { return al.partner[j] == none })
	al.work.Visited += len(al.old) + 2*len(al.partner)

	if olds.len() == 0 || news.len() == 0 {
		return
	}

	for k, i := range al.inRuns(olds, news) {
		if i >= 0 {
			al.partner[news.at[k]] = moved(olds.at[i])
		}
	}

	if !al.exact {
		al.rechain(kept)
	}
}

// inRuns pairs as many equal elements as there are: each with the one behind the
// partner of the element before it where that is free, so that what moved as one
// is told as one, else with the first one that is free. The result has the index
// in a for each element of b, or none.
func (al *aligner) inRuns(a, b seq) []int32 {
	first, later := al.count, make([]int32, a.len()) // both one more than an index
	for i := a.len() - 1; i >= 0; i-- {
		s := a.sym[i]
		later[i], first[s] = first[s], int32(i+1)
	}

	partner := make([]int32, b.len())
	taken := make([]bool, a.len())
	last := none

	for j, s := range b.sym {
		i := last + 1
		if last == none || b.at[j-1]+1 != b.at[j] || int(i) == a.len() || a.at[last]+1 != a.at[i] || a.sym[i] != s || taken[i] {
			for first[s] > 0 && taken[first[s]-1] {
				first[s] = later[first[s]-1]
			}

			i = first[s] - 1
		}

		if i >= 0 {
			taken[i] = true
		}

		partner[j], last = i, i
	}

	for _, s := range a.sym {
		first[s] = 0
	}

	al.work.Probed += 3*a.len() + 2*b.len()

	return partner
}

// where copies the elements that pass; there are so many.
func (s seq) where(size int, passes func(i int) bool) seq {
	room := make([]int32, 2*size)
	out := seq{room[:0:size], room[size:size]}

	for i, sym := range s.sym {
		if passes(i) {
			out.sym, out.at = append(out.sym, sym), append(out.at, s.at[i])
		}
	}

	return out
}

// rechain keeps the longest chain of all pairs in place if it is longer than the
// one so far.
func (al *aligner) rechain(kept int) {
	var olds, news []int32

	for j, i := range al.partner {
		if i < none {
			i = unmoved(i)
		}

		if i != none {
			olds, news = append(olds, i), append(news, int32(j))
		}
	}

	chain := increasing(olds, al.work)
	if len(chain) <= kept {
		return
	}

	for k, j := range news {
		al.partner[j] = moved(olds[k])
	}

	for _, k := range chain {
		al.partner[news[k]] = olds[k]
	}
}
