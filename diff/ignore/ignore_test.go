package ignore_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/testkit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func patternList(texts ...string) []path.Pattern {
	list := make([]path.Pattern, len(texts))
	for i, text := range texts {
		list[i] = path.MustParsePattern(text)
	}
	return list
}

// reported is what came of the patterns, a line each.
func reported(r ignore.Result) string {
	lines := make([]string, len(r.Patterns))
	for i, p := range r.Patterns {
		lines[i] = p.String()
	}
	return strings.Join(lines, "; ")
}

// ignoreWant is a result and the text of the report.
type ignoreWant struct {
	result value.Value
	report string
}

type ignoreRow struct {
	old, now          value.Value
	pattern           string
	engine, corrected ignoreWant // corrected with an empty report: as the engine's
}

// keepNew stands for a result that is new, as it was.
func keepNew() value.Value { return value.Sealed{Ciphertext: "the result is new"}.Value() }

// stepRows are the table of the specification, cell by cell, and the corrections:
// keys and indexes.
func stepRows() []ignoreRow {
	type want = ignoreWant
	null, keep := value.Null(), keepNew()
	x := func(n float64) value.Value { return obj("x", num(n)) }
	y := func(n float64) value.Value { return obj("x", num(n), "y", num(n)) }
	return []ignoreRow{
		// A key, last.
		{y(1), y(2), "x", want{obj("x", num(1), "y", num(2)), "x: matched 1"}, want{}},
		{x(1), obj("y", num(2)), "x", want{obj("x", num(1), "y", num(2)), "x: matched 1"}, want{}},
		{obj(), y(2), "x", want{obj("y", num(2)), "x: matched 1"}, want{}},
		{num(1), y(2), "x", want{obj("y", num(2)), "x: matched 1"}, want{}},
		{obj(), obj("y", num(2)), "x", want{keep, "x: matched nothing"}, want{}},
		{obj("x", null), y(2), "x", want{obj("x", null, "y", num(2)), "x: matched 1"}, want{}},
		{x(1), arr(), "x", want{keep, "x: matched nothing, mismatch at the root (kind)"}, want{}},
		{obj("a", x(1)), obj("a", null), "a.x", want{keep, "a.x: matched nothing, mismatch at a (missing)"}, want{}},
		{num(1), arr(), "x", want{keep, "x: matched nothing"}, want{}},
		// A key, inner.
		{obj("a", num(1)), obj("a", arr()), "a.x.y", want{keep, "a.x.y: matched nothing"}, want{}},
		{obj("a", x(1)), obj("a", arr()), "a.x.y", want{keep, "a.x.y: matched nothing, mismatch at a (kind)"}, want{}},
		{obj("a", num(1)), obj("a", x(1)), "a.x.y", want{keep, "a.x.y: matched nothing, mismatch at a (kind)"}, want{}},
		{obj("a", x(1)), obj(), "a.x", want{keep, "a.x: matched nothing, mismatch at a (missing)"}, want{}},
		{obj(), obj(), "a.x", want{keep, "a.x: matched nothing"}, want{}},
		{obj(), obj("a", y(1)), "a.x", want{obj("a", obj("y", num(1))), "a.x: matched 1"}, want{}},
		{obj(), obj("a", obj("b", y(1))), "a.b.x", want{keep, "a.b.x: matched nothing, mismatch at a (missing)"}, want{obj("a", obj("b", obj("y", num(1)))), "a.b.x: matched 1"}},
		{obj("a", null), obj("a", obj("b", y(1))), "a.b.x", want{keep, "a.b.x: matched nothing, mismatch at a (missing)"}, want{obj("a", obj("b", obj("y", num(1)))), "a.b.x: matched 1"}},
		// An index, last.
		{num(1), x(1), "[0]", want{keep, "[0]: matched nothing"}, want{}},
		{arr(num(1)), x(1), "[0]", want{keep, "[0]: matched nothing, mismatch at the root (kind)"}, want{}},
		{obj(), obj("a", arr(num(1))), "a[0]", want{keep, "a[0]: matched nothing, mismatch at a (missing)"}, want{keep, "a[0]: matched nothing, mismatch at a[0] (length)"}},
		{arr(num(1)), arr(num(2)), "[1]", want{keep, "[1]: matched nothing"}, want{}},
		{arr(num(1)), arr(num(2), num(3)), "[1]", want{keep, "[1]: matched nothing, mismatch at [1] (length)"}, want{}},
		{arr(num(1), num(0)), arr(num(2)), "[1]", want{keep, "[1]: matched nothing, mismatch at [1] (length)"}, want{}},
		{arr(num(1), num(0)), arr(num(2)), "[0]", want{arr(num(1)), "[0]: matched 1"}, want{}},
		{arr(num(1)), arr(num(2)), "[2147483647]", want{keep, "[2147483647]: matched nothing"}, want{}},
		// An index, inner.
		{num(1), x(1), "[0].x", want{keep, "[0].x: matched nothing"}, want{}},
		{obj("a", x(1)), obj("a", x(2)), "a[0].x", want{keep, "a[0].x: matched nothing"}, want{}},
		{x(1), arr(x(1)), "[0].x", want{keep, "[0].x: matched nothing, mismatch at the root (kind)"}, want{}},
		{arr(x(1)), arr(x(2)), "[1].x", want{keep, "[1].x: matched nothing, mismatch at [1] (length)"}, want{}},
		{arr(x(1)), arr(y(2), x(3)), "[0].x", want{arr(obj("x", num(1), "y", num(2)), x(3)), "[0].x: matched 1"}, want{}},
	}
}

// anyRows are those of the wildcard, of what is not known, and of the root.
func anyRows() []ignoreRow {
	type want = ignoreWant
	unknown, null, keep := value.Unknown(), value.Null(), keepNew()
	x := func(n float64) value.Value { return obj("x", num(n)) }
	y := func(n float64) value.Value { return obj("x", num(n), "y", num(n)) }
	return []ignoreRow{
		// The wildcard, last.
		{x(1), y(2), "[*]", want{x(1), "[*]: matched 2"}, want{}},
		{obj(), obj(), "[*]", want{keep, "[*]: matched nothing"}, want{}},
		{x(1), arr(num(1)), "[*]", want{keep, "[*]: matched nothing"}, want{keep, "[*]: matched nothing, mismatch at the root (kind)"}},
		{x(1), num(1), "[*]", want{keep, "[*]: matched nothing, mismatch at the root (kind)"}, want{}},
		{str("x"), num(1), "[*]", want{keep, "[*]: matched nothing, mismatch at the root (kind)"}, want{keep, "[*]: matched nothing"}},
		{arr(num(1), num(2)), arr(num(3), num(4), num(5)), "[*]", want{arr(num(1), num(2), num(5)), "[*]: matched 2, mismatch at the root (length)"}, want{}},
		{arr(num(1), num(2)), arr(num(3)), "[*]", want{arr(num(1)), "[*]: matched 1, mismatch at the root (length)"}, want{}},
		{arr(num(1), num(2)), arr(num(3), num(2)), "[*]", want{arr(num(1), num(2)), "[*]: matched 2"}, want{}},
		{obj(), obj("t", y(1)), "t[*]", want{keep, "t[*]: matched nothing"}, want{obj("t", obj()), "t[*]: matched 2"}},
		{obj("t", null), obj("t", y(1)), "t[*]", want{keep, "t[*]: matched nothing"}, want{obj("t", obj()), "t[*]: matched 2"}},
		{obj(), obj("t", arr(num(1))), "t[*]", want{keep, "t[*]: matched nothing"}, want{keep, "t[*]: matched nothing, mismatch at t (missing)"}},
		{obj(), obj("t", arr()), "t[*]", want{keep, "t[*]: matched nothing"}, want{}},
		// The wildcard, inner.
		{obj("a", x(1), "b", x(1), "c", x(1)), obj("a", x(2), "c", x(2)), "[*].x", want{obj("a", x(1), "c", x(2)), "[*].x: matched 1, mismatch at b (missing)"}, want{obj("a", x(1), "c", x(1)), "[*].x: matched 2, mismatch at b (missing)"}},
		{obj("b", x(1)), obj("a", y(2), "b", x(2), "c", x(2)), "[*].x", want{obj("a", y(2), "b", x(1), "c", x(2)), "[*].x: matched 1"}, want{obj("a", obj("y", num(2)), "b", x(1), "c", obj()), "[*].x: matched 3"}},
		{obj("a", x(1), "b", num(1)), obj("a", x(2), "b", x(2)), "[*].x.y", want{keep, "[*].x.y: matched nothing, mismatch at b (kind)"}, want{}},
		{arr(x(1), x(1)), arr(x(2), x(2), x(2)), "[*].x", want{arr(x(1), x(1), x(2)), "[*].x: matched 2, mismatch at the root (length)"}, want{}},
		{arr(arr(num(1)), arr(num(1))), arr(arr(), arr(num(2))), "[*][0]", want{keep, "[*][0]: matched nothing, mismatch at [0][0] (length)"}, want{arr(arr(), arr(num(1))), "[*][0]: matched 1, mismatch at [0][0] (length)"}},
		{arr(x(1)), obj("a", x(2)), "[*].x", want{keep, "[*].x: matched nothing, mismatch at the root (kind)"}, want{}},
		{arr(null), arr(null), "[*][*].x", want{keep, "[*][*].x: matched nothing, mismatch at [0] (missing)"}, want{keep, "[*][*].x: matched nothing"}},
		{obj(), obj("t", obj("k", y(1))), "t[*].x", want{keep, "t[*].x: matched nothing, mismatch at t (missing)"}, want{obj("t", obj("k", obj("y", num(1)))), "t[*].x: matched 1"}},
		// What is not known.
		{obj("a", x(1)), obj("a", unknown), "a.x", want{keep, "a.x: matched nothing, mismatch at a (unknown)"}, want{}},
		{obj("a", unknown), obj("a", x(1)), "a.x", want{obj("a", obj()), "a.x: matched 1"}, want{keep, "a.x: matched nothing, mismatch at a (unknown)"}},
		{obj("a", unknown), obj("a", unknown), "a.x", want{keep, "a.x: matched nothing"}, want{}},
		{obj("a", unknown), obj("a", unknown), "a[*].x", want{keep, "a[*].x: matched nothing, mismatch at a (unknown)"}, want{keep, "a[*].x: matched nothing"}},
		{obj("a", x(1)), obj("a", value.Sealed{Ciphertext: "c"}.Value()), "a[*]", want{keep, "a[*]: matched nothing, mismatch at a (unknown)"}, want{}},
		{obj("a", unknown), obj("a", num(1)), "a", want{obj("a", unknown), "a: matched 1"}, want{}},
		// The root.
		{x(1), y(2), "", want{keep, ": matched nothing, mismatch at the root (kind)"}, want{x(1), ": matched 1"}},
	}
}

func TestIgnore(t *testing.T) {
	for i, c := range append(stepRows(), anyRows()...) {
		if c.corrected.report == "" {
			c.corrected = c.engine
		}
		for mode, w := range map[ignore.Mode]ignoreWant{ignore.Engine: c.engine, ignore.Corrected: c.corrected} {
			if w.result.Identical(keepNew()) {
				w.result = c.now
			}
			got := ignore.Changes(c.old, c.now, patternList(c.pattern), mode)
			if !got.Value.Identical(w.result) || reported(got) != w.report {
				t.Errorf("row %d, %v: %v, %s\nwant %v, %s", i, mode, got.Value, reported(got), w.result, w.report)
			}
		}
	}
}

// Marks: copied out of a secret stays secret, containers keep theirs, and what
// was redundant is not added (law 7).
func TestIgnoreMarks(t *testing.T) {
	x := obj("x", num(1), "y", num(1))
	z := obj("x", num(2), "y", num(2))
	both := func(a, b value.Value) value.Value { return obj("x", a, "y", b) }
	dep := func(v value.Value) value.Value { return v.WithDependencies(urnA) }
	for i, c := range []struct {
		old, now value.Value
		pattern  string
		mode     ignore.Mode
		want     value.Value
	}{
		{sec(x), z, "x", ignore.Engine, both(sec(num(1)), num(2))},
		{sec(x), sec(z), "x", ignore.Engine, sec(both(num(1), num(2)))},
		{x, sec(z), "x", ignore.Engine, sec(both(num(1), num(2)))},
		{both(sec(num(1)), num(1)), sec(z), "x", ignore.Engine, sec(both(sec(num(1)), num(2)))},
		{x, both(sec(num(2)), num(2)), "x", ignore.Engine, both(num(1), num(2))},
		{sec(x), z, "[*]", ignore.Engine, both(sec(num(1)), sec(num(1)))},
		{sec(x), z, "[*]", ignore.Corrected, sec(x)},
		{sec(x), sec(arr(z)).Elem(0), "[*]", ignore.Corrected, sec(arr(x)).Elem(0)},
		{sec(obj()), z, "[*]", ignore.Corrected, obj()},
		{sec(x), sec(z), "[*]", ignore.Engine, sec(x)},
		{sec(arr(arr(num(1)))), arr(sec(arr(num(2)))), "[0][0]", ignore.Engine, arr(sec(arr(num(1))))},
		{sec(arr(arr(num(1)))), arr(arr(num(2))), "[0][*]", ignore.Engine, arr(arr(sec(num(1))))},
		{sec(arr(x)).Elem(0), z, "x", ignore.Engine, both(sec(num(1)), num(2))},
		{x, sec(arr(z)).Elem(0), "x", ignore.Engine, sec(arr(both(num(1), num(2)))).Elem(0)},
		{x, sec(arr(z)).Elem(0), "", ignore.Corrected, sec(arr(x)).Elem(0)},
		{sec(arr(x)).Elem(0), sec(arr(z)).Elem(0), "", ignore.Corrected, sec(arr(x)).Elem(0)},
		{sec(x), z, "", ignore.Corrected, sec(x)},
		{x, dep(z), "x", ignore.Engine, dep(z)},
		{dep(x), z, "[*]", ignore.Engine, z},
		{x, dep(z), "x", ignore.Corrected, dep(both(num(1), num(2)))},
		{dep(x), dep(sec(z)), "[*]", ignore.Corrected, dep(sec(x))},
		{both(dep(num(1)), num(1)), z, "x", ignore.Engine, both(dep(num(1)), num(2))},
	} {
		got := ignore.Changes(c.old, c.now, patternList(c.pattern), c.mode)
		if !got.Value.Identical(c.want) {
			t.Errorf("row %d: %#v, want %#v", i, got.Value, c.want)
		}
	}
}

// Several patterns, each applied to the result of the one before.
func TestIgnoreInOrder(t *testing.T) {
	old := sec(obj("a", obj("x", num(1), "y", arr(num(1), num(2))), "b", obj("x", num(1)), "gone", num(1)))
	now := obj("a", obj("x", num(2), "y", arr(num(3)), "z", num(2)), "b", num(2), "new", obj("k", num(2)))
	for i, c := range []struct {
		patterns []string
		want     value.Value
		report   string
	}{
		{nil, now, ""},
		{
			[]string{"a.x", "a.y[0]", "a.z", "new.k", "b"},
			obj("a", obj("x", sec(num(1)), "y", arr(sec(num(1)))), "b", sec(obj("x", num(1))), "new", obj()),
			"a.x: matched 1; a.y[0]: matched 1; a.z: matched 1; new.k: matched 1; b: matched 1",
		},
		{
			[]string{"b.x", "b", "b.x", "b[*]", "b"},
			obj("a", now.Field("a"), "b", sec(obj("x", num(1))), "new", now.Field("new")),
			"b.x: matched nothing, mismatch at [secret] (kind); b: matched 1; b.x: matched 1; b[*]: matched 1; b: matched 1",
		},
		{
			[]string{"[*]", "a.y[*]", "new", "a.x"}, // secret as a whole in the corrected mode
			obj("a", sec(old.Field("a").DropSecret()), "b", sec(old.Field("b").DropSecret()), "gone", sec(num(1))),
			"[*]: matched 4; a.y[*]: matched 2; new: matched nothing; a.x: matched 1",
		},
		{
			[]string{"[*]", "a.x", "a.y[1]", "gone.x.y"}, // likewise
			obj("a", sec(old.Field("a").DropSecret()), "b", sec(old.Field("b").DropSecret()), "gone", sec(num(1))),
			"[*]: matched 4; a.x: matched 1; a.y[1]: matched 1; gone.x.y: matched nothing",
		},
		{
			[]string{"new", "new", "new.k", "gone", "gone", "gone.x"},
			obj("a", now.Field("a"), "b", num(2), "gone", sec(num(1))),
			"new: matched 1; new: matched nothing; new.k: matched nothing; gone: matched 1; gone: matched 1; gone.x: matched nothing",
		},
	} {
		for _, mode := range []ignore.Mode{ignore.Engine, ignore.Corrected} {
			got := ignore.Changes(old, now, patternList(c.patterns...), mode)
			if i > 2 && i < 5 && mode == ignore.Corrected {
				c.want = old
			}
			if !got.Value.Equal(c.want) || reported(got) != c.report {
				t.Errorf("row %d, %v: %#v, %s\nwant %#v, %s", i, mode, got.Value, reported(got), c.want, c.report)
			}
		}
	}
	if got := ignore.Changes(old, now, nil, ignore.Engine); !value.SharesMemory(got.Value, now) || len(got.Patterns) != 0 {
		t.Errorf("no patterns: %v", got)
	}
}

// Places are shown cut at the outermost secret of either side, and no text shows
// what is in one (law 6).
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
		for _, mode := range []ignore.Mode{ignore.Engine, ignore.Corrected} {
			got := ignore.Changes(c.old, c.now, patternList(c.pattern), mode)
			if len(got.Patterns[0].Mismatches) == 0 {
				t.Fatalf("row %d: no mismatch", i)
			}
			m := got.Patterns[0].Mismatches[0]
			if m.At().String() != c.at {
				t.Errorf("row %d, %v: at %v, want %v", i, mode, m.At(), c.at)
			}
			if i == 2 {
				// The result holds what was not secret in new: only the report is looked at.
				got.Value = value.Null()
			}
			held := struct{ i, s any }{got.Patterns, []ignore.Mismatch{m}}
			text, err := json.Marshal([]any{got.Patterns[0].Mismatches, m, m.Why()})
			if i != 1 {
				got.Value = value.Secret(got.Value) // new was in the open
			}
			testkit.CheckCanary(t, canary, got, &got, got.Patterns, m, &m, held, &held, string(text), err)
		}
	}
}

// The report of many mismatches is short as a text, and whole as a list.
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
		ignore.Engine.String():                                      "engine",
		ignore.Corrected.String():                                   "corrected",
		ignore.Mode(9).String():                                     "invalid ignore mode",
		ignore.MissingSide.String():                                 "missing",
		ignore.KindDiffers.String():                                 "kind",
		ignore.LengthDiffers.String():                               "length",
		ignore.UnknownSide.String():                                 "unknown",
		ignore.Reason(9).String():                                   "invalid reason",
		ignore.Mismatch{}.String():                                  "the root (missing)",
		ignore.PatternResult{}.String():                             ": matched nothing",
		fmt.Sprint(ignore.Mismatch{}.At(), ignore.Mismatch{}.Why()): " missing",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
