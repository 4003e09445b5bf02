package laws

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law19Arrays is the law that where elements are matched other than by index, and
// one of them holds an unknown, every change inside the array is *maybe*, since
// which elements are compared is a guess; the array itself is *changed* when it is
// longer or shorter; and a diff that is *changed* is between values that are.
func Law19Arrays(t *rapid.T) {
	pair := drawPair(t, rapid.OneOf(fuzz.ListPairs(fuzz.Options{Nodes: 12}), fuzz.Pairs(fuzz.Options{Nodes: 12})))
	o := diff.Options{Relation: Relations().Draw(t, "relation"), Arrays: Matches().Draw(t, "match")}
	d := diff.Between(pair.Old, pair.New, o)
	if d.Verdict() == value.Changed && o.Relation.Compatible(pair.Old, pair.New) != value.Changed {
		t.Fatalf("%v, %v: changed, but the values may be the same", o.Relation, o.Arrays)
	}

	gravest := value.Same
	for c := range d.Changes() {
		gravest = max(gravest, c.Verdict())
		if o.Arrays != diff.Positional() && guessed(pair, c) && c.Verdict() != value.Maybe {
			t.Fatalf("%v, %v: %v at %v is %v, below an array with unknowns", o.Relation, o.Arrays, c.Op(), c.NewPath(), c.Verdict())
		}
	}
	if gravest != d.Verdict() || (d.Certain() && gravest == value.Maybe) {
		t.Fatalf("%v, %v: the gravest change is %v, of the diff %v, certain %v", o.Relation, o.Arrays, gravest, d.Verdict(), d.Certain())
	}
}

// guessed reports whether a change is in an array that is on both sides and holds
// an unknown on one.
func guessed(pair fuzz.Pair, c diff.Change) bool {
	old, now := []path.Step{}, []path.Step{}
	for s := range c.OldPath().Steps() {
		old = append(old, s)
	}
	for s := range c.NewPath().Steps() {
		now = append(now, s)
	}
	for n := range min(len(old), len(now)) {
		x, _ := pair.Old.At(path.Of(old[:n]...))
		y, _ := pair.New.At(path.Of(now[:n]...))
		if x.Kind() == value.KindArray && y.Kind() == value.KindArray && (x.ContainsUnknown() || y.ContainsUnknown()) {
			return true
		}
	}

	return false
}
