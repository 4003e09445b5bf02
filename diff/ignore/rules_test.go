package ignore_test

import (
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/value"
)

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

// keepNew means that the result is the new value.
func keepNew() value.Value { return value.Sealed{Ciphertext: "the result is new"}.Value() }

// stepRows are the rows for keys and indexes of the table in
// docs/notes/ignorechanges.md, cell by cell, with the corrections.
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

// anyRows are the rows for the wildcard, for unknowns, and for the root.
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
		// Any depth: through what both have, and of several mismatches the engine reports one.
		{obj("x", num(1), "a", arr(x(1), num(1))), obj("x", num(2), "a", arr(x(2))), "[**].x", want{obj("x", num(1), "a", arr(x(1))), "[**].x: matched 2"}, want{}},
		{obj(), obj("t", obj("u", y(1))), "[**].x", want{keep, "[**].x: matched nothing"}, want{obj("t", obj("u", obj("y", num(1)))), "[**].x: matched 1"}},
		{obj("a", arr(null)), obj("a", value.Bool(true)), "[**][*][0]", want{keep, "[**][*][0]: matched nothing, mismatch at a (kind)"}, want{keep, "[**][*][0]: matched nothing, mismatch at a (kind), mismatch at a (kind)"}},
		{obj("a", arr(), "b", num(1)), obj("a", obj()), "[**].b[*]", want{keep, "[**].b[*]: matched nothing, mismatch at a (kind)"}, want{keep, "[**].b[*]: matched nothing, mismatch at a (kind), mismatch at b (missing)"}},
		{obj("a", obj("b", num(1)), "b", num(1)), obj("a", num(5), "b", num(2)), "[**].b", want{keep, "[**].b: matched nothing, mismatch at a (kind)"}, want{obj("a", num(5), "b", num(1)), "[**].b: matched 1, mismatch at a (kind)"}},
		{obj("b", obj("b", obj())), obj("b", obj()), "[**].b.b.c", want{keep, "[**].b.b.c: matched nothing, mismatch at b.b (missing)"}, want{keep, "[**].b.b.c: matched nothing, mismatch at b.b (missing), mismatch at b.b (missing)"}},
		{obj("a", x(1)), obj("a", x(2)), "[**].a[**]", want{obj("a", x(1)), "[**].a[**]: matched 1"}, want{}},
		{obj("a", x(1)), obj(), "[**].a[*]", want{keep, "[**].a[*]: matched nothing, mismatch at a (missing)"}, want{}},
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
		for mode, w := range map[ignore.Mode]ignoreWant{ignore.AsEngine: c.engine, ignore.Corrected: c.corrected} {
			if w.result.Identical(keepNew()) {
				w.result = c.now
			}
			patterns := patternList(c.pattern)
			got := ignore.Changes(c.old, c.now, patterns, mode)
			if !got.Value.Identical(w.result) || reported(got, patterns) != w.report {
				t.Errorf("row %d, %v: %v, %s\nwant %v, %s", i, mode, got.Value, reported(got, patterns), w.result, w.report)
			}
		}
	}
}

// TestIgnoreBelowUnknowns checks that what is below the same unknown on both sides is as
// it was, and that a mismatch is reported where unknowns differ in a mark, or sealed
// secrets in anything.
func TestIgnoreBelowUnknowns(t *testing.T) {
	unknown, list := value.Unknown(), value.UnknownOf(value.KindArray)
	sealed := func(s string) value.Value { return value.Sealed{Ciphertext: s}.Value() }
	for i, c := range []struct {
		old, now value.Value
		same     bool
	}{
		{unknown, unknown, true},
		{unknown, list, true},
		{unknown, value.Secret(unknown), true},
		{value.Secret(unknown), unknown, false},
		{dep(unknown, urnA), dep(list, urnA), true},
		{dep(unknown, urnA), dep(unknown, urnB), false},
		{dep(unknown, urnA), unknown, false},
		{sealed("x"), sealed("x"), true},
		{sealed("x"), sealed("y"), false},
		{sealed("x"), value.Secret(unknown), false},
		{unknown, num(1), false},
		{obj("b", num(1)), unknown, false},
	} {
		for _, text := range []string{"a.b", "a.b.c", "a[0]", "a[*]", "a[*].c"} {
			for _, more := range [][]string{nil, {"z.x"}} { // alone, and not
				old, now := obj("a", c.old, "z", obj("x", num(1))), obj("a", c.now, "z", obj("x", num(2)))
				patterns := patternList(append([]string{text}, more...)...)
				got := ignore.Changes(old, now, patterns, ignore.Corrected)
				r := every(got, patterns)[0]
				same := len(r.Mismatches) == 0
				if same != c.same || (!same && (len(r.Mismatches) != 1 || r.Mismatches[0].Why() != "unknown")) || r.Matched > 0 ||
					!got.Value.Field("a").Identical(now.Field("a")) {
					t.Errorf("row %d: %v: %v", i, r, got.Value)
				}
			}
		}
	}
}
