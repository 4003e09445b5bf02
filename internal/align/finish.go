package align

// slide moves what has no partner towards the end where equal elements allow it:
// in a run of equals the last ones are without a partner. An element before a
// gap and the last one of the gap are exchanged when they are equal, which keeps
// the chain as long as it is.
func (al *aligner) slide() {
	slideGaps(al.new, al.partner)

	owner := make([]int32, len(al.old)) // the new element of each old one
	for i := range owner {
		owner[i] = none
	}

	for j, i := range al.partner {
		if i != none {
			owner[i] = int32(j)
		}
	}

	if slideGaps(al.old, owner) {
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

// slideGaps slides the gaps of one side, from front to end, so that each may join
// the next. It says whether it did anything.
func slideGaps(sym, partner []int32) bool {
	slid := false
	from := 0 // the first element of the gap that ends before k

	for k := range sym {
		switch {
		case partner[k] == none: // the gap grows, or a new one starts
			continue
		case from < k && sym[from] == sym[k]:
			partner[from], partner[k] = partner[k], none
			slid = true
			from++
		default:
			from = k + 1
		}
	}

	return slid
}

// pairLeft pairs what is left of equal symbols, as moves: the k-th one on one
// side with the k-th one on the other. When the chain is not known to be a
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

	for k, i := range al.inOrder(olds, news) {
		if i >= 0 {
			al.partner[news.at[k]] = moved(olds.at[i])
		}
	}

	if !al.exact {
		al.rechain(kept)
	}
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
