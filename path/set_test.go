package path_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
)

func genPatterns() *rapid.Generator[[]path.Pattern] {
	small := rapid.Map(genSmallPattern(), func(s []path.Step) path.Pattern { return path.PatternOf(s...) })
	// Many different keys below one place make a wide node.
	wide := rapid.Map(rapid.IntRange(0, 40), func(i int) path.Pattern {
		return path.MustParsePattern("a").Append(path.Key(fmt.Sprint("k", i/2)), path.Index(i))
	})
	return rapid.SliceOfN(rapid.OneOf(small, small, wide), 0, 40)
}

// A Set answers as a loop over its patterns does, and so does a walk.
func TestSetTheHardWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := genPatterns().Draw(t, "patterns")
		set := path.NewSet(patterns...)
		if set.Len() != len(patterns) {
			t.Fatalf("%d patterns", set.Len())
		}
		for i, p := range set.Patterns() {
			if p != patterns[i] {
				t.Fatalf("pattern %d is %v", i, p)
			}
		}
		for range 8 {
			p := genSmallPath().Draw(t, "path")
			if rapid.IntRange(0, 3).Draw(t, "wide") == 0 {
				p = path.MustParse("a").Member(fmt.Sprint("k", rapid.IntRange(0, 21).Draw(t, "k"))).Elem(rapid.IntRange(0, 41).Draw(t, "i")).Join(p.Prefix(1))
			}
			checkSet(t, set, patterns, p)
		}
	})
}

// checkSet compares the answers for one path.
func checkSet(t *rapid.T, set *path.Set, patterns []path.Pattern, p path.Path) {
	var matches []int
	covers, touches := false, false
	for i, q := range patterns {
		covers = covers || q.Covers(p)
		touches = touches || q.Touches(p)
		if q.Matches(p) {
			matches = append(matches, i)
		}
	}
	if at := set.At(p); set.Covers(p) != covers || at.MatchesAbove() != covers || at.MayMatchBelow() != touches || !slices.Equal(slices.Collect(at.Matched()), matches) {
		t.Fatalf("%v on %v: covers %v and %v, touches %v, matches %v", patterns, p, set.Covers(p), at.MatchesAbove(), at.MayMatchBelow(), slices.Collect(at.Matched()))
	}
	st := set.Matcher()
	for s := range p.Steps() {
		if name, ok := s.AsKey(); ok {
			st = st.Next(path.Key(name))
		} else if i, ok := s.AsIndex(); ok {
			st = st.Next(path.Index(i))
		}
	}
	got := slices.Collect(st.Matched())
	if st.MatchesAbove() != covers || st.MayMatchBelow() != touches || st.Matches() != (len(matches) > 0) || !slices.Equal(got, matches) {
		t.Fatalf("%v, walk to %v: covers %v, touches %v, ends %v, matched %v", patterns, p, st.MatchesAbove(), st.MayMatchBelow(), st.Matches(), got)
	}
}

func TestEmptySets(t *testing.T) {
	for i, set := range []*path.Set{nil, {}, path.NewSet()} {
		p := path.MustParse("a[0]")
		st := set.Matcher().Next(path.Key("a")).Next(path.Index(0))
		if set.Len() != 0 || set.Covers(p) || set.At(path.Of()).MayMatchBelow() || set.At(path.Of()).Matches() {
			t.Errorf("row %d: answers", i)
		}
		if st.MatchesAbove() || st.Matches() || st.MayMatchBelow() || len(slices.Collect(st.Matched())) != 0 {
			t.Errorf("row %d: state", i)
		}
		if len(maps.Collect(set.Patterns())) != 0 {
			t.Errorf("row %d: patterns", i)
		}
	}
}

func TestSetKeepsItsPatterns(t *testing.T) {
	patterns := []path.Pattern{path.MustParsePattern("a"), path.MustParsePattern("b")}
	set := path.NewSet(patterns...)
	patterns[0] = path.MustParsePattern("z")
	if got := slices.Collect(maps.Values(maps.Collect(set.Patterns()))); slices.Contains(got, patterns[0]) || !set.Covers(path.MustParse("a")) {
		t.Error("the caller's slice is the set's")
	}
	for range set.Patterns() {
		break
	}
	for range set.Matcher().Next(path.Key("a")).Matched() {
		break
	}
}

// A Matcher is a value: one walk does not disturb another from the same place.
func TestStateIsAValue(t *testing.T) {
	var patterns []path.Pattern
	for _, text := range []string{"[*].x", "a.x", "[*][*]", "a[*]", "a.y", "[*].y", "[*].z.z", "a.z.z", "a.z[*]"} {
		patterns = append(patterns, path.MustParsePattern(text))
	}
	at := path.NewSet(patterns...).Matcher().Next(path.Key("a"))
	x, y, z := at.Next(path.Key("x")), at.Next(path.Key("y")), at.Next(path.Key("z"))
	for i, c := range []struct {
		st   path.Matcher
		want []int
	}{{x, []int{0, 1, 2, 3}}, {y, []int{2, 3, 4, 5}}, {z, []int{2, 3}}, {z.Next(path.Key("z")), []int{6, 7, 8}}, {at, nil}} {
		if got := slices.Collect(c.st.Matched()); !slices.Equal(got, c.want) {
			t.Errorf("row %d: %v, want %v", i, got, c.want)
		}
	}
}

func TestSetIsSharedFreely(t *testing.T) {
	set := path.NewSet(path.MustParsePattern("a[*].b"), path.MustParsePattern("[*].x"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				if !set.Covers(path.MustParse("a.q.b.c")) || set.Matcher().Next(path.Key("a")).Next(path.Index(0)).Next(path.Key("c")).MayMatchBelow() {
					t.Error("wrong answer")
				}
			}
		})
	}
	wg.Wait()
}

// Live nodes are as many as patterns that match so far at the very most: a
// walk that kept one for every way to match would keep 2^40 here.
func TestNoExponentialState(t *testing.T) {
	const depth = 40
	var patterns []path.Pattern
	for i := range 200 {
		p := path.Pattern{}
		for d := range depth {
			if i>>(d%8)&1 == 1 {
				p = p.Append(path.Any())
			} else {
				p = p.Append(path.Key("a"))
			}
		}
		patterns = append(patterns, p)
	}
	set := path.NewSet(patterns...)
	kit.Within(t, "matching", 10*time.Second, func() {
		st, p := set.Matcher(), path.Path{}
		for range depth {
			st, p = st.Next(path.Key("a")), p.Member("a")
		}
		if got := len(slices.Collect(st.Matched())); got != len(patterns) || !set.Covers(p) {
			t.Errorf("%d matched", got)
		}
	})
}

// The time of a question does not grow with the number of patterns: a search
// through all of them, or through the children of one place, takes minutes.
func TestManyPatternsCostNoTime(t *testing.T) {
	const n = 100_000
	ranked := func(i int) path.Path { return path.Of(path.Key(fmt.Sprintf("%06d of one rank", i))) }
	patterns := make([]path.Pattern, 3*n)
	for i := range n {
		key := path.Key(fmt.Sprint("k", i))
		patterns[2*i] = path.PatternOf(key, path.Any(), path.Key("x"))
		patterns[2*i+1] = path.PatternOf(path.Key("all"), path.Index(i))
		patterns[2*n+i] = ranked(i).Pattern()
	}
	kit.Within(t, "asking", 10*time.Second, func() {
		set := path.NewSet(patterns...)
		for i := range n {
			if !set.Covers(path.Of(path.Key(fmt.Sprint("k", i)), path.Index(i), path.Key("x"))) || !set.Covers(ranked(i)) || set.Covers(ranked(n+i)) || !set.At(path.Of(path.Key("all"), path.Index(i))).Matches() {
				t.Fatal(i)
			}
		}
	})
}

func TestMustSet(t *testing.T) {
	set := path.MustSet("a.b", "rules[*].port")
	for text, want := range map[string]bool{"a.b": true, "rules[3].port": true, "a": false, "rules": false} {
		if set.At(path.MustParse(text)).Matches() != want {
			t.Errorf("Matches(%q) is %v", text, !want)
		}
	}

	if path.MustSet().Len() != 0 {
		t.Error("a set of nothing is not empty")
	}

	defer func() {
		if got, want := recover(), `path: "a[": offset 2: expected index, quoted key or '*', found end of input`; got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
	}()
	path.MustSet("a", "a[")
}

// With wildcards of any depth, a lookup is linear in the path and in the patterns.
func TestSetAnyDepthCost(t *testing.T) {
	long := func(n int) path.Path { return path.Of(slices.Repeat([]path.Step{path.Key("a")}, n)...) }
	kit.Grows(t, "a path", 20_000, func(n int) func() {
		set, p := path.MustSet("[**].a[**].a[**].b", "[**].a[*][**].c[**]", "a[**].a.a.a.a.a"), long(n)
		return func() { set.Covers(p) }
	})
	kit.Grows(t, "patterns", 5_000, func(n int) func() {
		var patterns []path.Pattern
		for i := range n {
			patterns = append(patterns, path.PatternOf(path.AnyDepth(), path.Key("a"), path.AnyDepth(), path.Key(fmt.Sprint(i))))
		}
		set, p := path.NewSet(patterns...), long(40)
		return func() { set.Covers(p) }
	})
	kit.Grows(t, "wildcards", 20_000, func(n int) func() {
		pattern := path.PatternOf(slices.Repeat([]path.Step{path.AnyDepth()}, n)...)
		return func() { path.NewSet(pattern).Covers(path.Path{}) }
	})
}
