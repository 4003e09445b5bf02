package fuzz_test

import (
	"fmt"

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

// A provider that does not accept secrets is tested with values that have none.
func ExamplePresence() {
	v := fuzz.Values(fuzz.Options{Secrets: fuzz.Without}).Example(7)
	none := fuzz.Without
	fmt.Println(v.ContainsSecret(), none == fuzz.With, value.Null().IsNull())
	// Output:
	// false false true
}
