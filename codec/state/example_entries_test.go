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

// What changed between two stack exports, which may be larger than the memory.
func ExampleCompare() {
	before := `{"version":3,"deployment":{"resources":[
		{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","inputs":{"size":1}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::db","type":"a:b:C","inputs":{"size":2}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::mail","type":"a:b:C"}]}}`
	after := `{"version":3,"deployment":{"resources":[
		{"urn":"urn:pulumi:dev::shop::a:b:C::web","type":"a:b:C","inputs":{"size":1}},
		{"urn":"urn:pulumi:dev::shop::a:b:C::db","type":"a:b:C","inputs":{"size":3},"protect":true},
		{"urn":"urn:pulumi:dev::shop::a:b:C::cache","type":"a:b:C","inputs":{"size":4}}]}}`

	c, err := state.Compare(strings.NewReader(before), strings.NewReader(after), state.CompareOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(c.Equal(), "unchanged")

	for d, err := range c.Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}

		switch d.Outcome {
		case state.Created:
			fmt.Println("created", d.New.URN)
		case state.Deleted:
			fmt.Println("deleted", d.Old.URN)
		case state.Updated:
			fmt.Println("updated", d.New.URN)

			for _, part := range []state.PartDiff{d.Metadata, d.Inputs, d.Outputs} {
				for change := range part.Diff.Changes() {
					old, _ := change.Old()
					now, _ := change.New()
					fmt.Println("   ", change.Path(), old, now)
				}
			}
		}
	}
	// Output:
	// 1 unchanged
	// updated urn:pulumi:dev::shop::a:b:C::db
	//     protect false true
	//     size 2 3
	// created urn:pulumi:dev::shop::a:b:C::cache
	// deleted urn:pulumi:dev::shop::a:b:C::mail
}
