package urn_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/propalg/propalg/urn"
	"pgregory.net/rapid"
)

var (
	_ encoding.TextMarshaler   = urn.URN{}
	_ encoding.TextAppender    = urn.URN{}
	_ encoding.TextUnmarshaler = (*urn.URN)(nil)
	_ fmt.Stringer             = urn.URN{}
)

// String, AppendText, MarshalText, fmt and Parse agree, and UnmarshalText undoes them.
func TestTextFamily(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		u, err := urn.Parse(text)
		if err != nil {
			text = "" // the zero URN takes part too
		}
		appended, appendErr := u.AppendText([]byte("x"))
		marshalled, marshalErr := u.MarshalText()
		if appendErr != nil || marshalErr != nil || u.String() != text ||
			string(appended) != "x"+text || string(marshalled) != text || fmt.Sprint(u) != text {
			t.Fatalf("texts of %q differ", text)
		}
		back := urn.MustParse(bucket)
		if err := back.UnmarshalText(marshalled); err != nil || back != u {
			t.Fatalf("%q reads back as %q, %v", text, back, err)
		}
		for i := range marshalled {
			marshalled[i] = '!' // what was unmarshalled is a copy
		}
		if back.String() != text {
			t.Fatalf("%q aliases the caller's bytes", text)
		}
	})
}

func TestUnmarshalTextError(t *testing.T) {
	u := urn.MustParse(bucket)
	if err := u.UnmarshalText([]byte("urn:pulumi:dev")); !errors.Is(err, urn.ErrSyntax) || u.String() != bucket {
		t.Errorf("%v, and u is %q", err, u)
	}
}

func TestJSON(t *testing.T) {
	type row struct {
		URN    urn.URN         `json:"urn,omitzero"`
		Counts map[urn.URN]int `json:"counts,omitempty"`
	}
	in := row{urn.MustParse(bucket), map[urn.URN]int{urn.MustParse("urn:pulumi:s::p::t::a \"b\"\n"): 3}}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out row
	if err := json.Unmarshal(text, &out); err != nil || out.URN != in.URN || len(out.Counts) != 1 || out.Counts[urn.MustParse("urn:pulumi:s::p::t::a \"b\"\n")] != 3 {
		t.Errorf("%s reads back as %v, %v", text, out, err)
	}
	if text, err := json.Marshal(row{}); err != nil || string(text) != "{}" {
		t.Errorf("zero: %s, %v", text, err)
	}
}
