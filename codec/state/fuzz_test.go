package state_test

import (
	"errors"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// FuzzReader holds a reader of any window to what reading the whole text gives.
// When the text cannot be framed to its end, a reader may find something else
// that is wrong before it gets there. Outlines are held to whole resources.
func FuzzReader(f *testing.F) {
	for _, row := range append(malformedDocuments(), malformedResources()...) {
		f.Add(row.text, uint8(3))
	}
	f.Add(tricky, uint8(7))
	o := state.Options{Codec: codec.Options{Depth: 50}}
	f.Fuzz(func(t *testing.T, text string, window uint8) {
		outlinesAgree(t, text, o)
		if _, err := state.Parse(text, o); err == nil {
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
		o := codec.Options{Depth: int(depth) + 6, Form: codec.FormState}
		want, wantErr := codec.DecodeJSON(`{"a":{`+asSecret+`,"plaintext":`+quoted(t, plain)+`}}`, o)
		bag, err := codec.DecodeJSON(`{"a":`+cipher("sealed")+`}`, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := openOnce(bag, plain, o)
		if errors.Is(err, errLayer) {
			t.Fatalf("%q: a plaintext was decrypted", plain)
		}
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%q, limit %d: opened: %v, read: %v", plain, o.Depth, err, wantErr)
		}
		if err == nil && !got.Identical(want) {
			t.Errorf("%q: opened %#v, read %#v", plain, got, want)
		}
	})
}

// FuzzBags takes any texts as the inputs and outputs of a resource: what is read
// out of the file is what package codec reads, or an error in both; and it is
// written, sealed or encrypted, so that it reads and opens to the same.
func FuzzBags(f *testing.F) {
	for _, bag := range []string{`{}`, `{"a":[null,1.5]}`, `{"a":` + cipher("x") + `}`, `{"a":{` + asSecret + `,"plaintext":"[1]"}}`, `{"__a":{` + asSecret + `,"value":1}}`, `{"a":1,"a":2}`, `[[[[`, `{"\ud800":1}`} {
		f.Add(bag, `{}`)
		f.Add(`null`, bag)
	}
	f.Fuzz(func(t *testing.T, inputs, outputs string) {
		text := export(`{"urn":"` + urnA + `","inputs":` + inputs + `,"outputs":` + outputs + `}`)
		file, rs, err := slow(text, state.Options{})
		if err != nil {
			var e *state.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(text)) || e.Resources < 0 {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if len(rs) != file.Len() || len(rs) == 0 {
			t.Skip("the text closes the resource and opens others")
		}
		if len(rs) == 1 && len(rs[0].Extra) == 0 {
			for _, row := range []struct {
				text string
				got  value.Value
			}{{inputs, rs[0].Inputs}, {outputs, rs[0].Outputs}} {
				if want, err := codec.DecodeJSON(row.text, codec.Options{Form: codec.FormState}); err == nil && !row.got.Identical(want) {
					t.Fatalf("%q: read as %#v, alone as %#v", row.text, row.got, want)
				}
			}
		}
		bags := []value.Value{rs[0].Inputs, rs[0].Outputs}
		for _, bag := range bags {
			if bag.Kind() == value.KindSealed || (bag.ContainsUnknown() && bag.Kind() != value.KindObject) {
				t.Skip("a bag that is none")
			}
		}
		texts, err := state.EncodeBags(bags, nil, codec.Options{})
		if bags[0].ContainsDependencies() || bags[1].ContainsDependencies() || errors.Is(err, codec.ErrSealed) || errors.Is(err, codec.ErrDepth) {
			return // which no state file holds
		}
		if err != nil {
			t.Fatalf("%q: read, and not written: %v", text, err)
		}
		for i, text := range texts {
			if back, err := codec.DecodeJSONValue(text, codec.Options{Form: codec.FormState}); err != nil || !back.Identical(bags[i]) {
				t.Fatalf("%q: written as %s, and reads back as %#v, %v", inputs, text, back, err)
			}
		}
	})
}
