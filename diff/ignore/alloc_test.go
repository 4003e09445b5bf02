package ignore_test

import (
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestIgnoreAllocations checks that what is not touched is shared, and that the
// allocations of a wildcard grow no faster than what it changes.
func TestIgnoreAllocations(t *testing.T) {
	if race.Enabled {
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
		return testing.AllocsPerRun(5, func() { ignore.Changes(old, now, ps, ignore.AsEngine) })
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
	got := ignore.Changes(list(10, 1), now, patternList("list[3].x"), ignore.AsEngine).Value
	for _, p := range []string{"rest", "list[2]", "list[4]"} {
		a, _ := got.At(path.MustParse(p))
		b, _ := now.At(path.MustParse(p))
		if !value.Internal.SharesMemory(a, b) {
			t.Errorf("%s was rebuilt", p)
		}
	}
	if got := ignore.Changes(list(10, 1), now, patternList("list[99].x", "none", "rest.q"), ignore.Corrected).Value; !value.Internal.SharesMemory(got, now) {
		t.Error("nothing matched, and the value was rebuilt")
	}
}
