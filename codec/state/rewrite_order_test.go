package state_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestRewriteInsideTexts: URNs in a plaintext, and in a bag that is edited too, are renamed
// in whatever order their members are. Members named urn and plaintext are URNs like
// others, unless a signature says what they are, and that may come last.
func TestRewriteInsideTexts(t *testing.T) {
	secret := func(inner string) string { return `{"plaintext":` + quoted(t, inner) + `,` + asSecret + `}` }
	edit := state.PropertyEdit{Resource: urnA, Bag: "inputs", At: path.MustParse("new"), Value: value.Number(1)}

	for _, row := range []struct{ at, bag string }{
		{here(), `{"id":"1","urn":"URN","via":"URN"}`},
		{here(), `{"urn":"URN","plaintext":"URN","via":["URN",{"plaintext":"URN","a":"URN"}]}`},
		{here(), `{"a":` + secret(`{"urn":"URN","plaintext":"URN","via":["URN"]}`) + `,"b":"URN"}`},
		{here(), `{"a":{"urn":"URN","inner":` + secret(`["URN",{"urn":"URN","b":"URN"}]`) + `,` + asReference + `}}`},
		{here(), `{"a":` + secret(`{"urn":"URN","b":`+secret(`{"plaintext":"URN","urn":"URN","c":"URN"}`)+`,"d":"URN"}`) + `}`},
		{here(), `{"a":` + secret(`{"urn":"URN","b":{"urn":"URN",`+asReference+`},`+asReference+`}`) + `}`},
	} {
		text, renamed := strings.ReplaceAll(row.bag, "URN", urnA), strings.ReplaceAll(row.bag, "URN", urnOf("aws:s3/bucket:Bucket", "renamed"))
		e := state.Edits{Rename: map[string]string{urnA: "renamed"}, InProperties: true}
		around := func(bag string) string {
			return strings.Replace(one(bag), `"urn":"`+urnA, `"urn":"`+urnOf("aws:s3/bucket:Bucket", "renamed"), 1)
		}

		if got := rewritten(t, one(text), e); got != around(renamed) {
			t.Errorf("%s: %s", row.at, got)
		}

		e.Properties = []state.PropertyEdit{edit}

		if got := rewritten(t, one(text), e); got != around(strings.TrimSuffix(renamed, "}")+`,"new":1}`) {
			t.Errorf("%s: edited too: %s", row.at, got)
		}
	}
}

// TestRewriteForward: what is renamed does not depend on the order of the resources.
func TestRewriteForward(t *testing.T) {
	const (
		other    = `"urn":"urn:pulumi:other::shop::a:b:C::x","type":"a:b:C"`
		mine     = `"urn":"` + urnA + `","type":"aws:s3/bucket:Bucket"`
		provider = `"urn":"urn:pulumi:dev::shop::pulumi:providers:p::p","type":"pulumi:providers:p","id":"i"`
		ref      = `"urn:pulumi:dev::shop::pulumi:providers:p::p::i"`
	)

	for _, row := range []struct {
		at      string
		edits   state.Edits
		members []string // of the resources
		replace []string
	}{
		{here(), state.Edits{OldStack: "dev", NewStack: "prod"}, []string{other + `,"dependencies":["` + urnA + `"],"aliases":["` + urnA + `"]`, mine}, []string{":dev:", ":prod:"}},
		{here(), state.Edits{OldStack: "dev", NewStack: "prod", InProperties: true}, []string{other + `,"inputs":{"a":"` + urnA + `"}`, mine}, []string{":dev:", ":prod:"}},
		{here(), state.Edits{OldStack: "dev", NewStack: "prod"}, []string{other + `,"outputs":{"a":{` + asReference + `,"urn":"` + urnA + `"}}`, mine}, []string{":dev:", ":prod:"}},
		{here(), state.Edits{OldStack: "dev", NewStack: "prod"}, []string{other + `,"provider":` + ref, provider}, []string{":dev:", ":prod:"}},
		{here(), state.Edits{Rename: map[string]string{urnOf("pulumi:providers:p", "p"): "q"}, InProperties: true}, []string{mine + `,"inputs":{"a":` + ref + `}`, provider}, []string{"::p::i", "::q::i", `::p"`, `::q"`}},
		{
			here(),
			state.Edits{Rename: map[string]string{urnOf("pulumi:providers:p", "p"): "q"}, OldStack: "dev", NewStack: "prod", InProperties: true},
			[]string{mine + `,"inputs":{"a":` + ref + `}`, provider},
			[]string{":dev:", ":prod:", "::p::i", "::q::i", `::p"`, `::q"`},
		},
	} {
		for _, members := range [][]string{row.members, {row.members[1], row.members[0]}} {
			text := export(`{`+members[0]+`}`, `{`+members[1]+`}`)
			want := strings.NewReplacer(row.replace...).Replace(text)
			got := rewritten(t, text, row.edits)

			if got != want {
				t.Errorf("%s: %s", row.at, got)
			}

			if again := rewritten(t, got, state.Edits{}); again != want {
				t.Errorf("%s: again: %s", row.at, again)
			}
		}
	}
}

// TestRewriteEditsTogether: edits of one resource are made in the order of the list, under
// whichever of its two names they are; what they set is renamed and cut off like the rest;
// and a resource that is deleted under one name cannot be changed under the other.
func TestRewriteEditsTogether(t *testing.T) {
	set := func(resource, at string, v value.Value) state.PropertyEdit {
		return state.PropertyEdit{Resource: resource, Bag: "inputs", At: path.MustParse(at), Value: v}
	}
	named := `{"urn":"` + urnA + `","id":"i"`
	deep := value.Object(value.Field("b", value.Array(value.Array(value.Array()))))

	for _, row := range []struct {
		at, resource string
		edits        state.Edits
		want         string
	}{
		{here(), named + `}`, state.Edits{Properties: []state.PropertyEdit{set(urnA+"::i", "a", value.Number(1)), set(urnA, "a", value.Number(2))}}, named + `,"inputs":{"a":2}}`},
		{here(), named + `}`, state.Edits{Properties: []state.PropertyEdit{set(urnA, "a", deep)}, Depth: 10}, named + `,"inputs":{"a":{"b":[[null]]}}}`},
		{here(), named + `,"inputs":{}}`, state.Edits{Properties: []state.PropertyEdit{set(urnA, "a", deep)}, Depth: 10}, named + `,"inputs":{"a":{"b":[[null]]}}}`},
		{
			here(), named + `}`,
			state.Edits{Properties: []state.PropertyEdit{set(urnA, "a", value.String(urnA))}, Rename: map[string]string{urnA: "z"}, InProperties: true},
			strings.Replace(named, `::a"`, `::z"`, 1) + `,"inputs":{"a":"` + urnOf("aws:s3/bucket:Bucket", "z") + `"}}`,
		},
	} {
		if got := rewritten(t, export(row.resource), row.edits); got != export(row.want) {
			t.Errorf("%s: %s", row.at, got)
		}
	}

	e := state.Edits{Delete: []string{urnA}, Properties: []state.PropertyEdit{set(urnA+"::i", "a", value.Null())}}
	if _, err := state.Rewrite(strings.NewReader(export(named+`}`)), io.Discard, e); !errors.Is(err, state.ErrEdit) {
		t.Errorf("deleted and changed: %v", err)
	}
}
