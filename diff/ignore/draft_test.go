package ignore_test

import (
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// markedWays is a value with all marks that there are.
func markedWays(v value.Value) []value.Value {
	const urn = "urn:pulumi:s::p::t:m:T::n"
	with := v.WithDependencies(urn)
	return []value.Value{v, value.Secret(v), with, value.Secret(with)}
}

// Patterns together, in drafts, are patterns one after the other, by edits of the whole
// value, whatever marks the containers have that they lead through.
func TestIgnoreTogether(t *testing.T) {
	number := func(key string, n float64) value.Member { return value.Member{Key: key, Value: value.Number(n)} }
	root := func(object, array value.Value) value.Value {
		return value.Object(value.Member{Key: "a", Value: object}, value.Member{Key: "l", Value: array}, number("z", 1))
	}
	var olds, nows []value.Value
	inner := value.Object(number("x", 1), number("y", 2))
	for _, o := range markedWays(value.Object(number("k", 1), value.Member{Key: "m", Value: inner})) {
		olds = append(olds, markedWays(root(o, value.Array(o, value.Number(1))))...)
	}
	for _, n := range markedWays(value.Object(number("k", 2), number("n", 2), value.Member{Key: "m", Value: value.Object(number("x", 3))})) {
		nows = append(nows, markedWays(root(n, value.Array(n, value.Number(2))))...)
	}
	for _, texts := range [][]string{
		{"[*]", "[*]"},
		{"a[*]", "a[*]"},
		{"a[*]", "a.k"},
		{"a[*]", "a.m.x"},
		{"[*]", "a.k"},
		{"[*]", "a[*]", "l[0].k"},
		{"l[*]", "l[*]"},
		{"l[*]", "l[0].k"},
		{"l[0][*]", "l[1]"},
		{"a.m.x", "a.m.x"},
		{"[*].k", "a.n"},
		{"a[*].x", "z"},
	} {
		patterns := patternList(texts...)
		for _, mode := range []ignore.Mode{ignore.Engine, ignore.Corrected} {
			for i, old := range olds {
				for j, now := range nows {
					together, one := ignore.Changes(old, now, patterns, mode), now
					for k, p := range patterns {
						alone := ignore.Changes(old, one, []path.Pattern{p}, mode)
						one = alone.Value
						if got, want := alone.Patterns[0].String(), together.Patterns[k].String(); got != want {
							t.Errorf("%v %v, marks %d, %d: alone %s, together %s", mode, texts, i, j, got, want)
						}
					}
					if !one.Identical(together.Value) {
						t.Fatalf("%v %v, marks %d, %d: one by one %v, together %v", mode, texts, i, j, one, together.Value)
					}
				}
			}
		}
	}
}

// What is below one and the same unknown is as it was; where unknowns differ in a
// mark, or sealed secrets at all, it cannot be set back, and the report says so.
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
				got := ignore.Changes(old, now, patternList(append([]string{text}, more...)...), ignore.Corrected)
				r := got.Patterns[0]
				same := len(r.Mismatches) == 0
				if same != c.same || !same && (len(r.Mismatches) != 1 || r.Mismatches[0].Why() != ignore.UnknownSide) || r.Matched > 0 ||
					!got.Value.Field("a").Identical(now.Field("a")) {
					t.Errorf("row %d: %v: %v", i, r, got.Value)
				}
			}
		}
	}
}
