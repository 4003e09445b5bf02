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
		"another order alone":       {`,"dependencies":["1","2"]`, `,"dependencies":["2","1"]`, false, 0, 0},
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

// TestCompareAliases: a resource is paired with a deleted one that it has as an alias, whether
// it has an ID or not; one that is there stays what it is.
func TestCompareAliases(t *testing.T) {
	const alias = `,"aliases":["urn:pulumi:s::p::a:b:C::gone"]`
	for name, row := range map[string]struct {
		old, now []string
		want     string
	}{
		"a component":         {[]string{named("gone", "")}, []string{named("new", alias)}, "gone => new"},
		"another ID":          {[]string{named("gone", `,"id":"1"`)}, []string{named("new", `,"id":"2"`+alias)}, "gone => new"},
		"two with one alias":  {[]string{named("gone", "")}, []string{named("a", alias), named("b", alias)}, "gone => a, => b"},
		"still there":         {[]string{named("gone", "")}, []string{named("gone", `,"protect":true`), named("new", alias)}, "gone => gone, => new"},
		"the new one was too": {[]string{named("gone", ""), named("new", "")}, []string{named("new", alias)}, "new => new, gone =>"},
		"pending deletion":    {[]string{named("gone", `,"delete":true`)}, []string{named("new", alias)}, "=> new, gone =>"},
	} {
		c, err := state.Compare(strings.NewReader(exportWith("", row.old...)), strings.NewReader(exportWith("", row.now...)), state.CompareOptions{Renamed: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for d, err := range c.Resources() {
			if err != nil {
				t.Fatal(err)
			}
			text := "=>"
			if d.Old != nil {
				text = d.Old.URN[strings.LastIndex(d.Old.URN, ":")+1:] + " =>"
			}
			if d.New != nil {
				text += " " + d.New.URN[strings.LastIndex(d.New.URN, ":")+1:]
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, ", "), row.want)
		}
	}
}

// TestCompareInMemory: resources in memory are compared as those of files are.
func TestCompareInMemory(t *testing.T) {
	old := exportWith("", named("a", `,"id":"1","inputs":{"n":1}`), named("b", ""), named("c", `,"id":"2","delete":true`))
	now := exportWith("", named("b", ""), named("a", `,"id":"1","inputs":{"n":2}`), named("d", ""))
	read := func(text string) *state.Reader { return state.NewReader(strings.NewReader(text), state.Options{}) }
	c, err := state.CompareResources(read(old).Resources(), read(now).Resources(), state.CompareOptions{})
	if err != nil || c.NumEqual() != 0 {
		t.Fatal(c.NumEqual(), err)
	}
	var got []string
	for d, err := range c.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if pair := state.ComparePair(d.Old, d.New, state.CompareOptions{}); pair.Outcome != d.Outcome || !pair.Inputs.Diff.Equal(d.Inputs.Diff) {
			t.Errorf("as a pair: %v, not %v", pair.Outcome, d.Outcome)
		}
		got = append(got, d.Outcome.String())
	}
	if text := strings.Join(got, " "); text != "unchanged updated created deleted" {
		t.Error(text)
	}
	if d, err := c.Deployment(); err != nil || !d.Diff.Empty() {
		t.Error(d.Diff, err)
	}
	if _, err := state.CompareResources(read(old).Resources(), read(now[:len(now)-9]).Resources(), state.CompareOptions{NewName: "now.json"}); err == nil || !strings.HasPrefix(err.Error(), "now.json: ") {
		t.Errorf("a file that is cut off: %v", err)
	}
	if d := state.ComparePair(nil, nil, state.CompareOptions{}); d.Outcome != state.Unchanged {
		t.Error(d.Outcome)
	}
}
