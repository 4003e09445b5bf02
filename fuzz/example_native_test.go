package fuzz_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
)

// A law of your own as a native target: go test -fuzz=FuzzReadsBack
// -fuzzminimizetime=5x.
func ExampleNative() {
	FuzzReadsBack := func(f *testing.F) { //nolint:thelper // in your tests a function: func FuzzReadsBack(f *testing.F) {
		fuzz.Native(f, func(t *rapid.T) {
			bag := fuzz.Objects(fuzz.Options{Style: fuzz.RealLike}).Draw(t, "bag")

			text, err := codec.AppendJSON(nil, bag, codec.Options{})
			if err != nil {
				t.Skip("has no JSON text")
			}

			if back, err := codec.DecodeJSONValue(text, codec.Options{}); err != nil || !back.Identical(bag) {
				t.Fatalf("%s reads back as %s, %v", text, fuzz.GoSource(back), err)
			}
		})
	}

	_ = FuzzReadsBack
	// Output:
}
