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

	// Parts of about 800 elements: smaller ones cost less, and leave more seams.
	parts := int(5*area(a, b)/(2*affordable(a, b))) + 1
	kept := 0

	for t := range parts {
		kept += solve(
			a.cut(share(a.len(), t, parts), share(a.len(), t+1, parts)),
			b.cut(share(b.len(), t, parts), share(b.len(), t+1, parts)))
	}

	if len(olds) <= kept {
		return kept + al.mend(a, b, parts, 1, solve)
	}

	al.forget(b)

	for k, i := range olds {
		al.partner[b.at[news[k]]] = a.at[i]
	}

	return len(olds) + al.mend(a, b, parts, 2, solve)
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

// mend solves the chain again in boxes around the seams between parts, which reach
// so many quarters of a part to either side. It returns how many pairs it gained.
func (al *aligner) mend(a, b seq, parts, quarters int, solve func(a, b seq) int) int {
	olds, news := al.chain(a, b)
	gained, from := 0, 0

	for t := range parts + 1 {
		lo, hi := share(a.len(), max(0, 4*t-quarters), 4*parts), share(a.len(), min(4*t+quarters, 4*parts), 4*parts)

		for from < len(olds) && int(olds[from]) < lo {
			from++
		}

		to := from
		for to < len(olds) && int(olds[to]) < hi {
			to++
		}

		x := box{a.len(), a.len(), b.len(), b.len()}
		if from < len(olds) {
			x.aLo, x.bLo = int(olds[from]), int(news[from])
		}

		if to < len(olds) {
			x.aHi, x.bHi = int(olds[to]), int(news[to])
		}

		gained += al.again(a, b, x, to-from, solve)
		from = to
	}

	return gained
}

// chain lists the pairs of two subsequences.
func (al *aligner) chain(a, b seq) (olds, news []int32) {
	i := int32(0)

	for j, at := range b.at {
		if al.partner[at] == none {
			continue
		}

		for a.at[i] != al.partner[at] {
			i++
		}

		olds, news = append(olds, i), append(news, int32(j))
	}

	al.work.Visited += a.len() + b.len()

	return olds, news
}

// again solves a box that holds kept pairs, unless it is too large.
func (al *aligner) again(a, b seq, x box, kept int, solve func(a, b seq) int) int {
	a, b = a.cut(x.aLo, x.aHi), b.cut(x.bLo, x.bHi)
	if a.len() == 0 || b.len() == 0 || area(a, b) > affordable(a, b) {
		return 0
	}

	al.forget(b)

	return solve(a, b) - kept
}
