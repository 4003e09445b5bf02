package ignore_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/testkit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Sizes at which anything quadratic would never come to an end: wide containers
// under wildcards, as many patterns as children, deep values under patterns as
// deep, and mismatches far down (law 9).
func TestIgnoreScale(t *testing.T) {
	const depth = value.MaxDepth - 3 // and three levels at the bottom
	n := 30_000
	if testkit.RaceDetector {
		n = 3_000
	}
	wide := func(x float64, more int) (object, array value.Value, each []path.Pattern) {
		members, elems := make([]value.Member, n+more), make([]value.Value, n+more)
		for i := range members {
			v := obj("x", num(x), "y", num(2))
			members[i] = value.Member{Key: "k" + strconv.Itoa(i), Value: v}
			elems[i] = v
			each = append(each, path.Of(path.Key("t"), path.Key(members[i].Key), path.Key("x")).Pattern())
		}
		return obj("t", value.Object(members...)), obj("t", value.Array(elems...)), each
	}
	oldObject, oldArray, each := wide(1, 0)
	newObject, newArray, _ := wide(2, 3)
	deepPattern := path.MustParsePattern(strings.Repeat("[*]", depth))
	bottom := func(x float64, width int) value.Value {
		elems := make([]value.Value, width)
		for i := range elems {
			elems[i] = num(x)
		}
		return testkit.Nested(depth-1, value.Array(elems...))
	}
	for i, c := range []struct {
		old, now         value.Value
		patterns         []path.Pattern
		matched          int
		engine, mistakes int
		sameAsOld        bool
	}{
		{oldObject, newObject, patternList("t[*].x"), n, 0, 0, false},
		{oldObject, newObject, patternList("t[*]"), n + 3, 0, 0, true},
		{oldArray, newArray, patternList("t[*].x", "t[*]", "[*][*][*]"), n, 1, 1, false},
		{newObject, oldObject, patternList("t[*].x"), n, 1, 3, false},
		{oldObject, newObject, append(each, each...), 1, 0, 0, false},
		{bottom(1, 2), bottom(2, 2), []path.Pattern{deepPattern}, 2, 0, 0, true},
		{bottom(1, n), bottom(2, n+1), []path.Pattern{deepPattern, deepPattern}, n, 1, 1, false},
		// One mismatch an element, a long way down: no path is built.
		{bottom(1, n), testkit.Nested(depth-1, value.Array(make([]value.Value, n)...)), []path.Pattern{deepPattern.Append(path.Exactly(path.Key("x")))}, 0, 0, 0, false},
		{testkit.Nested(depth-1, value.Array(newObject, newObject)), testkit.Nested(depth-1, value.Array(oldObject, obj("t", obj()))), []path.Pattern{deepPattern.Append(path.Any(), path.Any(), path.Any())}, 2 * n, 1, n + 6, false},
	} {
		for _, mode := range []ignore.Mode{ignore.Engine, ignore.Corrected} {
			got := ignore.Changes(c.old, c.now, c.patterns, mode)
			first := got.Patterns[0]
			want := c.engine
			if mode == ignore.Corrected {
				want = c.mistakes
				if i == 0 {
					c.matched += 3 // in members that only new has
				}
			}
			if len(first.Mismatches) != want || mode == ignore.Corrected && first.Matched != c.matched {
				t.Errorf("row %d, %v: matched %d, %d mismatches", i, mode, first.Matched, len(first.Mismatches))
			}
			if c.sameAsOld && !got.Value.Equal(c.old) {
				t.Errorf("row %d, %v: the result is not old", i, mode)
			}
		}
	}
}

// What is not touched is shared, and the allocations of a wildcard grow with what
// it changes, no faster.
func TestIgnoreAllocations(t *testing.T) {
	if testkit.RaceDetector {
		t.Skip("the race detector allocates")
	}
	list := func(n int, x float64) value.Value {
		elems := make([]value.Value, n)
		for i := range elems {
			elems[i] = obj("x", num(x), "y", num(x))
		}
		return obj("list", value.Array(elems...), "rest", obj("z", num(x)))
	}
	count := func(n int, patterns ...string) float64 {
		old, now, ps := list(n, 1), list(n, 2), patternList(patterns...)
		return testing.AllocsPerRun(5, func() { ignore.Changes(old, now, ps, ignore.Engine) })
	}
	for _, c := range []struct {
		pattern    string
		once, each float64
	}{
		{"none", 5, 0},
		{"rest.z", 16, 0},
		{"list", 16, 0},
		{"list[*]", 18, 0},
		{"list[7]", 18, 0},
		{"list[*].x", 24, 4},
	} {
		for _, n := range []int{10, 1000} {
			if got := count(n, c.pattern); got > c.once+c.each*float64(n)+8 {
				t.Errorf("%s over %d elements: %v allocations, at most %v are budgeted", c.pattern, n, got, c.once+c.each*float64(n)+8)
			}
		}
	}
	now := list(10, 2)
	got := ignore.Changes(list(10, 1), now, patternList("list[3].x"), ignore.Engine).Value
	for _, p := range []string{"rest", "list[2]", "list[4]"} {
		a, _ := got.At(path.MustParse(p))
		b, _ := now.At(path.MustParse(p))
		if !value.SharesMemory(a, b) {
			t.Errorf("%s was made anew", p)
		}
	}
	if got := ignore.Changes(list(10, 1), now, patternList("list[99].x", "none", "rest.q"), ignore.Corrected).Value; !value.SharesMemory(got, now) {
		t.Error("nothing matched, and the value was made anew")
	}
}
