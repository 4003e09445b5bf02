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
		if s.Matches(q) != c.matches || s.Covers(q) != c.covers || s.Touches(q) != c.touches {
			t.Errorf("row %d set of %q on %q: %v %v %v", i, c.pattern, c.path, s.Matches(q), s.Covers(q), s.Touches(q))
		}
	}
}

// slowMatch says how many steps of the pattern match those of the path, one
// by one.
func slowMatch(pattern []path.PatternStep, steps []path.Step) int {
	n := 0
	for n < min(len(pattern), len(steps)) && pattern[n].Matches(steps[n]) {
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
		if ok == wild || ok && back.Pattern() != p || p.Len() != len(pattern) || p.IsRoot() != (len(pattern) == 0) {
			t.Fatalf("%v: path %v, %v", p, back, ok)
		}
		other := genSmallPattern().Draw(t, "other")
		r := path.PatternOf(other...)
		both := slices.Concat(pattern, other)
		if p.Append(other...) != path.PatternOf(both...) || p.Join(r) != p.Append(other...) || p.Compare(r) != slices.CompareFunc(pattern, other, path.PatternStep.Compare) || p.Equal(r) != (p == r) {
			t.Fatalf("%v and %v: %v, %v", p, r, p.Join(r), p.Compare(r))
		}
	})
}

// genSmallPattern and genSmallPath draw from few steps, so that matches are
// frequent.
func genSmallPattern() *rapid.Generator[[]path.PatternStep] {
	step := rapid.SampledFrom([]path.PatternStep{
		path.Any(), path.Any(), path.Exactly(path.Key("a")), path.Exactly(path.Key("b")), path.Exactly(path.Key("*")), path.Exactly(path.Index(0)), path.Exactly(path.Index(1)),
	})
	return rapid.SliceOfN(step, 0, 5)
}

func genSmallPath() *rapid.Generator[path.Path] {
	step := rapid.SampledFrom([]path.Step{path.Key("a"), path.Key("b"), path.Key("*"), path.Index(0), path.Index(1), path.Key("0"), path.Index(path.MaxIndex)})
	return rapid.Map(rapid.SliceOfN(step, 0, 6), func(steps []path.Step) path.Path { return path.Of(steps...) })
}

func TestPatternStepParts(t *testing.T) {
	var zero path.PatternStep
	if zero != path.Exactly(path.Key("")) || zero.IsWildcard() {
		t.Errorf("the zero PatternStep is %v", zero)
	}
	if s, ok := path.Any().Step(); ok || s != (path.Step{}) || !path.Any().IsWildcard() || path.Any().String() != "[*]" {
		t.Errorf("the wildcard is %v, %v", s, ok)
	}
	if s, ok := path.Exactly(path.Index(path.MaxIndex)).Step(); !ok || s != path.Index(path.MaxIndex) {
		t.Errorf("the last index is %v, %v", s, ok)
	}
}
