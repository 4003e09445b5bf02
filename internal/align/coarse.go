package align

// fewSymbols is how many symbols are few: so many that a piece of a problem has
// most of them on both sides.
const fewSymbols = 256

// coarse pairs two long sequences of few symbols that share no landmarks. It
// takes the better of two chains, and then mends it: between two of its pairs the
// best chain is found exactly, again and again across the seams of what was
// solved before.
func (al *aligner) coarse(a, b seq, have alike) int {
	olds, news := al.ordinal(a, b)

	// With few symbols it is no use to look for those that one side of a part lacks.
	solve := al.leaf
	if have.pairs > int64(a.len())*int64(b.len())/fewSymbols {
		solve = al.parallel
	}

	parts := int(4*area(a, b)/(3*affordable(a, b))) + 1
	kept := 0

	for t := range parts {
		kept += solve(
			a.cut(share(a.len(), t, parts), share(a.len(), t+1, parts)),
			b.cut(share(b.len(), t, parts), share(b.len(), t+1, parts)))
	}

	if len(olds) > kept {
		kept = len(olds)
		al.forget(b)

		for k, i := range olds {
			al.partner[b.at[news[k]]] = a.at[i]
		}
	}

	return kept + al.mend(a, b, parts, solve)
}

// ordinal is the longest chain of those pairs that have the same ordinal number
// among their equals on either side.
func (al *aligner) ordinal(a, b seq) (olds, news []int32) {
	for j, i := range al.inOrder(a, b) {
		if i >= 0 {
			olds, news = append(olds, i), append(news, int32(j))
		}
	}

	return al.chainOf(olds, news)
}

func (al *aligner) forget(b seq) {
	for _, j := range b.at {
		al.partner[j] = none
	}
}

// mend solves the boxes between some pairs of the chain again, which are half a
// part off the seams, and returns how many pairs it gained.
func (al *aligner) mend(a, b seq, parts int, solve func(a, b seq) int) int {
	gained, from := 0, box{}
	kept, next := 0, 0 // in this box; where the next seam is
	i := 0

	seam := func(t int) int { return share(a.len(), 2*t+1, 2*parts) }

	for j, at := range b.at {
		if al.partner[at] == none {
			continue
		}

		for a.at[i] != al.partner[at] {
			i++
		}

		if i >= seam(next) {
			from.aHi, from.bHi = i, j
			gained += al.again(a, b, from, kept, solve)
			from, kept = box{aLo: i, bLo: j}, 0

			for i >= seam(next) {
				next++
			}
		}

		kept++
	}

	from.aHi, from.bHi = a.len(), b.len()
	al.work.Visited += a.len() + b.len()

	return gained + al.again(a, b, from, kept, solve)
}

// again solves a box that holds kept pairs, unless it is too large.
func (al *aligner) again(a, b seq, x box, kept int, solve func(a, b seq) int) int {
	a, b = a.cut(x.aLo, x.aHi), b.cut(x.bLo, x.bHi)
	if a.len() == 0 || b.len() == 0 || area(a, b) > 2*affordable(a, b) {
		return 0
	}

	al.forget(b)

	return solve(a, b) - kept
}
