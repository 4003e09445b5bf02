package state_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
)

// TestDependents: with its dependents a resource can be deleted, and without any of them it
// cannot, whatever refers to what.
func TestDependents(t *testing.T) {
	found := 0
	for range 5 { // a hundred files each
		rapid.Check(t, func(t *rapid.T) {
			source := drawnFile(t)
			var names []string
			for e, err := range state.NewReader(strings.NewReader(source), state.Options{}).Entries() {
				if err != nil {
					t.Fatal(err)
				}
				if names == nil || rapid.IntRange(0, 4).Draw(t, "deleted") == 0 {
					names = append(names, e.URN+"#1")
				}
			}
			all, err := state.Dependents(strings.NewReader(source), names...)
			if err != nil {
				t.Fatal(err)
			}

			for _, each := range all {
				found++
				names = append(names, each.Resource)
			}
			rewrite := func(names []string) error {
				_, err := state.Rewrite(strings.NewReader(source), io.Discard, state.Edits{Delete: names, Protected: true})
				return err
			}
			if err := rewrite(names); err != nil {
				t.Fatalf("%s: %v without %v", source, err, names)
			}
			for i := len(names) - len(all); i < len(names); i++ {
				if err := rewrite(slices.Delete(slices.Clone(names), i, i+1)); !errors.Is(err, state.ErrEdit) {
					t.Fatalf("%s: %s could stay: %v", source, names[i], err)
				}
			}
		})
	}
	if found < 100 {
		t.Errorf("%d dependents in all", found)
	}
}

// TestDependentsOfAChain takes time in proportion to a chain in which each resource refers to
// the next, and to what has one URN.
func TestDependentsOfAChain(t *testing.T) {
	kit.Grows(t, "Dependents", 2000, func(n int) func() {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,{"urn":"urn:pulumi:s::p::a:b:C::r%d","type":"a:b:C","parent":"urn:pulumi:s::p::a:b:C::r%d"}`, i, i+1)
		}
		text := `{"version":3,"deployment":{"resources":[` + b.String()[1:] + `,{"urn":"urn:pulumi:s::p::a:b:C::r` + fmt.Sprint(n) + `","type":"a:b:C"}]}}`
		return func() {
			all, err := state.Dependents(strings.NewReader(text), "urn:pulumi:s::p::a:b:C::r"+fmt.Sprint(n))
			if err != nil || len(all) != n {
				t.Error(len(all), err)
			}
		}
	})
}

func ExampleDependents() {
	text := `{"version": 3, "deployment": {"resources": [
		{"urn": "urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::net", "type": "aws:ec2/vpc:Vpc"},
		{"urn": "urn:pulumi:dev::shop::aws:ec2/subnet:Subnet::a", "type": "aws:ec2/subnet:Subnet",
		 "dependencies": ["urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::net"]}]}}`

	all, err := state.Dependents(strings.NewReader(text), "urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::net")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, each := range all {
		fmt.Println(each.Resource, each.Fields)
	}
	// Output: urn:pulumi:dev::shop::aws:ec2/subnet:Subnet::a [dependencies]
}
