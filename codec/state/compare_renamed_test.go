package state_test

import (
	"fmt"
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

// TestCompareSecretOutputs: outputs that a resource lists as secret are compared as secrets,
// and so that one which the state has in clear on one side only is found.
func TestCompareSecretOutputs(t *testing.T) {
	listed := func(outputs string) string { return `,"additionalSecretOutputs":["pw","none"],"outputs":` + outputs }
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"xCANARYx\""}`
	clear1, clear2 := `{"pw":"xCANARYx","z":1}`, `{"pw":"xCANARY2x","z":1}`
	for name, row := range map[string]struct {
		old, now string
		want     string // the changes of outputs
	}{
		"changed":       {listed(clear1), listed(clear2), "~ pw: [secret] => [secret]"},
		"equal":         {listed(clear1), listed(strings.Replace(clear1, "1}", "1 }", 1)), ""},
		"container":     {listed(`{"pw":{"xCANARYx":1}}`), listed(`{"pw":{"xCANARYx":2}}`), "~ pw: [secret] => [secret]"},
		"became secret": {listed(clear1), listed(`{"pw":` + secret + `,"z":1}`), "~ pw: [secret]  # becomes secret"},
		"lost":          {listed(`{"pw":` + secret + `,"z":1}`), listed(clear1), "~ pw: [secret]  # no longer secret"},
		"listed first":  {`,"outputs":` + clear1, listed(clear2), "~ pw: [secret] => [secret]  # becomes secret"},
	} {
		c, err := state.Compare(strings.NewReader(exportWith("", named("a", row.old))), strings.NewReader(exportWith("", named("a", row.now))), state.CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range c.Resources() {
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Outputs.Diff.String(); got != row.want {
				t.Errorf("%s: %q", name, got)
			}
			if text := fmt.Sprint(d.Outputs.Diff, d.Metadata.Diff); strings.Contains(text, "CANARY") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}

	pending := func(outputs string) string {
		return exportWith(`"pending_operations":[{"type":"creating","resource":` + named("a", listed(outputs)) + `}],`)
	}
	c, err := state.Compare(strings.NewReader(pending(clear1)), strings.NewReader(pending(clear2)), state.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Deployment(); err != nil || p.Diff.Len() != 1 || strings.Contains(p.Diff.String(), "CANARY") {
		t.Error(p.Diff, err)
	}
}
