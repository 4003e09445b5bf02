package fuzz_test

import (
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// A script knows what was done, so that a diff of one's own can be measured by it.
func ExampleScript() {
	scripts := fuzz.Scripts(fuzz.Options{Style: fuzz.RealLike})

	for seed := range 100 {
		s := scripts.Example(seed)
		if d := diff.Between(s.Old, s.New, diff.Options{}); d.Len() != len(s.Steps) {
			fmt.Printf("%d changes, and %d steps: %v", d.Len(), len(s.Steps), s.Steps)
		}
	}
	// Output:
}

// A step of a script says what it did, as Go.
func ExampleScriptStep() {
	s := fuzz.ScriptStep{Op: diff.OpDelete}
	fmt.Println(s.Op, s.At.IsRoot(), s.New.Equal(value.Null()))
	// Output:
	// delete true true
}

// A server of the protocol is given broken bags, to see that it says so.
func ExampleDamaged() {
	broken := 0
	generator := fuzz.Damaged(fuzz.BagBytes(fuzz.Options{Style: fuzz.RealLike}))

	for seed := range 100 {
		if _, err := codec.Decode(generator.Example(seed), codec.Options{}); err != nil {
			broken++
		}
	}

	fmt.Println(broken > 10, broken < 90)
	// Output:
	// true true
}

// Messages of every type, to see that a proxy passes on what it does not know.
func ExampleMessages() {
	m := fuzz.Messages(fuzz.Options{NoSecrets: true}).Example(3)

	data, err := rpc.Marshal(m, rpc.Options{})
	if err != nil {
		panic(err)
	}

	fmt.Println(rpc.Unmarshal(data, rpc.New(rpc.Name(m)), rpc.Options{}))
	// Output:
	// <nil>
}

// Example draws one pair of bags for a test that needs something to look at.
func ExamplePair() {
	generator := fuzz.ObjectPairs(fuzz.Options{Style: fuzz.Plain})
	pair := generator.Example(1)
	fmt.Println(pair.Old.Kind(), pair.New.Kind(), pair.Edits >= 0)
	// Output:
	// object object true
}
