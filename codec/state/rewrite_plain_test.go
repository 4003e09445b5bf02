package state_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
)

// TestRewritePlain: the mark of a secret goes, and what it holds stays as it was, number by
// number and with secrets in it; what is encrypted stays, and the error does not have it.
func TestRewritePlain(t *testing.T) {
	for _, row := range []struct{ here, old, now, want string }{
		{here(), inClear("canary"), `"canary"`, ""},
		{here(), `{` + asSecret + `,"plaintext":"{\"a\":[1,12.50]}"}`, `{"a":[1,12.5]}`, ""},
		{here(), `{` + asSecret + `,"plaintext":` + quoted(t, `[`+inClear("x")+`]`) + `}`, `[` + inClear("x") + `]`, ""},
		{here(), `{ "b" : 1 }`, `{ "b" : 1 }`, ""},
		{here(), cipher("canary"), "", "it is encrypted; a file that was exported with --show-secrets"},
		{here(), `{` + asSecret + `,"plaintext":"12345678901234567890"}`, "", "number"},
	} {
		e := state.Edits{Properties: []state.PropertyEdit{{Resource: urnA, Bag: "inputs", At: path.MustParse("s"), Plain: true}}}
		text := export(`{"urn":"` + urnA + `","type":"t","inputs":{"s":` + row.old + `}}`)
		if row.want == "" {
			if got, want := rewritten(t, text, e), export(`{"urn":"`+urnA+`","type":"t","inputs":{"s":`+row.now+`}}`); got != want {
				t.Errorf("%s: %s", row.here, got)
			}
			continue
		}
		_, err := state.Rewrite(strings.NewReader(text), io.Discard, e)
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "1234") {
			t.Errorf("%s: %v", row.here, err)
		}
	}
	e := state.Edits{Properties: []state.PropertyEdit{{Resource: urnA, Bag: "inputs", At: path.MustParse("x"), Plain: true}}}
	for range 2 {
		if _, err := state.Rewrite(strings.NewReader(export(`{"urn":"`+urnA+`","type":"t","inputs":{}}`)), io.Discard, e); !errors.Is(err, state.ErrEdit) {
			t.Error(err)
		}
		e.Properties[0].Secret = true
	}
}
