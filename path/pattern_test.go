package path_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

func TestPatternMatchTable(t *testing.T) {
	for i, c := range []struct {
		pattern, path            string
		matches, covers, touches bool
	}{
		{"", "", true, true, true},
		{"", "a", false, true, false},
		{"a", "", false, false, true},
		{"a", "a", true, true, true},
		{"a", "a.b", false, true, false},
		{"a", "b", false, false, false},
		{"a.b", "a", false, false, true},
		{"a.b", "a.c", false, false, false},
		{"[*]", "a", true, true, true},
		{"[*]", "[0]", true, true, true},
		{"[*]", `["*"]`, true, true, true},
		{"[*]", "[2147483647]", true, true, true},
		{`["*"]`, "a", false, false, false},
		{`["*"]`, `["*"]`, true, true, true},
		{"a[*].b", "a[0].b", true, true, true},
		{"a[*].b", "a.x.b[1]", false, true, false},
		{"a[*].b", "a[0]", false, false, true},
		{"a[*].b", "a[0].c", false, false, false},
		{"[0]", `["0"]`, false, false, false},
	} {
		p, q := path.MustParsePattern(c.pattern), path.MustParse(c.path)
		if p.Matches(q) != c.matches || p.Covers(q) != c.covers || p.Touches(q) != c.touches {
			t.Errorf("row %d %q on %q: %v %v %v", i, c.pattern, c.path, p.Matches(q), p.Covers(q), p.Touches(q))
		}
		s := path.NewSet(p)
		if at := s.At(q); at.Matches() != c.matches || s.Covers(q) != c.covers || at.MayMatchBelow() != c.touches {
			t.Errorf("row %d set of %q on %q: %v %v %v", i, c.pattern, c.path, at.Matches(), s.Covers(q), at.MayMatchBelow())
		}
	}
}

// slowMatch says how many steps of the pattern match those of the path, one
// by one.
func slowMatch(pattern []path.Step, steps []path.Step) int {
	n := 0
	for n < min(len(pattern), len(steps)) && (pattern[n].IsWildcard() || pattern[n] == steps[n]) {
		n++
	}
	return n
}

func TestPatternsAreSlicesOfSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := genSmallPattern().Draw(t, "pattern")
		steps := slices.Collect(genSmallPath().Draw(t, "path").Steps())
		p, q := path.PatternOf(pattern...), path.Of(steps...)
		n := slowMatch(pattern, steps)
		covers, touches := n == len(pattern), n == len(steps)
		if p.Covers(q) != covers || p.Touches(q) != touches || p.Matches(q) != (covers && touches) {
			t.Fatalf("%v on %v: covers %v, touches %v, matches %v", p, q, p.Covers(q), p.Touches(q), p.Matches(q))
		}
		wild := slices.Contains(pattern, path.Any())
		back, ok := p.Path()
		if ok == wild || (ok && back.Pattern() != p) || len(slices.Collect(p.Steps())) != len(pattern) || p.IsRoot() != (len(pattern) == 0) {
			t.Fatalf("%v: path %v, %v", p, back, ok)
		}
		other := genSmallPattern().Draw(t, "other")
		r := path.PatternOf(other...)
		both := slices.Concat(pattern, other)
		if p.Append(other...) != path.PatternOf(both...) || p.Equal(r) != slices.Equal(pattern, other) {
			t.Fatalf("%v and %v: %v", p, r, p.Append(other...))
		}
	})
}

// genSmallPattern and genSmallPath draw from few steps, so that matches are
// frequent.
func genSmallPattern() *rapid.Generator[[]path.Step] {
	step := rapid.SampledFrom([]path.Step{
		path.Any(), path.Any(), path.Key("a"), path.Key("b"), path.Key("*"), path.Index(0), path.Index(1),
	})
	return rapid.SliceOfN(step, 0, 5)
}

func genSmallPath() *rapid.Generator[path.Path] {
	step := rapid.SampledFrom([]path.Step{path.Key("a"), path.Key("b"), path.Key("*"), path.Index(0), path.Index(1), path.Key("0"), path.Index(path.MaxIndex)})
	return rapid.Map(rapid.SliceOfN(step, 0, 6), func(steps []path.Step) path.Path { return path.Of(steps...) })
}

// The wildcard is neither a key nor an index, and in a path the key `*`.
func TestWildcard(t *testing.T) {
	wildcard := path.Any()
	_, isKey := wildcard.AsKey()
	_, isIndex := wildcard.AsIndex()
	if isKey || isIndex || wildcard.IsKey() || !wildcard.IsWildcard() || wildcard.String() != "[*]" {
		t.Errorf("the wildcard is %v", wildcard)
	}
	for _, s := range []path.Step{{}, path.Key("*"), path.Index(path.MaxIndex)} {
		if s.IsWildcard() || s == wildcard {
			t.Errorf("%v is a wildcard", s)
		}
	}
	steps := []path.Step{path.Index(1), wildcard, path.Key("a"), wildcard}
	want := path.Of(path.Index(1), path.Key("*"), path.Key("a"), path.Key("*"))
	if got := path.Of(steps...); got != want || !steps[1].IsWildcard() {
		t.Errorf("a path of wildcards is %v, of %v", got, steps)
	}
	if got := path.MustParse("b").Append(steps...); got != path.MustParse("b").Join(want) {
		t.Errorf("wildcards behind a path make %v", got)
	}
	if got, _ := path.PatternOf(wildcard).Path(); got != (path.Path{}) || path.NewSet(path.MustParsePattern("a")).Matcher().Next(wildcard).MayMatchBelow() {
		t.Errorf("a wildcard leads to %v", got)
	}
}
