package patch

import "math/rand/v2"

// elements are the elements of an array: a treap, a binary tree in the order of their
// indexes that chance keeps in balance. nil is the empty one. Which shape it has changes
// nothing but the time.
type elements struct {
	place       *place
	left, right *elements
	n           int
}

func elementsOf(places []*place) *elements {
	if len(places) == 0 {
		return nil
	}
	middle := len(places) / 2
	return (&elements{place: places[middle], left: elementsOf(places[:middle]), right: elementsOf(places[middle+1:])}).counted()
}

func (e *elements) len() int {
	if e == nil {
		return 0
	}
	return e.n
}

func (e *elements) counted() *elements {
	e.n = e.left.len() + 1 + e.right.len()
	return e
}

// find returns the element with an index below the length.
func (e *elements) find(i int) *elements {
	for {
		before := e.left.len()
		switch {
		case i < before:
			e = e.left
		case i == before:
			return e
		default:
			e, i = e.right, i-before-1
		}
	}
}

func (e *elements) at(i int) *place { return e.find(i).place }

func (e *elements) set(i int, p *place) { e.find(i).place = p }

// with returns the elements with one more, before that of an index.
func (e *elements) with(i int, p *place) *elements {
	before, after := e.split(i)
	return join(join(before, elementsOf([]*place{p})), after)
}

// without returns the elements without one.
func (e *elements) without(i int) *elements {
	before, rest := e.split(i)
	_, after := rest.split(1)
	return join(before, after)
}

// split divides the elements into the first n and the others.
func (e *elements) split(n int) (first, rest *elements) {
	if e == nil {
		return nil, nil
	}
	before := e.left.len()
	if n <= before {
		first, e.left = e.left.split(n)
		return first, e.counted()
	}
	e.right, rest = e.right.split(n - before - 1)
	return e.counted(), rest
}

func join(a, b *elements) *elements {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case rand.IntN(a.n+b.n) < a.n: //nolint:gosec // balance is no secret
		a.right = join(a.right, b)
		return a.counted()
	default:
		b.left = join(a, b.left)
		return b.counted()
	}
}

// all yields the places in order.
func (e *elements) all(yield func(*place) bool) {
	e.each(yield)
}

func (e *elements) each(yield func(*place) bool) bool {
	return e == nil || (e.left.each(yield) && yield(e.place) && e.right.each(yield))
}
