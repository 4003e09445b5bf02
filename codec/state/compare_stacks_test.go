package state_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// TestCompareAcrossStacks compares a stack with itself under another name: URNs in
// metadata are no difference, IDs are left out, and what differs is still found.
func TestCompareAcrossStacks(t *testing.T) {
	stackOf := func(name, id, size string) string {
		urn := func(rest string) string { return `"urn:pulumi:` + name + `::p::` + rest + `"` }
		return exportWith("",
			`{"urn":`+urn("pulumi:pulumi:Stack::p-"+name)+`,"type":"pulumi:pulumi:Stack"}`,
			`{"urn":`+urn("pulumi:providers:a::default")+`,"type":"pulumi:providers:a","custom":true,"id":"`+id+`"}`,
			`{"urn":`+urn("a:b:C::one")+`,"type":"a:b:C","custom":true,"id":"i-`+id+`","parent":`+urn("pulumi:pulumi:Stack::p-"+name)+
				`,"provider":"urn:pulumi:`+name+`::p::pulumi:providers:a::default::`+id+`","aliases":[`+urn("a:b:C::was")+`],"inputs":{"size":`+size+`}}`,
			`{"urn":`+urn("a:b:C::two")+`,"type":"a:b:C","custom":true,"id":"j","dependencies":[`+urn("a:b:C::one")+`],"propertyDependencies":{"x":[`+urn("a:b:C::one")+
				`]},"deletedWith":`+urn("a:b:C::one")+`,"viewOf":`+urn("a:b:C::one")+`,"replaceWith":[`+urn("a:b:C::one")+`]}`,
		)
	}
	across := state.CompareOptions{AcrossStacks: true}
	for i, c := range []compareRow{
		{stackOf("dev", "1", "3"), stackOf("prod", "1", "3"), across, []string{
			"0 equal, deployment unchanged",
			"p-prod unchanged 0 0 0 0", "default unchanged 0 0 0 0", "one unchanged 0 0 0 0", "two unchanged 0 0 0 0",
		}},
		{stackOf("dev", "1", "3"), stackOf("prod", "2", "4"), across, []string{
			"0 equal, deployment unchanged",
			"p-prod unchanged 0 0 0 0", "default unchanged 0 0 0 1", "one updated 0 1 0 1", "two unchanged 0 0 0 0",
		}},
		{stackOf("dev", "1", "3"), stackOf("prod", "2", "3"), state.CompareOptions{AcrossStacks: true, Times: true}, []string{
			"0 equal, deployment unchanged",
			"p-prod unchanged 0 0 0 0", "default updated 1 0 0 0", "one updated 1 0 0 0", "two unchanged 0 0 0 0",
		}},
		{stackOf("dev", "1", "3"), stackOf("dev", "1", "3"), across, []string{"4 equal, deployment unchanged"}},
		{
			stackOf("dev", "1", "3"), strings.Replace(stackOf("prod", "1", "3"), `"dependencies":["urn:pulumi:prod::p::a:b:C::one"]`, `"dependencies":["urn:pulumi:prod::p::a:b:C::other"]`, 1), across,
			[]string{"0 equal, deployment unchanged", "p-prod unchanged 0 0 0 0", "default unchanged 0 0 0 0", "one unchanged 0 0 0 0", "two updated 1 0 0 0"},
		},
		{exportWith(""), stackOf("prod", "1", "3"), across, []string{"0 equal, deployment unchanged", "p-prod created 0 0 0 0", "default created 0 0 0 0", "one created 0 1 0 0", "two created 0 0 0 0"}},
	} {
		if got := compared(t, c.old, c.now, c.options); !slices.Equal(got, c.want) {
			t.Errorf("row %d:\n got %q\nwant %q", i, got, c.want)
		}
	}
}

// TestCompareAcrossStacksProperties: references in properties that differ in the name of the
// stack alone are no difference, wherever they are; others are.
func TestCompareAcrossStacksProperties(t *testing.T) {
	reference := func(stack, rest string) string {
		return `{"` + codec.SignatureKey + `":"5cf8f73096256a8f31e491e813e4eb8e","urn":"urn:pulumi:` + stack + `::p::a:b:C::` + rest + `}`
	}
	secret := func(of string) string {
		return `{"` + codec.SignatureKey + `":"1b47061264138c4ac30d75fd1eb44270","value":` + of + `}`
	}
	dev, prod := reference("dev", `x","id":"1"`), reference("prod", `x","id":"1"`)
	for name, row := range map[string]struct {
		old, now string
		want     int // changes
	}{
		"a member":         {`{"r":` + dev + `}`, `{"r":` + prod + `}`, 0},
		"and another":      {`{"a":1,"r":` + dev + `}`, `{"a":2,"r":` + prod + `}`, 1},
		"deep":             {`{"a":[{"r":[` + dev + `]}]}`, `{"a":[{"r":[` + prod + `]}]}`, 0},
		"secret":           {`{"a":` + secret(`{"r":`+dev+`}`) + `}`, `{"a":` + secret(`{"r":`+prod+`}`) + `}`, 0},
		"became secret":    {`{"r":` + dev + `}`, `{"r":` + secret(prod) + `}`, 1},
		"another name":     {`{"r":` + dev + `}`, `{"r":` + reference("prod", `y","id":"1"`) + `}`, 1},
		"another ID":       {`{"r":` + dev + `}`, `{"r":` + reference("prod", `x","id":"2"`) + `}`, 1},
		"another package":  {`{"r":` + dev + `}`, `{"r":` + reference("prod", `x","id":"1","packageVersion":"2"`) + `}`, 1},
		"of a third stack": {`{"r":` + reference("other", `x","id":"1"`) + `}`, `{"r":` + prod + `}`, 1},
		"a text":           {`{"r":"urn:pulumi:dev::p::a:b:C::x"}`, `{"r":"urn:pulumi:prod::p::a:b:C::x"}`, 0},
		"one more":         {`{"r":[` + dev + `]}`, `{"r":[` + prod + `,1]}`, 1},
	} {
		stack := func(name, inputs string) string {
			return exportWith("", `{"urn":"urn:pulumi:`+name+`::p::a:b:C::n","type":"a:b:C","inputs":`+inputs+`,"outputs":`+inputs+`}`)
		}
		c, err := state.Compare(strings.NewReader(stack("dev", row.old)), strings.NewReader(stack("prod", row.now)), state.CompareOptions{AcrossStacks: true})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range c.Resources() {
			if err != nil || d.Inputs.Diff.Len() != row.want || d.Outputs.Diff.Len() != row.want || (d.Outcome == state.Unchanged) != (row.want == 0) {
				t.Errorf("%s: %v, %v: %v", name, err, d.Outcome, d.Inputs.Diff)
			}
		}
	}
}
