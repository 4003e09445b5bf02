package state_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// one is a stack of one resource with inputs.
func one(inputs string) string {
	return `{"version":3,"deployment":{"resources":[{"urn":"` + urnA + `","inputs":` + inputs + `}]}}`
}

// TestRewriteDepth: a bag is left with what a reader with that limit on depth takes, and
// nothing of one that it takes is dropped.
func TestRewriteDepth(t *testing.T) {
	deep := strings.Repeat(`[`, 12) + strings.Repeat(`]`, 12)
	for _, bag := range []string{
		`{}`, `{"a":{"b":{"c":[[],{},[1]]}},"d":` + deep + `}`, `{"a":[` + deep + `,1,{"x":` + deep + `}]}`,
		`{"a":{` + asSecret + `,"plaintext":` + quoted(t, `{"b":`+deep+`}`) + `},"c":[{` + asSecret + `,"plaintext":"1"}]}`,
		`{"a":{"plaintext":"[[[[[[[[[[[[1]]]]]]]]]]]]",` + asSecret + `}}`, `{"a":` + cipher("x") + `,"b":{"plaintext":"[[[[["}}`,
	} {
		for depth := 1; depth < 40; depth++ {
			o := codec.Options{Depth: depth, Form: codec.FormState}
			_, before := codec.DecodeJSON(bag, o)
			text := rewritten(t, one(bag), state.Edits{Depth: depth})
			begin, end, _ := strings.Cut(one("|"), "|")
			after := strings.TrimSuffix(strings.TrimPrefix(text, begin), end)
			if _, err := codec.DecodeJSON(after, o); err != nil && after != "null" {
				t.Errorf("%s at %d: %s cannot be read: %v", bag, depth, after, err)
			}
			if (before == nil) != (after == bag) {
				t.Errorf("%s at %d: %v, and made into %s", bag, depth, before, after)
			}
		}
	}
}

// TestRewriteProperties: what edits make of a bag is what package value makes of it.
func TestRewriteProperties(t *testing.T) {
	const bag = `{ "a" : { "b" : [ 1 , {"c":null} , "x" ] , "\u0064" : true } , "e" : [] , "f":{ } }`
	old, err := codec.DecodeJSON(bag, codec.Options{Form: codec.FormState})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		at   string
		want string // of the text
	}{
		{"a", `{ "a" : 7 , "e" : [] , "f":{ } }`},
		{"a.b", `{ "a" : { "b" : 7 , "\u0064" : true } , "e" : [] , "f":{ } }`},
		{"a.b[0]", `{ "a" : { "b" : [ 7 , {"c":null} , "x" ] , "\u0064" : true } , "e" : [] , "f":{ } }`},
		{"a.b[1].c", `{ "a" : { "b" : [ 1 , {"c":7} , "x" ] , "\u0064" : true } , "e" : [] , "f":{ } }`},
		{"a.b[1].g", `{ "a" : { "b" : [ 1 , {"c":null,"g":7} , "x" ] , "\u0064" : true } , "e" : [] , "f":{ } }`},
		{"a.d", `{ "a" : { "b" : [ 1 , {"c":null} , "x" ] , "\u0064" : 7 } , "e" : [] , "f":{ } }`},
		{"a.new", `{ "a" : { "b" : [ 1 , {"c":null} , "x" ] , "\u0064" : true, "new" : 7 } , "e" : [] , "f":{ } }`},
		{"f.new", `{ "a" : { "b" : [ 1 , {"c":null} , "x" ] , "\u0064" : true } , "e" : [] , "f":{"new":7} }`},
		{"[\"q\\\"\n\"]", `{ "a" : { "b" : [ 1 , {"c":null} , "x" ] , "\u0064" : true } , "e" : [] , "f":{ }, "q\"\n" : 7 }`},
	} {
		at := path.MustParse(row.at)
		edit := state.PropertyEdit{Resource: urnA, Bag: "inputs", At: at, Value: value.Number(7)}
		if got := rewritten(t, one(bag), state.Edits{Properties: []state.PropertyEdit{edit}}); got != one(row.want) {
			t.Errorf("%s: %s", row.at, got)
		}
		want, err := old.With(at, value.Number(7))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := codec.DecodeJSON(row.want, codec.Options{Form: codec.FormState}); err != nil || !got.Identical(want) {
			t.Errorf("%s: package value makes %v, %v", row.at, want, err)
		}
	}
	for at, want := range map[string]string{
		"a":      `{ "e" : [] , "f":{ } }`,
		"f":      `{ "a" : { "b" : [ 1 , {"c":null} , "x" ] , "\u0064" : true } , "e" : [] }`,
		"a.b[2]": `{ "a" : { "b" : [ 1 , {"c":null} ] , "\u0064" : true } , "e" : [] , "f":{ } }`,
		"a.b[0]": `{ "a" : { "b" : [ {"c":null} , "x" ] , "\u0064" : true } , "e" : [] , "f":{ } }`,
	} {
		edit := state.PropertyEdit{Resource: urnA, Bag: "inputs", At: path.MustParse(at), Remove: true}
		if got := rewritten(t, one(bag), state.Edits{Properties: []state.PropertyEdit{edit}}); got != one(want) {
			t.Errorf("remove %s: %s", at, got)
		}
	}
}

// TestRewriteRefusesBags: a bag that is edited has to be readable, before and after.
func TestRewriteRefusesBags(t *testing.T) {
	for _, row := range []struct {
		at, bag string
		set     value.Value
		secret  bool
		want    error
	}{
		{here(), `{"a":1,"a":2}`, value.Null(), false, codec.ErrDuplicate},
		{here(), `[]`, value.Null(), false, codec.ErrKind},
		{here(), `{"a":12345678901234567891}`, value.Null(), true, codec.ErrNumber},
		{here(), `{"a":[` + cipher("x") + `]}`, value.Null(), true, codec.ErrSealed},
	} {
		var out strings.Builder
		edit := state.PropertyEdit{Resource: urnA, Bag: "inputs", At: path.MustParse("a"), Value: row.set, Secret: row.secret}
		_, err := state.Rewrite(strings.NewReader(one(row.bag)), &out, state.Edits{Properties: []state.PropertyEdit{edit}})
		if !errors.Is(err, row.want) || out.Len() > 0 || !strings.Contains(err.Error(), "inputs") {
			t.Errorf("%s: %v", row.at, err)
		}
	}
	if got := rewritten(t, one(`{"a":1,"a":2}`), state.Edits{}); got != one(`{"a":1,"a":2}`) {
		t.Error("a bag that is not edited was looked at")
	}
}
