package align

// coarse pairs two long sequences that share no landmarks: pieces along the
// diagonal, each as [aligner.leaf] does, or equal symbols in the order of their
// occurrence, whichever keeps more.
func (al *aligner) coarse(a, b seq) int {
	olds, news := al.ordinal(a, b)

	// Pieces of about 800 elements: smaller ones cost less and lose more pairs.
	pieces := int(5*area(a, b)/(2*affordable(a, b))) + 1
	kept := 0

	for t := range pieces {
		kept += al.leaf(
			a.cut(share(a.len(), t, pieces), share(a.len(), t+1, pieces)),
			b.cut(share(b.len(), t, pieces), share(b.len(), t+1, pieces)))
	}

	if len(olds) <= kept {
		return kept
	}

	for _, j := range b.at {
		al.partner[j] = none
	}

	for k, i := range olds {
		al.partner[b.at[news[k]]] = a.at[i]
	}

	return len(olds)
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
