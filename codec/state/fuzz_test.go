package state_test

import (
	"errors"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

// FuzzReader holds a reader of any window to what reading the whole text gives.
// When the text cannot be framed to its end, a reader may find something else
// that is wrong before it gets there.
func FuzzReader(f *testing.F) {
	for _, row := range append(malformedDocuments(), malformedResources()...) {
		f.Add(row.text, uint8(3))
	}
	f.Add(tricky, uint8(7))
	o := state.Options{Codec: codec.Options{Depth: 50}}
	f.Fuzz(func(t *testing.T, text string, window uint8) {
		if _, err := state.ParseText(text, o); err == nil {
			agree(t, "fuzz", text, int(window), o)
			return
		}
		r := reader(text, int(window), o)
		if _, err := drain(t, r); err == nil {
			t.Errorf("no error: %q", text)
		}
	})
}

// FuzzOpen gives any text as a plaintext: it means what it means in a file, or
// is an error in both.
func FuzzOpen(f *testing.F) {
	for _, plain := range []string{`1`, `{"a":[null]}`, `{` + asSecret + `,"value":[1]}`, `[` + cipher("x") + `]`, `"\ud800"`, `[[[[[[[[`, `1e400`, ``} {
		f.Add(plain, uint8(30))
	}
	f.Fuzz(func(t *testing.T, plain string, depth uint8) {
		o := codec.Options{Depth: int(depth) + 6}
		want, wantErr := codec.DecodeJSONBagText(`{"a":{`+asSecret+`,"plaintext":`+quoted(t, plain)+`}}`, o)
		bag, err := codec.DecodeJSONBagText(`{"a":`+cipher("sealed")+`}`, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := openOnce(bag, plain, o)
		if errors.Is(err, errLayer) {
			return // TestLayers is about these
		}
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%q, limit %d: opened: %v, read: %v", plain, o.Depth, err, wantErr)
		}
		if err == nil && !got.Identical(want) {
			t.Errorf("%q: opened %#v, read %#v", plain, got, want)
		}
	})
}
