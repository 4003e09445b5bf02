package align

// search pairs elements by the greedy search for the fewest insertions and removals
// (Myers 1986), over the elements whose symbol both sides have. After maxEdits it
// keeps the path that leads furthest, and goes on from there.
func (x *aligner) search() {
	inNew := make([]bool, len(x.first))
	for _, s := range x.new {
		inNew[s] = true
	}
	s := searcher{partner: x.partner}
	s.old, s.oldAt = shared(x.old, func(s int32) bool { return inNew[s] })
	s.new, s.newAt = shared(x.new, func(s int32) bool { return len(x.equals(s)) > 0 })

	for i, j := 0, 0; i < len(s.old) && j < len(s.new); {
		edits, k := s.furthest(i, j)
		i, j = s.commit(i, j, edits, k)
	}
}

// shared returns the symbols that the other side has, and their indexes.
func shared(symbols []int32, has func(symbol int32) bool) (kept, at []int32) {
	for i, s := range symbols {
		if has(s) {
			kept, at = append(kept, s), append(at, int32(i))
		}
	}
	return kept, at
}

// searcher is a search for few edits.
//
// A path of d edits ends on one of d+1 diagonals: on diagonal k it has k removals and
// d-k insertions. rows[d][k] is the number of old elements on the path that leads
// furthest, counted from where the search began.
type searcher struct {
	old, new     []int32
	oldAt, newAt []int32 // the indexes of these elements among all
	partner      []int32 // of all new elements
	rows         [][]int32
}

// furthest follows all paths from elements i0 and j0 until one reaches both ends or
// has maxEdits edits. It returns the edits and the diagonal of the one that leads
// furthest.
func (s *searcher) furthest(i0, j0 int) (edits, diagonal int) {
	a, b := s.old[i0:], s.new[j0:]
	for d := 0; ; d++ {
		if d == len(s.rows) {
			s.rows = append(s.rows, make([]int32, d+1))
		}

		best, most := 0, -1
		for k := range s.rows[d] {
			i := s.step(d, k)
			j := i + d - 2*k
			for i < len(a) && j < len(b) && a[i] == b[j] {
				i, j = i+1, j+1
			}
			s.rows[d][k] = int32(i)

			if i >= len(a) && j >= len(b) {
				return d, k
			}
			if i <= len(a) && j <= len(b) && i+j > most {
				best, most = k, i+j
			}
		}
		if d == maxEdits {
			return d, best
		}
	}
}

// removes reports whether the last edit of a path is a removal.
func (s *searcher) removes(d, k int) bool {
	return k == d || (k > 0 && s.rows[d-1][k-1] >= s.rows[d-1][k])
}

// step returns where a path is after its last edit.
func (s *searcher) step(d, k int) int {
	switch {
	case d == 0:
		return 0
	case s.removes(d, k):
		return int(s.rows[d-1][k-1]) + 1
	}
	return int(s.rows[d-1][k])
}

// commit pairs the elements on a path from i0 and j0, and returns where it ends.
func (s *searcher) commit(i0, j0, d, k int) (i, j int) {
	length := int(s.rows[d][k])
	i, j = i0+length, j0+length+d-2*k
	for end := i; d >= 0; d-- {
		from := i0 + s.step(d, k)
		for shift := j0 - i0 + d - 2*k; end > from; end-- {
			s.partner[s.newAt[end-1+shift]] = s.oldAt[end-1]
		}
		if d > 0 && s.removes(d, k) {
			k--
			end--
		}
	}

	return i, j
}
