package laws

import (
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

// Law11PatternsTotal is the law that over any value (mixed, missing, unknown and secret parts)
// and any path, a pattern, a set of patterns, what is made of two sets by Union and Except, and
// a walk through any of them say the same as the definitions of these words do; and a walk
// names exactly the patterns that match. What is covered is covered whole, and where nothing
// may match below, nothing does.
func Law11PatternsTotal(t *rapid.T) {
	v := drawValue(t, fuzz.Values(fuzz.Options{}), "v")
	in := trees.Paths(v)
	paths := slices.Concat(in, []path.Path{placesIn(v).Draw(t, "near"), fuzz.Paths().Draw(t, "far")})
	of := combined{set: fuzz.Internal.Sets(in...).Draw(t, "set")}
	checkPatterns(t, of, paths)
	for range rapid.IntRange(0, 3).Draw(t, "others") {
		was, other := of, combined{set: fuzz.Internal.Sets(in...).Draw(t, "other")}
		op := rapid.SampledFrom([]string{"union", "except", "turned", "inner"}).Draw(t, "op")
		switch op {
		case "union":
			of = combined{of.set.Union(other.set), op, &was, &other}
		case "except":
			of = combined{of.set.Except(other.set), op, &was, &other}
		case "turned":
			of = combined{other.set.Except(of.set), "except", &other, &was}
		case "inner":
			of = combined{other.set.Union(of.set), "union", &other, &was}
		}
		checkPatterns(t, of, paths)
	}
}

// combined is a set and how it was made.
type combined struct {
	set         *path.Set
	op          string // of left and right, or none
	left, right *combined
}

// said is what is said of a set and a path.
type said struct {
	covers, touches, matches bool
	numbers                  []int
}

// of says it by the definitions.
func (c *combined) of(p path.Path) (s said) {
	if c.op == "" {
		for i, pattern := range c.set.Patterns() {
			covers, touches, matches := relate(slices.Collect(pattern.Steps()), slices.Collect(p.Steps()))
			s.covers, s.touches, s.matches = s.covers || covers, s.touches || touches, s.matches || matches
			if matches {
				s.numbers = append(s.numbers, i)
			}
		}
		return s
	}

	l, r := c.left.of(p), c.right.of(p)
	if c.op == "union" {
		for _, i := range r.numbers {
			l.numbers = append(l.numbers, c.left.set.Len()+i)
		}
		return said{l.covers || r.covers, l.touches || r.touches, l.matches || r.matches, l.numbers}
	}
	if r.covers {
		return said{}
	}
	return said{l.covers && !r.touches, l.touches || (l.covers && r.touches), l.matches, l.numbers}
}

// relate says how a pattern and a path relate, by its definition, step by step: whether the
// pattern covers the path, touches it, and matches it.
func relate(pattern []path.Step, p []path.Step) (covers, touches, matches bool) {
	switch {
	case len(pattern) == 0:
		return true, len(p) == 0, len(p) == 0
	case pattern[0].IsAnyDepth():
		for n := range len(p) + 1 { // the number of steps that the wildcard is
			c, _, m := relate(pattern[1:], p[n:])
			covers, matches = covers || c, matches || m
		}
		return covers, true, matches
	case len(p) == 0:
		return false, true, false
	case pattern[0].IsWildcard() || pattern[0] == p[0]:
		return relate(pattern[1:], p[1:])
	}
	return false, false, false
}

func checkPatterns(t *rapid.T, c combined, paths []path.Path) {
	for _, p := range paths {
		want := c.of(p)
		for _, pattern := range c.set.Patterns() {
			covers, touches, matches := relate(slices.Collect(pattern.Steps()), slices.Collect(p.Steps()))
			if pattern.Covers(p) != covers || pattern.Touches(p) != touches || pattern.Matches(p) != matches {
				t.Fatalf("%v and %v: covers %v, touches %v, matches %v, should be %v, %v, %v",
					pattern, p, pattern.Covers(p), pattern.Touches(p), pattern.Matches(p), covers, touches, matches)
			}
		}

		walk := c.set.Matcher()
		var above said
		for s := range p.Steps() {
			above = said{covers: walk.MatchesAbove(), touches: walk.MatchesAbove() || walk.MayMatchBelow()}
			walk = walk.Next(s)
			if (above.covers && !walk.MatchesAbove()) || (!above.touches && (walk.MatchesAbove() || walk.MayMatchBelow())) {
				t.Fatalf("the walk to %v: above %v, may match below %v after %v", p, walk.MatchesAbove(), walk.MayMatchBelow(), above)
			}
		}
		for _, m := range []path.Matcher{walk, c.set.At(p)} {
			got := said{m.MatchesAbove(), m.MayMatchBelow(), m.Matches(), slices.Collect(m.Matched())}
			if got.covers != want.covers || got.touches != want.touches || got.matches != want.matches || !slices.Equal(got.numbers, want.numbers) {
				t.Fatalf("the set at %v: %+v, should be %+v", p, got, want)
			}
		}
		if c.set.Covers(p) != want.covers {
			t.Fatalf("the set covers %v: %v", p, !want.covers)
		}
	}
}
