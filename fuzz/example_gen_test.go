package fuzz_test

import (
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
)

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

	data, err := rpc.Append(nil, m, rpc.Options{})
	if err != nil {
		panic(err)
	}

	fmt.Println(rpc.Decode(data, rpc.New(rpc.Name(m)), rpc.Options{}))
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
