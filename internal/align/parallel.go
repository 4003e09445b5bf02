package align

import "math/bits"

// parallel finds a longest common subsequence by dynamic programming, 64 old
// elements at a time (Crochemore, Iliopoulos, Pinzon and Reid 2001; Hyyrö 2004).
//
// Row j is a string of bits, one for each old element. Bit i is 0 where the
// length of a longest common subsequence of the first j new elements grows from
// the first i old elements to the first i+1. All rows are kept, and walked back
// from the end.
func (al *aligner) parallel(a, b seq) int {
	width := (a.len() + 63) / 64
	masks := al.masks(a, b, width)

	row := al.words[masks : masks+width]
	for w := range row {
		row[w] = ^uint64(0)
	}

	next := masks + width

	for _, s := range b.sym {
		mask := al.words[int(al.count[s]-1)*width:][:width]
		to := al.words[next:][:width]

		var carry uint64

		for w, v := range row {
			var sum uint64

			sum, carry = bits.Add64(v, v&mask[w], carry)
			to[w] = sum | v&^mask[w]
		}

		row, next = to, next+width
	}

	for _, s := range b.sym {
		al.count[s] = 0
	}

	al.work.Visited += width * b.len()
	al.work.Probed += 2 * b.len()

	return al.walkBack(a, b, al.words[masks:], width)
}

// masks makes, for each symbol of b, the string of bits that says where it stands
// in a; count has one more than its number. It returns how many words all masks
// take, and makes room for the rows behind them.
func (al *aligner) masks(a, b seq, width int) int {
	symbols := int32(0)

	for _, s := range b.sym {
		if al.count[s] == 0 {
			symbols++
			al.count[s] = symbols
		}
	}

	size := int(symbols) * width
	if need := size + (b.len()+1)*width; cap(al.words) < need {
		al.words = make([]uint64, need)
	} else {
		al.words = al.words[:need]
	}

	clear(al.words[:size])

	for i, s := range a.sym {
		if k := al.count[s]; k > 0 {
			al.words[int(k-1)*width+i/64] |= 1 << (i % 64)
		}
	}

	al.work.Probed += a.len() + b.len()
	al.work.Visited += size

	return size
}

// walkBack reads the pairs off the rows, from the end, and takes an element into
// a pair only where it cannot be left out: so pairs stand as early as they can.
func (al *aligner) walkBack(a, b seq, rows []uint64, width int) int {
	grows := func(i, j int) bool { // at old element i, in the row of the first j new ones
		return rows[j*width+i/64]>>(i%64)&1 == 0
	}

	kept := 0

	for i, j := a.len()-1, b.len(); i >= 0 && j > 0; {
		al.work.Visited++

		switch {
		case !grows(i, j):
			i--
		case grows(i, j-1):
			j--
		default:
			j--
			al.partner[b.at[j]] = a.at[i]
			i--
			kept++
		}
	}

	return kept
}
