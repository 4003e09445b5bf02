package diff_test

import (
	"testing"

	"github.com/propalg/propalg/diff"
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
		for _, mode := range []diff.IgnoreMode{diff.EngineIgnore, diff.CorrectedIgnore} {
			for i, old := range olds {
				for j, now := range nows {
					together, one := diff.Ignore(old, now, patterns, mode), now
					for k, p := range patterns {
						alone := diff.Ignore(old, one, []path.Pattern{p}, mode)
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
