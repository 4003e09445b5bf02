package state_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// TestCompareReferences: references to a renamed resource are counted, in every member that
// has any, and what else differs in them is still found.
func TestCompareReferences(t *testing.T) {
	const from, to, x = "urn:pulumi:s::p::a:b:C::a", "urn:pulumi:s::p::a:b:C::b", "urn:pulumi:s::p::a:b:C::x"
	stackOf := func(urn, members string) string {
		return exportWith("", `{"urn":"`+urn+`","type":"a:b:C","id":"i"}`, named("x", ""), named("y", strings.ReplaceAll(members, "REF", urn)))
	}
	for name, row := range map[string]struct {
		old, now            string // members; REF is the URN of the renamed resource
		times               bool
		references, changes int
	}{
		"all members": {
			`,"parent":"REF","provider":"REF::id","deletedWith":"REF","viewOf":"REF","dependencies":["REF"],"replaceWith":["REF"],"propertyDependencies":{"k":["REF"],"l":["REF"]}`,
			"", false, 8, 0,
		},
		"with --all":                {`,"parent":"REF","dependencies":["REF"]`, "", true, 0, 2},
		"another ID":                {`,"provider":"REF::id"`, `,"provider":"REF::other"`, false, 0, 1},
		"another order":             {`,"dependencies":["REF","` + x + `"]`, `,"dependencies":["` + x + `","REF"]`, false, 1, 0},
		"another order alone":       {`,"dependencies":["1","2"]`, `,"dependencies":["2","1"]`, false, 0, 2},
		"one more":                  {`,"dependencies":["REF"]`, `,"dependencies":["REF","` + x + `"]`, false, 1, 1},
		"one less":                  {`,"dependencies":["REF"]`, `,"dependencies":[]`, false, 0, 1},
		"to another":                {`,"parent":"REF"`, `,"parent":"` + x + `"`, false, 0, 1},
		"still the old one":         {`,"parent":"` + from + `"`, "", false, 0, 0},
		"both":                      {`,"dependencies":["` + from + `"]`, `,"dependencies":["` + from + `","` + to + `"]`, false, 0, 1},
		"aliases, which are of old": {`,"aliases":["REF"]`, "", false, 0, 1},
	} {
		if row.now == "" {
			row.now = row.old
		}
		c, err := state.Compare(strings.NewReader(stackOf(from, row.old)), strings.NewReader(stackOf(to, row.now)), state.CompareOptions{Renamed: true, Times: row.times})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range c.Resources() {
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(d.New.URN, "::y") {
				continue
			}
			if d.References != row.references || d.Metadata.Diff.Len() != row.changes || (d.Outcome == state.Unchanged) != (row.changes == 0) {
				t.Errorf("%s: %d references, %s: %v", name, d.References, d.Outcome, d.Metadata.Diff)
			}
		}
	}
}

// TestCompareRenamed pairs what was renamed by type and ID, where that is no guess among
// several.
func TestCompareRenamed(t *testing.T) {
	renamed := state.CompareOptions{Renamed: true}
	a, b := named("a", `,"id":"i","inputs":{"x":1}`), named("b", `,"id":"i","inputs":{"x":2}`)
	for i, c := range []compareRow{
		{exportWith("", a), exportWith("", b), renamed, []string{"0 equal, deployment unchanged", "b updated 1 1 0 0"}},
		{exportWith("", a), exportWith("", b), state.CompareOptions{}, []string{"0 equal, deployment unchanged", "b created 0 1 0 0", "a deleted 0 1 0 0"}},
		{exportWith("", a, named("c", `,"id":"i"`)), exportWith("", b), renamed, []string{"0 equal, deployment unchanged", "b created 0 1 0 0", "a deleted 0 1 0 0", "c deleted 0 0 0 0"}},
		{exportWith("", a), exportWith("", b, named("c", `,"id":"i"`)), renamed, []string{"0 equal, deployment unchanged", "b created 0 1 0 0", "c created 0 0 0 0", "a deleted 0 1 0 0"}},
		{exportWith("", a), exportWith("", a, b), renamed, []string{"1 equal, deployment unchanged", "b created 0 1 0 0"}},
		{exportWith("", a), exportWith("", named("b", `,"id":"j"`)), renamed, []string{"0 equal, deployment unchanged", "b created 0 0 0 0", "a deleted 0 1 0 0"}},
		{exportWith("", named("a", "")), exportWith("", named("b", "")), renamed, []string{"0 equal, deployment unchanged", "b created 0 0 0 0", "a deleted 0 0 0 0"}},
		{exportWith("", a), exportWith("", strings.Replace(b, "a:b:C", "a:b:D", 1)), renamed, []string{"0 equal, deployment unchanged", "b created 0 1 0 0", "a deleted 0 1 0 0"}},
		{exportWith("", named("a", `,"id":"i","delete":true`)), exportWith("", b), renamed, []string{"0 equal, deployment unchanged", "b created 0 1 0 0", "a deleted 0 0 0 0"}},
	} {
		if got := compared(t, c.old, c.now, c.options); !slices.Equal(got, c.want) {
			t.Errorf("row %d:\n got %q\nwant %q", i, got, c.want)
		}
	}
}
