package fuzz_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// Example draws one pair of bags for a test that needs something to look at.
func ExamplePair() {
	generator := fuzz.ObjectPairs(fuzz.Options{Style: fuzz.Plain})
	pair := generator.Example(1)
	fmt.Println(pair.Old.Kind(), pair.New.Kind(), pair.Edits >= 0)
	// Output:
	// object object true
}

// A pair knows how many edits lie between its sides; which kinds there are is a
// closed set.
func ExampleEdit() {
	unchanged := func(t *rapid.T) {
		pair := fuzz.ObjectPairs(fuzz.Options{}).Draw(t, "pair")
		if pair.Edits == 0 && !pair.Old.Equal(pair.New) {
			t.Fatal("no edits, and a difference")
		}
	}
	_ = unchanged // rapid.Check(t, unchanged)
	fmt.Println(fuzz.EditScalar < fuzz.EditReplace)
	// Output:
	// true
}

// A provider that does not accept secrets is tested with values that have none.
func ExamplePresence() {
	v := fuzz.Values(fuzz.Options{Secrets: fuzz.Without}).Example(7)
	none := fuzz.Without
	fmt.Println(v.ContainsSecret(), none == fuzz.With, value.Null().IsNull())
	// Output:
	// false false true
}
