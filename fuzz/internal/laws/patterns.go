package laws

import (
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

// Law11PatternsTotal is the law that over any value (mixed, missing, unknown and secret parts)
// and any path, a pattern, a set of patterns and a walk through that set say the
// same as matching step by step does; and a walk names exactly the patterns that match.
func Law11PatternsTotal(t *rapid.T) {
	v := drawValue(t, fuzz.Values(fuzz.Options{}), "v")
	in := trees.Paths(v)
	set := fuzz.Internal.Sets(in...).Draw(t, "set")
	paths := slices.Concat(in, []path.Path{placesIn(v).Draw(t, "near"), fuzz.Paths().Draw(t, "far")})

	for _, p := range paths {
		checkPatterns(t, set, p)
	}
}

// matchSteps matches a pattern with a path, step by step: how far both go
// together, and what is left of each.
func matchSteps(pattern path.Pattern, p path.Path) (patternLeft, pathLeft int) {
	ps, ss := slices.Collect(pattern.Steps()), slices.Collect(p.Steps())
	n := 0
	for n < len(ps) && n < len(ss) {
		if !ps[n].IsWildcard() && ps[n] != ss[n] {
			break
		}
		n++
	}

	return len(ps) - n, len(ss) - n
}

func checkPatterns(t *rapid.T, set *path.Set, p path.Path) {
	covers, touches, matches := false, false, false
	for _, pattern := range set.Patterns() {
		below, above := matchSteps(pattern, p)
		c, o, m := below == 0, above == 0, below == 0 && above == 0
		if pattern.Covers(p) != c || pattern.Touches(p) != o || pattern.Matches(p) != m {
			t.Fatalf("%v and %v: covers %v, touches %v, matches %v, should be %v, %v, %v",
				pattern, p, pattern.Covers(p), pattern.Touches(p), pattern.Matches(p), c, o, m)
		}
		covers, touches, matches = covers || c, touches || o, matches || m
	}
	if set.Covers(p) != covers || set.At(p).MayMatchBelow() != touches || set.At(p).Matches() != matches {
		t.Fatalf("the set and %v: covers %v, touches %v, matches %v, should be %v, %v, %v",
			p, set.Covers(p), set.At(p).MayMatchBelow(), set.At(p).Matches(), covers, touches, matches)
	}

	checkWalkTo(t, set, p, covers, touches, matches)
}

// checkWalkTo walks through the set to a path, one step at a time.
func checkWalkTo(t *rapid.T, set *path.Set, p path.Path, covers, touches, matches bool) {
	st := set.Matcher()
	for s := range p.Steps() {
		st = st.Next(s)
	}
	if st.MatchesAbove() != covers || st.MayMatchBelow() != touches || st.Matches() != matches {
		t.Fatalf("the walk to %v: above %v, may match below %v, matches %v, should be %v, %v, %v",
			p, st.MatchesAbove(), st.MayMatchBelow(), st.Matches(), covers, touches, matches)
	}

	var ends []int
	for i, pattern := range set.Patterns() {
		if pattern.Matches(p) {
			ends = append(ends, i)
		}
	}
	if got := slices.Collect(st.Matched()); !slices.Equal(got, ends) {
		t.Fatalf("the walk to %v matched %v, should have %v", p, got, ends)
	}
}
