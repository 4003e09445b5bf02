package given

// Slice is a slice that its caller gives away: nobody writes to it from then on. Only
// packages of this module can make one.
type Slice[T any] struct{ own []T }

// Away gives a slice away. An empty one keeps no memory alive.
func Away[T any](own []T) Slice[T] {
	if len(own) == 0 {
		return Slice[T]{}
	}
	return Slice[T]{own}
}

// Open returns the slice.
func (s Slice[T]) Open() []T { return s.own }
