package ignore_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// TestIgnoreShowsNoSecret checks that places are redacted below the outermost secret of
// either side, and that no text shows what is inside one (law 6).
func TestIgnoreShowsNoSecret(t *testing.T) {
	const canary = "canary"
	hidden := obj(canary+"Key", arr(str(canary)), "x", obj(canary, num(1)))
	open := obj("x", num(2), canary+"Key", num(1))
	for i, c := range []struct {
		old, now value.Value
		pattern  string
		at       string
	}{
		{obj("o", sec(hidden)), obj("o", open), "o[*][*]", "o[secret]"},
		{obj("o", hidden), obj("o", sec(open)), "o[*].y.z", "o[secret]"},
		{sec(obj("o", hidden)), obj("o", num(1)), "o[*]", "[secret]"},
		{obj("o", sec(hidden)), obj("o", num(1)), "o[*].x", "o"},
	} {
		for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
			got := ignore.Changes(c.old, c.now, patternList(c.pattern), mode)
			if len(got.Patterns[0].Mismatches) == 0 {
				t.Fatalf("row %d: no mismatch", i)
			}
			m := got.Patterns[0].Mismatches[0]
			if m.At().String() != c.at {
				t.Errorf("row %d, %v: at %v, want %v", i, mode, m.At(), c.at)
			}
			if i == 2 {
				// The result has what is not secret in new: check only the report.
				got.Value = value.Null()
			}
			held := struct{ i, s any }{got.Patterns, []ignore.Mismatch{m}}
			text, err := json.Marshal([]any{got.Patterns[0].Mismatches, m, m.Why()})
			if i != 1 {
				got.Value = value.Secret(got.Value) // new was in the open
			}
			kit.CheckCanary(t, canary, got, &got, got.Patterns, m, &m, held, &held, string(text), err)
		}
	}
}

// TestIgnoreManyMismatches checks that a text lists few of many mismatches.
func TestIgnoreManyMismatches(t *testing.T) {
	var members []value.Member
	for i := range 100 {
		members = append(members, value.Member{Key: fmt.Sprintf("k%02d", i), Value: num(1)})
	}
	got := ignore.Changes(value.Object(members...), obj(), patternList("[*].x"), ignore.Corrected)
	p := got.Patterns[0]
	if len(p.Mismatches) != 100 || !strings.HasSuffix(p.String(), "k07 (missing), … 92 more mismatches") {
		t.Errorf("%d: %v", len(p.Mismatches), p)
	}
	if at := p.Mismatches[99].At().String(); at != "k99" {
		t.Errorf("the last is at %v", at)
	}
}

func TestIgnoreTexts(t *testing.T) {
	for got, want := range map[string]string{
		ignore.Mode(9).String():                                     "invalid ignore mode",
		ignore.Mismatch{}.String():                                  "the root (missing)",
		ignore.PatternResult{}.String():                             ": matched nothing",
		fmt.Sprint(ignore.Mismatch{}.At(), ignore.Mismatch{}.Why()): "missing",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
