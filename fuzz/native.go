package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz/internal/native"
)

// Native makes f a native fuzz target of a law:
//
//	func FuzzMine(f *testing.F) { fuzz.Native(f, mine) }
//
// The law draws from the bytes of an input and, when these are used up, from bytes that
// are derived from a hash of the input. The same input therefore always gives the same
// test, and even an empty input gives one. ([rapid.MakeFuzz] skips every input that is
// shorter than what the law draws.) The law is tried on the whole input, on its first
// half, its first quarter, and on the derived bytes alone. Draws are printed for a
// failing input only, since printing is slow.
//
// Native adds seeds of several lengths. Add more before the call, by f.Add([]byte).
//
// An input is skipped if the law, or a filter of a generator, rejects everything that was
// drawn.
//
// Native panics if law is nil.
func Native(f *testing.F, law func(*rapid.T)) {
	f.Helper()
	if law == nil {
		panic("fuzz: nil law")
	}

	for _, seed := range native.Seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		t.Helper()
		native.Run(t, law, input)
	})
}
