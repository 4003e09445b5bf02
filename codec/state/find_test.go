package state_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

func TestFind(t *testing.T) {
	f := parse(t, export(
		`{"urn":"a","id":"0","delete":true}`, `{"urn":"b","id":"1"}`, `{"urn":"a","id":"2","delete":true}`, `{"id":"3","\u0075rn":"\u0061"}`, `{"urn":"a","id":"4"}`,
		`{"urn":"gone","id":"5","delete":true}`, `{"urn":"gone","id":"6","delete":true}`, `{"delete":true,"id":"7","urn":"late"}`, `{"delete":false,"urn":"late","id":"8"}`,
		`{"urn":"bad","inputs":{"x":1e999}}`, `{"id":"9"}`, `{"urn":{"urn":"nested"}}`,
	))
	for _, row := range []struct {
		at, urn, id string
		found       bool
	}{
		{here(), "a", "3", true},
		{here(), "b", "1", true},
		{here(), "gone", "5", true},
		{here(), "late", "8", true},
		{here(), "c", "", false},
		{here(), "", "", false},
		{here(), "nested", "", false},
	} {
		r, found, err := f.Find(row.urn)
		if err != nil || found != row.found || r.ID != row.id {
			t.Errorf("%s: %q: got %q, %v, %v", row.at, row.urn, r.ID, found, err)
		}
	}
	if r, found, err := f.Find("bad"); found || r.URN != "" || !errors.Is(err, codec.ErrNumber) {
		t.Errorf("got %v, %v", found, err)
	}
	opened := open(t, export(withInputs(`{"a":`+cipher("c")+`}`)), knowing("c", "1"))
	if r, found, err := opened.Find(urnA); !found || err != nil || fmt.Sprint(r.Inputs.Field("a").DropSecret()) != "1" {
		t.Errorf("in an opened file: %v, %v, %v", r.Inputs, found, err)
	}
}

// Nil is an empty file.
func TestNilFile(t *testing.T) {
	for _, f := range []*state.File{nil, {}} {
		if f.Shape() != "" || f.Version() != 0 || f.Features() != nil || f.Provider() != "" || f.Len() != 0 || f.Fields() != nil || f.Envelope() != nil {
			t.Errorf("%v is not empty", f)
		}
		for r, err := range f.Resources() {
			t.Errorf("a resource: %v, %v", r, err)
		}
		if _, found, err := f.Find("u"); found || err != nil {
			t.Errorf("found: %v, %v", found, err)
		}
		if opened, err := f.Decrypt(nil); err != nil || opened.Len() != 0 {
			t.Errorf("opened: %v, %v", opened, err)
		}
	}
}

// Options that mean nothing are an error at once, whatever the text.
func TestBadOptions(t *testing.T) {
	for _, o := range []codec.Options{{Secrets: 99}, {Depth: -1}, {Form: 9}, {ByteStrings: codec.Lower}, {Report: &codec.Report{}, Nulls: 7}} {
		for _, text := range []string{"", "{", export(), export(withInputs("{}"))} {
			f, err := state.Parse(text, state.Options{Codec: o})
			var e *state.Error
			if f != nil || !errors.As(err, &e) || !errors.Is(err, codec.ErrOptions) || e.Offset != -1 || !strings.HasPrefix(err.Error(), "state: codec: ") {
				t.Errorf("%.50s: %v", text, err)
			}
		}
	}
}

// What others say goes into one line.
func TestForeignErrors(t *testing.T) {
	var err error
	r := state.NewReader(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(errors.New("first\nsecond"))), state.Options{})
	for _, err = range r.Resources() {
		continue
	}
	if want := `state: offset 1, after 0 resources: cannot read: "first\nsecond"`; fmt.Sprint(err) != want {
		t.Errorf("got %v", err)
	}
}
