package fuzz_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"testing"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/sample"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// holds says whether a part of v is so.
func holds(v value.Value, is func(part value.Value) bool) bool {
	for at := range v.Walk() {
		if is(at.Value()) {
			return true
		}
	}

	return false
}

func isNaN(v value.Value) bool {
	n, ok := v.AsNumber()

	return ok && math.IsNaN(n)
}

func isTrue(v value.Value) bool {
	b, _ := v.AsBool()

	return b
}

// shrunk is a planted bug, and the size of what shows it.
type shrunk struct {
	name string
	most int // of nodes, or of bytes
	law  func(t *rapid.T)
}

// fail notes how big the thing is that shows the bug.
func fail(t *rapid.T, size int) { t.Fatalf("planted, size: %d", size) }

func valueBugs() []shrunk {
	return []shrunk{
		{"values", 3, func(t *rapid.T) {
			if v := fuzz.Values(fuzz.Options{}).Draw(t, "v"); v.Len() > 0 && holds(v, isNaN) {
				fail(t, nodes(v))
			}
		}},
		{"hostile values", 5, func(t *rapid.T) {
			if v := fuzz.Values(fuzz.Options{Style: fuzz.Hostile}).Draw(t, "v"); v.Len() > 0 && holds(v, isNaN) {
				fail(t, nodes(v))
			}
		}},
		{"real-looking values", 3, func(t *rapid.T) {
			v := fuzz.Values(fuzz.Options{Style: fuzz.RealLike}).Draw(t, "v")
			if holds(v, func(v value.Value) bool { return v.Kind() == value.KindArray && v.ContainsUnknown() }) {
				fail(t, nodes(v))
			}
		}},
		{"scripts", 4, func(t *rapid.T) {
			s := fuzz.Internal.Scripts(fuzz.Options{}).Draw(t, "script")
			for _, step := range s.Steps {
				if step.Op == diff.OpDelete && step.At.Len() > 1 {
					fail(t, nodes(s.Old))
				}
			}
		}},
		{"lists", 4, func(t *rapid.T) {
			p := fuzz.ListPairs(fuzz.Options{}).Draw(t, "pair")
			if !p.Old.Equal(p.New) && p.Old.Len() == p.New.Len() {
				fail(t, nodes(p.Old))
			}
		}},
	}
}

func textBugs() []shrunk {
	return []shrunk{
		{"messages", 4, func(t *rapid.T) {
			m, ok := fuzz.Messages(fuzz.Options{}).Draw(t, "m").(*rpc.DiffRequest)
			if ok && m.News.ContainsUnknown() {
				fail(t, nodes(m.News))
			}
		}},
		{"bytes", 12, func(t *rapid.T) {
			data := fuzz.BagBytes(fuzz.Options{}).Draw(t, "data")
			if v, err := codec.Decode(data, codec.Options{}); err == nil && holds(v, isTrue) {
				fail(t, len(data))
			}
		}},
		{"texts", 12, func(t *rapid.T) {
			if data := fuzz.BagTexts(fuzz.Options{}).Draw(t, "data"); bytes.Contains(data, []byte("true")) {
				fail(t, len(data))
			}
		}},
		{"states", len(sample.StackExport(`{"a":[]}`)), func(t *rapid.T) {
			if data := fuzz.StateTexts(fuzz.Options{}).Draw(t, "data"); bytes.Contains(data, []byte(`:[]}`)) {
				fail(t, len(data))
			}
		}},
		{"damaged bytes", 9, func(t *rapid.T) {
			data := fuzz.Damaged(fuzz.BagBytes(fuzz.Options{})).Draw(t, "data")
			if _, err := codec.Decode(data, codec.Options{}); err != nil {
				fail(t, len(data))
			}
		}},
	}
}

// TestEverythingShrinks plants a bug for every generator: each is found, and is
// shown by something small.
func TestEverythingShrinks(t *testing.T) {
	if race.Enabled {
		t.Skip("says nothing of races")
	}

	for _, row := range append(valueBugs(), textBugs()...) {
		said, failed := kit.CheckRecorded(5000, true, row.law)
		found := regexp.MustCompile(`planted, size: (\d+)`).FindStringSubmatch(said)

		if !failed || found == nil {
			t.Errorf("%s: the planted bug was not found", row.name)

			continue
		}

		size := 0
		if _, err := fmt.Sscan(found[1], &size); err != nil || size > row.most {
			t.Errorf("%s: shrunk to %d, not %d:\n%s", row.name, size, row.most, said)
		}
	}
}
