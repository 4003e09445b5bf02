package fuzz_test

import (
	"fmt"

	"github.com/propalg/propalg/fuzz"
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
func ExampleOptions_noSecrets() {
	v := fuzz.Values(fuzz.Options{NoSecrets: true}).Example(7)
	fmt.Println(v.ContainsSecret())
	// Output:
	// false
}
