package state_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/state"
)

// Which resources of two large exports differ, without holding either of them in
// memory: equal digests are equal texts, and only the others are read.
func ExampleEntry() {
	before := `{"version":3,"deployment":{"resources":[
		{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","inputs":{"n":1}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::db","type":"a:b:C","inputs":{"n":2}}]}}`
	after := strings.Replace(before, `"n":2`, `"n":3`, 1)

	was := map[string]state.Entry{}
	for e, err := range state.NewReader(strings.NewReader(before), state.Options{}).Entries() {
		if err != nil {
			fmt.Println(err)
			return
		}
		was[e.URN] = e
	}
	for e, err := range state.NewReader(strings.NewReader(after), state.Options{}).Entries() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if e.Digest == was[e.URN].Digest {
			continue
		}
		now, err := e.Resource()
		if err != nil {
			fmt.Println(err)
			return
		}
		old, err := was[e.URN].Reread(strings.NewReader(before), state.Options{})
		fmt.Println(e.URN, old.Inputs, now.Inputs, err)
	}
	// Output:
	// urn:pulumi:dev::shop::a:b:C::db {n: 2} {n: 3} <nil>
}
