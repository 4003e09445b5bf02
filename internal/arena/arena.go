// Package arena lends memory to what is made for one call and not kept after it.
package arena

// An arena keeps room for at most most elements from one use to the next.
const most = 256

// Of lends slices of elements. The zero Of is ready for use.
type Of[T any] struct{ lent []T }

// Take returns n elements, each the zero one. They are valid until Wipe.
func (a *Of[T]) Take(n int) []T {
	// There are pointers into a list that is full: it is left to them.
	if cap(a.lent)-len(a.lent) < n {
		a.lent = make([]T, 0, max(n, min(2*cap(a.lent), most), fewest))
	}
	from := len(a.lent)
	a.lent = a.lent[:from+n]
	return a.lent[from : from+n : from+n]
}

// An arena begins with room for so many elements.
const fewest = 8

// Wipe takes all elements back. What they referred to can be freed.
func (a *Of[T]) Wipe() {
	clear(a.lent)
	a.lent = a.lent[:0]
	if cap(a.lent) > most {
		a.lent = nil
	}
}
