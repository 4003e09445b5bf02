package state_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/propalg/propalg/codec/state"
)

// findings returns what Check finds, a finding a line: the code, the record, the place and
// what is meant, with "…" for the beginning of the URNs of these tests, and "!" where a warning
// is an error.
func findings(t testing.TB, text string) []string {
	t.Helper()
	var all []string
	for f, err := range state.Check(strings.NewReader(text), state.CheckOptions{Protects: func(typ string) bool { return typ == "a:b:DB" }}) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Code == "urn-malformed" && f.Severity == state.SeverityError {
			f.Code += "!"
		}
		line := strings.Join([]string{f.Code, f.Resource(), f.At.String(), f.Detail}, " ")
		all = append(all, strings.TrimRight(strings.ReplaceAll(line, home, "…"), " "))
	}
	return all
}

const home = "urn:pulumi:dev::shop::"

// rec is a sound record with more members.
func rec(name string, more ...string) string {
	return `{` + strings.Join(append([]string{`"urn":"` + home + `a:b:C::` + name + `","type":"a:b:C","custom":true,"id":"` + name + `-1"`}, more...), ",") + `}`
}

// other is a record with a URN, a type and more members.
func other(urn, typ string, more ...string) string {
	return `{` + strings.Join(append([]string{`"urn":"` + urn + `","type":"` + typ + `"`}, more...), ",") + `}`
}

// aws is the record of a provider.
func aws(name, version string) string {
	return other(home+"pulumi:providers:aws::"+name, "pulumi:providers:aws", `"custom":true,"id":"p","inputs":{"version":"`+version+`"}`)
}

// uses is a member that refers to that.
func uses(name string) string {
	return `"provider":"` + home + `pulumi:providers:aws::` + name + `::p"`
}

func refersTo(member, name string) string {
	return `"` + member + `":"` + home + `a:b:C::` + name + `"`
}

func deployed(members string, records ...string) string {
	return `{"version":3,"deployment":{` + members + `,"resources":[` + strings.Join(records, ",") + `]}}`
}

func inClear(text string) string { return `{` + asSecret + `,"plaintext":"\"` + text + `\""}` }

// Every rule is found where it is broken, and nothing else is.
func TestCheckRules(t *testing.T) {
	covered := map[string]bool{}
	for _, row := range checkRows() {
		if diff := cmp.Diff(row.want, findings(t, row.text)); diff != "" {
			t.Errorf("%s: %s", row.here, diff)
		}
		for _, line := range row.want {
			code, _, _ := strings.Cut(line, " ")
			covered[code] = true
		}
	}
	for r := range state.Rules() {
		if !covered[r.Code] {
			t.Error("no row has " + r.Code)
		}
	}
}

type checkRow struct {
	here, text string
	want       []string
}

func checkRows() []checkRow { return slices.Concat(refusedRows(), documentRows(), laterRows()) }

func refusedRows() []checkRow {
	a := home + "a:b:C::a"
	return []checkRow{
		{here(), export(rec("a"), rec("b", refersTo("parent", "a"), `"dependencies":["`+a+`"]`)), []string{"parent-type …a:b:C::b parent …a:b:C::a"}},
		{here(), export(other(home+"pulumi:pulumi:Stack::s", "pulumi:pulumi:Stack"), rec("a", `"parent":"`+home+`pulumi:pulumi:Stack::s"`)), nil},
		{here(), export(rec("a"), other(home+"a:b:C$a:b:C::b", "a:b:C", refersTo("parent", "a"))), nil},

		{here(), export(rec("a", `"protect":5`), rec("b", refersTo("deletedWith", "a"))), []string{"unreadable …a:b:C::a protect malformed field: expected bool, found number"}},
		{here(), export(`{"type":"a:b:C"}`, rec("a")), []string{"unreadable  urn malformed field: expected string, found none"}},
		{here(), export(`{"urn":"` + a + `","custom":true,"id":"1"}`), []string{"type-missing …a:b:C::a"}},
		{here(), export(other(a, "a:b:C", `"id":"1"`)), []string{"component-id …a:b:C::a id"}},
		{here(), export(other("a", "a:b:C"), other("urn:pulumi:a::b::c", "a:b:C")), []string{"urn-malformed a urn", "urn-malformed urn:pulumi:a::b::c urn"}},
		{here(), export(rec("a"), other("b", "a:b:C", refersTo("parent", "a"))), []string{"urn-malformed! b urn"}},
		{here(), export(other("b", "a:b:C"), rec("a", `"parent":"b"`)), []string{"urn-malformed b urn", "parent-malformed …a:b:C::a parent b"}},

		{here(), export(rec("a"), rec("a", `"delete":true`), rec("b")), nil},
		{here(), export(rec("a", `"delete":true`), rec("a", `"delete":true`), rec("a")), nil},
		{here(), export(rec("a", `"delete":true`), other(a, "a:b:C"), other(a, "a:b:C"), other(a, "a:b:C")), []string{"urn-twice …a:b:C::a#3 urn …a:b:C::a#2", "urn-twice …a:b:C::a#4 urn …a:b:C::a#2"}},

		{here(), export(rec("a", refersTo("parent", "x"))), []string{"parent-missing …a:b:C::a parent …a:b:C::x"}},
		{here(), export(rec("a", refersTo("parent", "b")), rec("b")), []string{"parent-order …a:b:C::a parent …a:b:C::b"}},
		{here(), export(rec("a", refersTo("parent", "a"))), []string{"refers-to-itself …a:b:C::a parent …a:b:C::a"}},
		{here(), export(rec("a", refersTo("deletedWith", "x"), `"replaceWith":["x"]`, `"dependencies":["x","`+a+`"]`, `"propertyDependencies":{"q":["x"],"p":["`+home+`a:b:C::b"]}`), rec("b")), []string{
			"dependency-missing …a:b:C::a dependencies[0] x",
			"refers-to-itself …a:b:C::a dependencies[1] …a:b:C::a",
			"property-dependency-order …a:b:C::a propertyDependencies.p[0] …a:b:C::b",
			"property-dependency-missing …a:b:C::a propertyDependencies.q[0] x",
			"deleted-with-missing …a:b:C::a deletedWith …a:b:C::x",
			"replace-with-missing …a:b:C::a replaceWith[0] x",
		}},
		{here(), export(rec("a", refersTo("deletedWith", "b"), `"replaceWith":["`+home+`a:b:C::b"]`, `"dependencies":["`+home+`a:b:C::b"]`), rec("b")), []string{
			"dependency-order …a:b:C::a dependencies[0] …a:b:C::b",
			"deleted-with-order …a:b:C::a deletedWith …a:b:C::b",
			"replace-with-order …a:b:C::a replaceWith[0] …a:b:C::b",
		}},

		{here(), export(aws("p", ""), rec("a", uses("p"))), nil},
		{here(), export(rec("a", uses("p")), aws("p", "")), []string{"provider-order …a:b:C::a provider …pulumi:providers:aws::p::p"}},
		{here(), export(rec("a", uses("p"), `"pendingReplacement":true`)), nil},
		{here(), export(rec("a", uses("p"), `"delete":true`)), []string{"provider-missing …a:b:C::a provider …pulumi:providers:aws::p::p"}},
		{here(), export(rec("a", `"provider":"`+a+`::x"`)), []string{"provider-malformed …a:b:C::a provider …a:b:C::a::x"}},
		{here(), export(rec("a", `"provider":"p"`)), []string{"provider-malformed …a:b:C::a provider p"}},
		{here(), export(other(home+"a:b:C::p", "pulumi:providers:aws", `"custom":true,"id":"p"`)), []string{"provider-unusable …a:b:C::p urn", "type-differs …a:b:C::p type"}},
	}
}

func documentRows() []checkRow {
	return []checkRow{
		{here(), `{"version":4,"features":["views","x"],"deployment":{"resources":[]}}`, []string{"feature-unknown  features[1] x"}},
		{here(), `{"version":3,"latest":{"resources":[]}}`, []string{"unreadable  version an old checkpoint has no version"}},
		{here(), deployed(`"manifest":{"version":"v3","magic":"x"}`), []string{"magic-mismatch  manifest.magic"}},
		{here(), deployed(`"manifest":{"version":"v3.259.0","magic":"e7cbc6ecb8f4ee9a8b9f2a1c9d6a"}`), []string{"magic-mismatch  manifest.magic"}},
		{here(), deployed(`"manifest":5`), []string{"unreadable  manifest malformed field: expected object, found number"}},
		{here(), deployed(`"manifest":{"plugins":[{"version":"1"},{"version":"v1.2.3-a"},{"version":"1-a"},{"version":"x"}]}`), []string{"plugin-version  manifest.plugins[2] 1-a", "plugin-version  manifest.plugins[3] x"}},
		{here(), deployed(`"snippets":[{"uuid":"a"},{},{"uuid":"a"}]`), []string{"snippet-id-missing  snippets[1]", "snippet-id-twice  snippets[2]"}},
		{here(), deployed(`"pending_operations":[{"type":"creating","resource":{"urn":"` + home + `a:b:C::a","id":"1"}}]`), []string{
			"pending-operation …a:b:C::a pending_operations[0] creating", "type-missing …a:b:C::a pending_operations[0]", "component-id …a:b:C::a pending_operations[0]",
		}},
		{here(), deployed(`"metadata":{"integrity_error":{"error":"canary"}}`), []string{"integrity-error  metadata"}},
		{here(), export(rec("a", `"inputs":{"p":{`+asSecret+`,"ciphertext":"v1:x"}}`)), []string{"secrets-provider-missing  secrets_providers"}},
		{here(), deployed(`"secrets_providers":{"type":"b64"}`, rec("a", `"inputs":{"p":{`+asSecret+`,"ciphertext":""}}`)), []string{"unreadable …a:b:C::a inputs.p a secret without contents"}},
		{here(), deployed(`"secrets_providers":{"type":"b64"}`, rec("a", `"inputs":{"p":{`+asSecret+`,"ciphertext":"v1:x"}}`)), nil},
	}
}

func laterRows() []checkRow {
	secretly := func(name, member, text string) string {
		return rec(name, `"`+member+`":{"p":`+inClear(text)+`}`)
	}
	clearly := func(name, text string) string { return rec(name, `"inputs":{"q":["`+text+`"]}`) }
	return []checkRow{
		{here(), export(other(home+"a:b:C::a", "a:b:D")), []string{"type-differs …a:b:C::a type"}},
		{here(), export(rec("a", refersTo("viewOf", "x")), rec("b", refersTo("viewOf", "c")), rec("c")), []string{"view-of-missing …a:b:C::a viewOf …a:b:C::x"}},
		{here(), export(other(home+"a:b:C::a", "a:b:C", `"custom":true`)), []string{"id-missing …a:b:C::a"}},
		{here(), export(rec("a", `"dependencies":["",""]`)), []string{"dependency-empty …a:b:C::a dependencies[0]", "dependency-empty …a:b:C::a dependencies[1]"}},
		{here(), export(rec("a"), rec("b", `"dependencies":["`+home+`a:b:C::a"]`, `"replaceWith":["","`+home+`a:b:C::a"]`)), []string{"dependency-empty …a:b:C::b replaceWith[0]"}},
		{here(), export(rec("a"), rec("b", `"dependencies":["`+home+`a:b:C::a","`+home+`a:b:C::a"]`)), []string{"dependency-twice …a:b:C::b dependencies[1] …a:b:C::a"}},

		{here(), export(rec("a"), other(home+"a:b:C::b", "a:b:C", `"custom":true,"id":"a-1"`)), []string{"id-twice …a:b:C::b id …a:b:C::a"}},
		{here(), export(rec("a"), other(home+"a:b:C::b", "a:b:C", `"custom":true,"external":true,"id":"a-1"`), other(home+"a:b:D::b", "a:b:D", `"custom":true,"id":"a-1"`)), nil},
		{here(), export(aws("p", ""), aws("q", ""), rec("a", uses("p")), other(home+"a:b:C::b", "a:b:C", `"custom":true,"id":"a-1"`, uses("q"))), nil},
		{here(), export(aws("default", ""), aws("default_2", ""), rec("a", uses("default")), other(home+"a:b:C::b", "a:b:C", `"custom":true,"id":"a-1"`, uses("default_2"))), []string{"id-twice …a:b:C::b id …a:b:C::a"}},

		{here(), export(rec("a", `"additionalSecretOutputs":["p","q","r","s","t"],"outputs":{"p":"x","q":`+inClear("x")+`,"r":null,"s":""}`)), []string{"secret-output-clear …a:b:C::a outputs.p"}},
		{here(), export(clearly("a", "pass-word"), secretly("b", "outputs", "pass-word")), []string{"secret-clear …a:b:C::a inputs.q[0] …a:b:C::b outputs.p"}},
		{here(), export(rec("a"), rec("a", `"delete":true`, `"inputs":{"q":"p\u0061ss\\\"word"}`), secretly("b", "inputs", `pass\\\\\\\"word`)), []string{"secret-clear …a:b:C::a#2 inputs.q …a:b:C::b inputs.p"}},
		{here(), export(secretly("a", "inputs", "postgres"), clearly("b", "postgres"), secretly("c", "inputs", "1234567"), clearly("d", "1234567")), nil},
		{here(), export(rec("a", `"inputs":{"p":{`+asSecret+`,"plaintext":"[\"pass-word\"]"}}`), clearly("b", "pass-word")), nil},

		{here(), export(rec("a", `"ignoreChanges":["p","q[*].r","x","["],"inputs":{"p":null},"outputs":{"q":[{},{"r":1}]}`)), []string{"ignore-changes-unmatched …a:b:C::a ignoreChanges[2] x", "ignore-changes-malformed …a:b:C::a ignoreChanges[3] ["}},
		{here(), export(aws("p", "1.0.0"), rec("a")), []string{"provider-unused …pulumi:providers:aws::p"}},
		{here(), export(aws("p", "1.0.0"), other(home+"aws:x:C::c", "aws:x:C")), nil},
		{here(), export(aws("p", "1.9.0"), aws("q", "1.10.0"), rec("a", uses("p")), rec("b", uses("q"))), []string{"provider-versions …pulumi:providers:aws::p  1.10.0"}},
		{here(), export(other(home+"a:b:DB::a", "a:b:DB", `"custom":true,"id":"1"`), other(home+"a:b:DB::b", "a:b:DB", `"custom":true,"id":"2","protect":true`), rec("c")), []string{"unprotected …a:b:DB::a"}},
	}
}

// What Check finds in the ten real files. Engines refuse three of them: they are of engines
// that put parents after their children.
func TestCheckRealFiles(t *testing.T) {
	got := map[string]int{}
	for name, data := range files(t) {
		for f, err := range state.Check(bytes.NewReader(data), state.CheckOptions{}) {
			if err != nil {
				t.Fatal(filepath.Base(name), err)
			}
			got[f.Code]++
		}
	}
	want := map[string]int{"parent-order": 86, "parent-type": 1, "provider-unused": 4, "provider-versions": 6}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A file that ends too early is an error, and so is none; a loop may be left.
func TestCheckEnds(t *testing.T) {
	whole := export(rec("a", refersTo("parent", "x")), other("b", "a:b:C"), other("c", "a:b:C"))
	n := 0
	for range state.Check(strings.NewReader(whole), state.CheckOptions{}) {
		n++
		break
	}
	if n != 1 {
		t.Error(n)
	}
	var last error
	for _, err := range state.Check(strings.NewReader(whole[:len(whole)-3]), state.CheckOptions{}) {
		last = err
	}
	if e := (*state.Error)(nil); !errors.As(last, &e) || e.Resources != 3 {
		t.Error(last)
	}
	for _, err := range state.Check(nil, state.CheckOptions{}) {
		if !errors.Is(err, state.ErrRead) {
			t.Error(err)
		}
	}
}

// Finding says in one line what is wrong and where.
func TestFindingString(t *testing.T) {
	for f := range state.Check(strings.NewReader(export(rec("a", refersTo("parent", "x")))), state.CheckOptions{}) {
		want := "error: " + home + "a:b:C::a: parent: parent-missing: " + home + "a:b:C::x: no record has this URN; restore the record, or take the reference out"
		if f.String() != want || f.Offset != 40 {
			t.Error(f, f.Offset)
		}
	}
}
