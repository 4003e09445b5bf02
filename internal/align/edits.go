package align

import "math"

// box is a part of the grid of old and new elements.
type box struct{ aLo, aHi, bLo, bHi int }

// snake is a diagonal run of equal elements, maybe empty, in the middle of a
// shortest path through a box.
type snake struct{ a, b, length int }

// search is the state of the greedy search of Myers (1986), in linear space: from
// both ends of a box at once, along the paths with the fewest edits, until they
// meet. Boxes to the left and right of where they met wait on a stack.
type search struct {
	al   *aligner
	a, b []int32

	reach           int // how many edits each of the two searches may make
	forward, back   []int
	compares, nodes int // what is left of the budget

	boxes  []box
	leaves []box // small ones, left to the exact methods
	snakes []snake
}

// fewEdits finds a longest common subsequence when the sides are few edits apart:
// up to about the square root of their length. Else it gives up, with no more
// than a few looks at each element.
func (al *aligner) fewEdits(a, b seq) (int, bool) {
	size := a.len() + b.len()
	s := &search{
		al: al, a: a.sym, b: b.sym,
		reach:    int(math.Sqrt(float64(size)/4)) + 8,
		compares: 16 * size, nodes: 2*size + 256,
	}

	if gap := a.len() - b.len(); max(gap, -gap) > 2*s.reach {
		return 0, false
	}

	room := make([]int, 4*s.reach+6)
	s.forward, s.back = room[:2*s.reach+3], room[2*s.reach+3:]

	ok := s.run(box{0, a.len(), 0, b.len()})
	al.work.Compared += 16*size - s.compares
	al.work.Visited += 2*size + 256 - s.nodes

	if !ok {
		return 0, false
	}

	kept := 0

	for _, d := range s.snakes {
		for k := range d.length {
			al.partner[b.at[d.b+k]] = a.at[d.a+k]
		}

		kept += d.length
	}

	for _, x := range s.leaves {
		kept += al.leaf(a.cut(x.aLo, x.aHi), b.cut(x.bLo, x.bHi))
	}

	return kept, true
}

// run empties the stack of boxes.
func (s *search) run(whole box) bool {
	s.boxes = append(s.boxes, whole)

	for len(s.boxes) > 0 {
		x := s.trim(s.boxes[len(s.boxes)-1])
		s.boxes = s.boxes[:len(s.boxes)-1]

		if x.aLo == x.aHi || x.bLo == x.bHi {
			continue
		}

		if n, m := x.aHi-x.aLo, x.bHi-x.bLo; (n+63)/64*m <= n+m {
			s.leaves = append(s.leaves, x)

			continue
		}

		mid, ok := s.middle(x)
		if !ok {
			return false
		}

		s.keep(mid)
		s.boxes = append(s.boxes,
			box{x.aLo, mid.a, x.bLo, mid.b},
			box{mid.a + mid.length, x.aHi, mid.b + mid.length, x.bHi})
	}

	return true
}

func (s *search) keep(d snake) {
	if d.length > 0 {
		s.snakes = append(s.snakes, d)
	}
}

// trim keeps the ends in common of a box.
func (s *search) trim(x box) box {
	head, tail := 0, 0
	n := min(x.aHi-x.aLo, x.bHi-x.bLo)

	for head < n && s.a[x.aLo+head] == s.b[x.bLo+head] {
		head++
	}

	for n -= head; tail < n && s.a[x.aHi-1-tail] == s.b[x.bHi-1-tail]; {
		tail++
	}

	s.compares -= head + tail + 2
	s.keep(snake{x.aLo, x.bLo, head})
	s.keep(snake{x.aHi - tail, x.bHi - tail, tail})

	return box{x.aLo + head, x.aHi - tail, x.bLo + head, x.bHi - tail}
}

// middle finds where the two searches meet. Both sides of the box have elements,
// and differ at both ends: so at least two edits are needed, and both boxes beside
// the result need fewer than this one.
func (s *search) middle(x box) (snake, bool) {
	n, m := x.aHi-x.aLo, x.bHi-x.bLo
	odd := (n-m)%2 != 0
	zero := s.reach + 1 // where diagonal 0 stands
	s.forward[zero], s.back[zero] = 0, 0
	s.forward[zero+1], s.back[zero+1] = 0, 0

	for d := 0; d <= s.reach; d++ {
		low, high := -(d - 2*max(0, d-m)), d-2*max(0, d-n)
		s.nodes -= 2 * (d + 1)

		if s.nodes < 0 || s.compares < 0 {
			return snake{}, false
		}

		for k := low; k <= high; k += 2 {
			from := step(s.forward, zero, k, d)
			to := s.slide(x, from, from-k)
			s.forward[zero+k] = to

			if z := n - m - k; odd && z > -d && z < d && to+s.back[zero+z] >= n {
				return snake{x.aLo + from, x.bLo + from - k, to - from}, true
			}
		}

		for k := high; k >= low; k -= 2 { // downwards: of two neighbours that change places the first one stays
			from := step(s.back, zero, k, d)
			to := s.slideBack(x, from, from-k)
			s.back[zero+k] = to

			if z := n - m - k; !odd && z >= -d && z <= d && to+s.forward[zero+z] >= n {
				return snake{x.aHi - to, x.bHi - (to - k), to - from}, true
			}
		}
	}

	return snake{}, false
}

// step is the farthest start on diagonal k after d edits: one edit beyond the
// farthest ends on the diagonals beside it.
func step(ends []int, zero, k, d int) int {
	if k == -d || k != d && ends[zero+k-1] < ends[zero+k+1] {
		return ends[zero+k+1]
	}

	return ends[zero+k-1] + 1
}

func (s *search) slide(x box, i, j int) int {
	from := i
	for i < x.aHi-x.aLo && j < x.bHi-x.bLo && s.a[x.aLo+i] == s.b[x.bLo+j] {
		i, j = i+1, j+1
	}

	s.compares -= i - from + 1

	return i
}

func (s *search) slideBack(x box, i, j int) int {
	from := i
	for i < x.aHi-x.aLo && j < x.bHi-x.bLo && s.a[x.aHi-1-i] == s.b[x.bHi-1-j] {
		i, j = i+1, j+1
	}

	s.compares -= i - from + 1

	return i
}
