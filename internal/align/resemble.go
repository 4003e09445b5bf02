package align

// NOTE: How similar two elements are is for the caller to say, and how many pairs are worth a
// look: see internal/walk/match_similar.go.

import (
	"cmp"
	"slices"
)

// Pair is a pair of elements, by their indexes.
type Pair struct{ Old, New int32 }

// Resemble pairs elements that are not equal but alike: n removed ones with m
// inserted ones, in order, so that the sum of their similarity is greatest.
//
// A similarity of 0 or less does not pair; their sum must fit in an int. Of equal sums the
// one is taken that pairs the earliest element of the shorter side, with its earliest
// partner, and so on. Pairs are sorted.
//
// Similarity is called at most budget times, which also bounds the time and the memory.
// If not all pairs can be compared, each element of the shorter side is compared with
// as many of the other as the budget allows, those at about the same place.
func Resemble(n, m int, similarity func(i, j int) int, budget int) []Pair {
	b := compare(n, m, similarity, budget)
	b.sums = make([]int, b.rows*(b.width+1))

	for r := b.rows - 1; r >= 0; r-- {
		sums := b.sums[r*(b.width+1):]
		sums[b.width] = b.below(r, b.width)
		for c := b.width - 1; c >= 0; c-- {
			sums[c] = max(sums[c+1], b.below(r, c))
			if s := b.similar[r*b.width+c]; s > 0 {
				sums[c] = max(sums[c], s+b.below(r, c+1))
			}
		}
	}

	var pairs []Pair
	next := 0 // the first element of the longer side after the last pair
	for r := range b.rows {
		from := max(next-b.from(r), 0)
		for c := from; c < b.width; c++ {
			s := b.similar[r*b.width+c]
			if s > 0 && s+b.below(r, c+1) == b.sums[r*(b.width+1)+from] {
				pairs = append(pairs, b.pair(r, c))
				next = b.from(r) + c + 1
				break
			}
		}
	}
	return pairs
}

// ResembleAny is [Resemble] where order does not matter: the most similar pair is
// made first, then the most similar one of what is left, and so on; of equal ones
// the earliest. Pairs are sorted by New.
func ResembleAny(n, m int, similarity func(i, j int) int, budget int) []Pair {
	type candidate struct {
		Pair
		similar int
	}
	b := compare(n, m, similarity, budget)
	var candidates []candidate
	for k, s := range b.similar {
		if s > 0 {
			candidates = append(candidates, candidate{b.pair(k/b.width, k%b.width), s})
		}
	}
	slices.SortFunc(candidates, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.similar, x.similar), cmp.Compare(x.Old, y.Old), cmp.Compare(x.New, y.New))
	})

	var pairs []Pair
	usedOld, usedNew := make([]bool, max(n, 0)), make([]bool, max(m, 0))
	for _, c := range candidates {
		if !usedOld[c.Old] && !usedNew[c.New] {
			usedOld[c.Old], usedNew[c.New] = true, true
			pairs = append(pairs, c.Pair)
		}
	}
	slices.SortFunc(pairs, func(x, y Pair) int { return cmp.Compare(x.New, y.New) })
	return pairs
}

// band is the similarity of what was compared: rows are elements of the shorter side,
// each with width elements of the longer one, its columns.
type band struct {
	rows, width  int
	short, long  int
	shorterIsOld bool
	similar      []int // of row r and column c at r*width+c
	// The greatest sum of the rows from r on, in the elements from column c on, at
	// r*(width+1)+c.
	sums []int
}

func compare(n, m int, similarity func(i, j int) int, budget int) band {
	b := band{short: min(n, m), long: max(n, m), shorterIsOld: n <= m}
	if b.short <= 0 || budget <= 0 {
		return b
	}
	b.rows = min(b.short, budget)
	b.width = min(budget/b.rows, b.long)
	b.similar = make([]int, 0, b.rows*b.width)
	for r := range b.rows {
		for c := range b.width {
			p := b.pair(r, c)
			b.similar = append(b.similar, similarity(int(p.Old), int(p.New)))
		}
	}

	return b
}

func (b *band) from(row int) int {
	middle := int(int64(b.long) * int64(row) / int64(b.short))
	return max(0, min(middle-b.width/2, b.long-b.width))
}

// below returns the greatest sum of the rows after r, in the elements from column c of
// row r on.
func (b *band) below(r, c int) int {
	if r+1 == b.rows {
		return 0
	}
	return b.sums[(r+1)*(b.width+1)+max(b.from(r)+c-b.from(r+1), 0)]
}

func (b *band) pair(r, c int) Pair {
	p := Pair{Old: int32(r), New: int32(b.from(r) + c)}
	if !b.shorterIsOld {
		p.Old, p.New = p.New, p.Old
	}
	return p
}
