package state_test

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
)

// twins is a file with resources that only their positions tell apart, and with names that
// end as if they had one.
func twins() string {
	a := func(more string) string { return `{"urn":"` + urnA + `","type":"aws:s3/bucket:Bucket"` + more + `}` }
	return export(
		a(`,"id":"x","delete":true`), a(`,"id":"x"`), a(``), // 0 to 2
		strings.Replace(a(``), `::a"`, `::a#3"`, 1), // 3
		a(`,"id":"y#1"`), // 4
	)
}

// TestNumbers: a name is one that is in the file as it is written or, if there is none, that
// of a position.
func TestNumbers(t *testing.T) {
	want := map[string][]int{
		urnA: {0, 1, 2, 4}, urnA + "::x": {0, 1}, urnA + "::": {2}, urnA + "#1": {0}, urnA + "#2": {1}, urnA + "#3": {3}, urnA + "#4": {4},
		urnA + "#3#1": {3}, urnA + "::y#1": {4}, urnA + "::x#1": nil, urnA + "#0": nil, urnA + "#5": nil, urnA + "#02": nil, urnA + "#": nil, "#1": nil, "": nil,
	}
	got, err := state.Numbers(strings.NewReader(twins()), slices.Collect(maps.Keys(want))...)
	if err != nil {
		t.Fatal(err)
	}
	for name, numbers := range want {
		if _, isThere := got[name]; !slices.Equal(got[name], numbers) || isThere != (numbers != nil) {
			t.Errorf("%s: %v, not %v", name, got[name], numbers)
		}
	}
	if _, err := state.Numbers(nil, "x"); !errors.Is(err, state.ErrRead) {
		t.Errorf("no file: %v", err)
	}
}

// TestRewritePositions: an edit concerns the one resource that has the position, and a
// refusal says what tells resources apart.
func TestRewritePositions(t *testing.T) {
	text := twins()
	second := `,{"urn":"` + urnA + `","type":"aws:s3/bucket:Bucket","id":"x"}`
	if got, want := rewritten(t, text, state.Edits{Delete: []string{urnA + "#2"}}), strings.Replace(text, second, "", 1); got != want {
		t.Errorf("deleted: %s", got)
	}
	set := state.PropertyEdit{Resource: urnA + "#2", Bag: "inputs", At: path.MustParse("b")}
	if got, want := rewritten(t, text, state.Edits{Properties: []state.PropertyEdit{set}}), strings.Replace(text, second, strings.TrimSuffix(second, "}")+`,"inputs":{"b":null}}`, 1); got != want {
		t.Errorf("set: %s", got)
	}

	for name, want := range map[string]string{
		urnA:         "several resources are named " + urnA + "; name one by its position, as " + urnA + "#1 or " + urnA + "#2",
		urnA + "::x": "several resources are named " + urnA + "::x; name one by its position, as " + urnA + "#1 or " + urnA + "#2",
		urnA + "#5":  "no resource is named " + urnA + "#5",
	} {
		_, err := state.Rewrite(strings.NewReader(text), io.Discard, state.Edits{Delete: []string{name}})
		if !errors.Is(err, state.ErrEdit) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	onOther := export(`{"urn":"`+urnA+`"}`, `{"urn":"`+urnA+`","dependencies":["`+urnA+`"]}`)
	if _, err := state.Rewrite(strings.NewReader(onOther), io.Discard, state.Edits{Delete: []string{urnA + "#1"}}); err == nil || !strings.Contains(err.Error(), "refers to "+urnA+", which is deleted") {
		t.Errorf("it would refer to itself: %v", err)
	}
	apart := strings.Replace(text, `"id":"x","delete"`, `"id":"z","delete"`, 1)
	_, err := state.Rewrite(strings.NewReader(strings.Replace(apart, `Bucket"},`, `Bucket","id":"w"},`, 1)), io.Discard, state.Edits{Delete: []string{urnA}})
	if err == nil || !strings.Contains(err.Error(), "add two colons and the ID of one, or #1 or #2") {
		t.Errorf("%v", err)
	}
}
