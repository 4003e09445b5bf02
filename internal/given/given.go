// Package given takes over bytes and slices that a caller has given away, and makes texts
// of bytes without copying them.
//
// Why that is safe: the caller of a decoder with OwnBytes promises that nobody changes
// the bytes from then on, so a string that points to them never changes. Strings keep
// the bytes alive as any pointer does. With the build tag propalg_overwrite, callers that
// break the promise are found; see [Bytes].
package given

import "unsafe"

// Text returns the text of data without a copy if given is set; otherwise a copy of
// bytes, or a string as it is.
func Text[T ~string | ~[]byte](data T, given bool) string {
	if !given || unsafe.Sizeof(data) == unsafe.Sizeof("") { // a string needs no copy
		return string(data)
	}
	return Alias(Bytes([]byte(data)))
}

// Alias returns a string that shares the memory of data, which never changes.
func Alias(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

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
