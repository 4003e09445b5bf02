package laws

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law12IgnoreChanges is the law that setting properties back invents nothing and touches nothing
// else: all content of the result is at its place in old or in new, secret
// if it was there; what no pattern leads to is as it was in new; no patterns, no
// change. Doing it again changes nothing (in the engine's mode: for one pattern).
// In the corrected mode, where no mismatch is reported, everything that a pattern
// matches on either side is Identical to what it is in old but for a secret mark
// more, and equal where that is below an unknown. Same inputs, same result and report.
func Law12IgnoreChanges(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Nodes: 14}))
	in := slices.Concat(trees.Paths(pair.Old), trees.Paths(pair.New), belowUnknowns(pair.Old), belowUnknowns(pair.New))
	patterns := rapid.SliceOfN(rapid.OneOf(fuzz.PatternsFor(in...), fuzz.PatternsFor(in...), fuzz.Patterns()), 0, 4).Draw(t, "patterns")
	for _, mode := range []ignore.Mode{ignore.AsEngine, ignore.Corrected} {
		got := ignore.Changes(pair.Old, pair.New, patterns, mode)
		if len(patterns) == 0 && !value.Internal.SharesMemory(got.Value, pair.New) {
			t.Fatalf("%v: no patterns, and a change: %s", mode, fuzz.GoSource(got.Value))
		}

		checkReport(t, got, patterns, mode)
		checkInvented(t, pair, got.Value)
		checkUntouched(t, pair.New, got.Value, patterns)
		checkAgain(t, pair, got, patterns, mode)
		if mode == ignore.Corrected {
			checkSetBack(t, pair.Old, pair.New, got, patterns)
		}
	}
}

// belowUnknowns are paths to what may be in the unknowns of a value.
func belowUnknowns(v value.Value) []path.Path {
	var below []path.Path

	for _, p := range trees.Paths(v) {
		if at, _ := v.At(p); at.IsUnknown() {
			below = append(below, p.Member("a"), p.Elem(0))
		}
	}
	return below
}

// checkReport: at most one result for each pattern, in order, each with an effect, and
// in the engine's mode with one mismatch at most.
func checkReport(t *rapid.T, got ignore.Result, patterns []path.Pattern, mode ignore.Mode) {
	next := 0
	for _, r := range got.Patterns {
		switch {
		case r.Index < next || r.Index >= len(patterns) || r.Pattern != patterns[r.Index]:
			t.Fatalf("%v: pattern %d of %v is not %v", mode, r.Index, patterns, r.Pattern)
		case r.Matched == 0 && len(r.Mismatches) == 0, mode == ignore.AsEngine && len(r.Mismatches) > 1:
			t.Fatalf("%v: the report on %v is %v", mode, r.Pattern, r)
		}

		next = r.Index + 1
	}
}

// checkInvented looks for every place of the result in the two values.
func checkInvented(t *rapid.T, pair fuzz.Pair, result value.Value) {
	for c := range result.Walk() {
		known := false

		for _, side := range []value.Value{pair.Old, pair.New} {
			v, there := side.At(c.Path())
			known = known || (there && sameContent(v, c.Value()) && (!v.IsSecret() || c.Value().IsSecret()))
		}
		if !known {
			t.Fatalf("%v is in neither value as it is in the result: %s", c.Path(), fuzz.GoSource(result))
		}
	}
}

// sameContent compares two values but for secret marks, and but for what is in
// containers.
func sameContent(v, w value.Value) bool {
	if !v.Kind().IsContainer() {
		return trees.WithMarks(v.DropSecret(), value.Null()).Identical(trees.WithMarks(w.DropSecret(), value.Null()))
	}
	return v.Kind() == w.Kind() && slices.Equal(slices.Collect(v.Dependencies()), slices.Collect(w.Dependencies()))
}

// checkUntouched: what no pattern covers or touches is as it was.
func checkUntouched(t *rapid.T, now, result value.Value, patterns []path.Pattern) {
	set := path.NewSet(patterns...)
	for _, p := range trees.Paths(now) {
		if set.Covers(p) || set.At(p).MayMatchBelow() {
			continue
		}

		before, _ := now.At(p)
		if after, there := result.At(p); !there || !after.Identical(before) {
			t.Fatalf("%v was not named, and is %s", p, fuzz.GoSource(after))
		}
	}
}

// checkAgain applies the patterns once more, to copies, and to the result.
func checkAgain(t *rapid.T, pair fuzz.Pair, got ignore.Result, patterns []path.Pattern, mode ignore.Mode) {
	same := ignore.Changes(trees.Copy(pair.Old), trees.Copy(pair.New), patterns, mode)
	if !same.Value.Identical(got.Value) || fmt.Sprint(same.Patterns) != fmt.Sprint(got.Patterns) {
		t.Fatalf("%v: of copies the result is %s, %v", mode, fuzz.GoSource(same.Value), same.Patterns)
	}

	if mode == ignore.AsEngine && len(patterns) > 1 {
		patterns = patterns[len(patterns)-1:] // see ignore.Changes
	}
	again := ignore.Changes(pair.Old, got.Value, patterns, mode)
	if !again.Value.Identical(got.Value) {
		t.Fatalf("%v: applied again, the result is %s, was %s", mode, fuzz.GoSource(again.Value), fuzz.GoSource(got.Value))
	}
}

// isReached reports whether a pattern leads to a place: one with the wildcard of any depth does
// through what both sides have, without mismatches elsewhere.
func isReached(old, now value.Value, pattern path.Pattern, p path.Path) bool {
	if !slices.ContainsFunc(slices.Collect(pattern.Steps()), path.Step.IsAnyDepth) {
		return true
	}
	for step, rest, ok := p.Cut(); ok; step, rest, ok = rest.Cut() {
		i, _ := step.AsIndex()
		if old.Kind() != now.Kind() || !old.Kind().IsContainer() || (!step.IsKey() && i >= min(old.Len(), now.Len())) {
			return false
		}
		old, _ = old.At(path.Of(step))
		now, _ = now.At(path.Of(step))
	}
	return true
}

// checkSetBack: a pattern without mismatches has set back what it matches.
func checkSetBack(t *rapid.T, old, now value.Value, got ignore.Result, patterns []path.Pattern) {
	for i, pattern := range patterns {
		mismatches := func(r ignore.PatternResult) bool { return r.Index == i && len(r.Mismatches) > 0 }
		if slices.ContainsFunc(got.Patterns, mismatches) {
			continue
		}

		check := func(same func(v, w value.Value) bool, paths ...path.Path) {
			for _, p := range paths {
				before, was := old.At(p)
				after, is := got.Value.At(p)
				if pattern.Matches(p) && isReached(old, now, pattern, p) && (was != is || (was && !same(before, after)) || (before.IsSecret() && !after.IsSecret())) {
					t.Fatalf("%v, which %v matches, is not as it was: %s", p, pattern, fuzz.GoSource(after))
				}
			}
		}
		check(func(v, w value.Value) bool { return v.DropSecret().Identical(w.DropSecret()) }, slices.Concat(trees.Paths(old), trees.Paths(now))...)
		check(value.IgnoreSecrets.Equal, slices.Concat(belowUnknowns(old), belowUnknowns(now))...)
	}
}
