package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func TestMatches(t *testing.T) {
	unknown, null := value.Unknown(), value.Null()
	x := func(n float64) value.Value { return obj("a", obj("b", num(n), "c", num(0))) }
	for i, c := range []struct {
		old, now value.Value
		patterns []string
		want     string // per change: its path and the patterns
	}{
		{x(1), x(2), []string{"a", "a.b", "a.c", "a[*]", "[*].b", "", "a.b.c", "b"}, "a.b [0 1 3 4 5]"},
		// Above a match: values that were added, removed or replaced as a whole.
		{obj(), x(1), []string{"a.b", "a.d", "a[*]", "a.b.c", "[*].c"}, "a [0 2 4]"},
		{x(1), obj(), []string{"a.b", "a.d"}, "a [0]"},
		{x(1), obj("a", num(1)), []string{"a.b", "a.b.c", "a.d"}, "a [0]"},
		{obj("a", num(1)), obj("a", arr(num(1), obj("k", null))), []string{"a[1].k", "a[2]", "a[*].k", "a.k"}, "a [0 2]"},
		{x(1), obj("a", sec(obj("b", num(1)))), []string{"a.b", "a.c", "a.d"}, "a [0 1]"},
		{obj(), obj("a", arr(arr(num(1)), arr(), arr(num(1), num(2)))), []string{"a[*][1]", "a[1][*]", "a[2]", "a[*][*]"}, "a [0 2 3]"},
		// A container whose dependencies alone differ replaces nothing inside it.
		{obj("a", obj("b", num(1))), obj("a", dep(obj("b", num(1)), urnA)), []string{"a.b", "a"}, "a [1]"},
		// Every place below an unknown is held by it.
		{obj("a", num(1)), obj("a", unknown), []string{"a.b.c", "a[3]", "b"}, "a [0 1]"},
		{obj(), obj("a", obj("u", unknown, "k", num(1))), []string{"a.u.x", "a.k.x", "a.u", "a.v"}, "a [0 2]"},
		// The same pattern twice; the root; no pattern.
		{x(1), x(2), []string{"a.b", "a.b"}, "a.b [0 1]"},
		{num(1), obj("a", num(1)), []string{"a", "", "b"}, " [0 1]"},
		{x(1), x(2), nil, "a.b []"},
		{arr(num(1)), arr(num(1), num(2)), []string{"[0]", "[1]", "[*]"}, "[1] [1 2]"},
	} {
		set := patterns(c.patterns...)
		var got []string
		for change := range diff.Between(c.old, c.now, diff.Options{}).Changes() {
			which := change.Which(set)
			got = append(got, fmt.Sprintf("%v %v", change.Path(), which))
			if change.Matches(set) != (len(which) > 0) {
				t.Errorf("row %d: matches is %v, which is %v", i, change.Matches(set), which)
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("row %d: %s, want %s", i, text, c.want)
		}
	}
}

// Under a Relation that takes a null for missing, a pattern finds none.
func TestMatchesNullAsMissing(t *testing.T) {
	set := patterns("a.n")
	for rel, want := range map[value.Relation]bool{value.Strict: true, value.Engine: false} {
		for c := range diff.Between(obj(), obj("a", obj("n", value.Null())), diff.Options{Relation: rel}).Changes() {
			if c.Matches(set) != want || (len(c.Which(set)) > 0) != want {
				t.Errorf("%v: %v", rel, !want)
			}
		}
	}
}

func TestNullInArrayIsThere(t *testing.T) {
	set := patterns("a[0]")
	for c := range diff.Between(obj(), obj("a", arr(value.Null())), diff.Options{Relation: value.Engine}).Changes() {
		if !c.Matches(set) {
			t.Error("a null in an array counts as missing")
		}
	}
}

// A change matches a pattern when one of the places that it replaces does: those
// of its leaves and of all containers above them, up to the change and beyond.
func TestMatchesLikePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		var ps []path.Pattern
		for range rapid.IntRange(1, 5).Draw(t, "patterns") {
			var steps []path.Step
			for range rapid.IntRange(0, 4).Draw(t, "steps") {
				steps = append(steps, rapid.SampledFrom([]path.Step{
					path.Any(), path.Key("a"), path.Key("b"), path.Index(0), path.Index(1),
				}).Draw(t, "step"))
			}
			ps = append(ps, path.PatternOf(steps...))
		}
		set := path.NewSet(ps...)
		for c := range diff.Between(old, now, diff.Options{}).Changes() {
			var want []int
			for i, p := range ps {
				if matchesSlowly(c, p) {
					want = append(want, i)
				}
			}
			if got := c.Which(set); !slices.Equal(got, want) || c.Matches(set) != (len(want) > 0) {
				t.Fatalf("%s%v: which %v, want %v", line(c), ps, got, want)
			}
		}
	})
}

func matchesSlowly(c diff.Change, p path.Pattern) bool {
	if p.Covers(c.Path()) {
		return true
	}
	if c.DependenciesChanged() && !c.ValueChanged() && !c.SecretChanged() {
		if v, _ := c.Old(); v.Kind().IsContainer() {
			return false
		}
	}
	x, _ := c.Old()
	y, _ := c.New()
	for _, side := range []value.Value{x, y} {
		for at := range side.Walk() {
			place := c.Path().Join(at.Path())
			if p.Matches(place) || (at.Value().IsUnknown() && p.Touches(place)) {
				return true
			}
		}
	}
	return false
}
