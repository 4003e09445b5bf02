// Package veil holds pointers that printers do not follow.
//
// What a type keeps in unexported fields is not hidden. A type's methods decide only
// what fmt, log/slog and encoding/json show of it, and only where these call them: not
// in an unexported field of a caller's struct, and not under %p, %w or a verb that
// does not fit. Printers made for tests (go-cmp, testify's assertions, spew,
// kr/pretty, pp, litter) do not ask at all: they read unexported fields, and follow
// pointers, slices, maps and interfaces as far as they lead.
//
// None of them can follow an unsafe.Pointer. It has no element type, so that package
// reflect offers nothing to read, and all that is left to print is an address. So
// whatever may be secret, or a part of something secret, is held by one: a
// text, a tree, a number. (A func hides as well, but makes its struct one that cannot
// be compared, and costs a closure; a pointer to a pointer stops fmt and nothing else.)
//
// The package is also the argument for why that is safe. A [Pointer] is made of a *T
// by [Hide] only, [Pointer.Open] gives back that *T, and the type parameter keeps the
// two together, as with sync/atomic.Pointer. Being an unsafe.Pointer it keeps what it
// points to alive. Package value, whose values keep different things at the end of one
// pointer, has its own argument in value/rep.go.
package veil

import "unsafe"

// Pointer is a pointer to a T that no printer follows. Two are equal (==) if they
// point to the same variable. The zero Pointer is nil.
type Pointer[T any] struct {
	_ [0]*T // no conversion between Pointers to different types
	p unsafe.Pointer
}

// Hide returns a Pointer to what p points to.
func Hide[T any](p *T) Pointer[T] { return Pointer[T]{p: unsafe.Pointer(p)} }

// Open returns the pointer that was hidden.
func (p Pointer[T]) Open() *T { return (*T)(p.p) }

// Slice is a slice that no printer follows. Its length is not hidden. The zero Slice
// is nil.
type Slice[T any] struct {
	_ [0]*T
	p unsafe.Pointer
	_ [2]int // length and capacity
}

// Next appends the zero T, and returns where it is. An append of a large struct writes it
// to the stack in small pieces and reads it back in larger ones, for which the processor
// waits.
func (s *Slice[T]) Next() *T {
	own := s.Open()
	*own = append(*own, *new(T))
	return &(*own)[len(*own)-1]
}

// Open returns the slice, which may be changed through the pointer. It relies on what
// a slice is in memory: a pointer, a length and a capacity, as in reflect.SliceHeader.
func (s *Slice[T]) Open() *[]T { return (*[]T)(unsafe.Pointer(&s.p)) }

// Header is a string, a slice of bytes or a map that no printer follows. It takes no
// memory beside itself, as a Pointer to one would. A length is not hidden. The zero
// Header is the zero T.
type Header[T string | []byte | map[string]string] struct {
	_    [0]func(*T) // neither ==, which would compare memory, nor a conversion
	p    unsafe.Pointer
	rest [2]int //nolint:unused // length and capacity, as far as a T has them
}

// Open returns the variable, which may be changed through the pointer. It relies on what
// a T is in memory: a pointer, followed by at most a length and a capacity.
func (h *Header[T]) Open() *T { return (*T)(unsafe.Pointer(&h.p)) }
