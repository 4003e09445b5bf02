package ignore_test

import (
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestIgnoreMarks checks marks: what is copied out of a secret stays secret, containers
// keep theirs, and redundant marks are not added (law 7).
func TestIgnoreMarks(t *testing.T) {
	x := obj("x", num(1), "y", num(1))
	z := obj("x", num(2), "y", num(2))
	both := func(a, b value.Value) value.Value { return obj("x", a, "y", b) }
	dep := func(v value.Value) value.Value { return v.WithDependencies(urnA) }
	for i, c := range []struct {
		old, now value.Value
		pattern  string
		mode     ignore.Mode
		want     value.Value
	}{
		{sec(x), z, "x", ignore.AsEngine, both(sec(num(1)), num(2))},
		{sec(x), sec(z), "x", ignore.AsEngine, sec(both(num(1), num(2)))},
		{x, sec(z), "x", ignore.AsEngine, sec(both(num(1), num(2)))},
		{both(sec(num(1)), num(1)), sec(z), "x", ignore.AsEngine, sec(both(sec(num(1)), num(2)))},
		{x, both(sec(num(2)), num(2)), "x", ignore.AsEngine, both(num(1), num(2))},
		{sec(x), z, "[*]", ignore.AsEngine, both(sec(num(1)), sec(num(1)))},
		{sec(x), z, "[*]", ignore.Corrected, sec(x)},
		{sec(x), sec(arr(z)).Elem(0), "[*]", ignore.Corrected, sec(arr(x)).Elem(0)},
		{sec(obj()), z, "[*]", ignore.Corrected, obj()},
		{sec(x), sec(z), "[*]", ignore.AsEngine, sec(x)},
		{sec(arr(arr(num(1)))), arr(sec(arr(num(2)))), "[0][0]", ignore.AsEngine, arr(sec(arr(num(1))))},
		{sec(arr(arr(num(1)))), arr(arr(num(2))), "[0][*]", ignore.AsEngine, arr(arr(sec(num(1))))},
		{sec(arr(x)).Elem(0), z, "x", ignore.AsEngine, both(sec(num(1)), num(2))},
		{x, sec(arr(z)).Elem(0), "x", ignore.AsEngine, sec(arr(both(num(1), num(2)))).Elem(0)},
		{x, sec(arr(z)).Elem(0), "", ignore.Corrected, sec(arr(x)).Elem(0)},
		{sec(arr(x)).Elem(0), sec(arr(z)).Elem(0), "", ignore.Corrected, sec(arr(x)).Elem(0)},
		{sec(x), z, "", ignore.Corrected, sec(x)},
		{x, dep(z), "x", ignore.AsEngine, dep(z)},
		{dep(x), z, "[*]", ignore.AsEngine, z},
		{x, dep(z), "x", ignore.Corrected, dep(both(num(1), num(2)))},
		{dep(x), dep(sec(z)), "[*]", ignore.Corrected, dep(sec(x))},
		{both(dep(num(1)), num(1)), z, "x", ignore.AsEngine, both(dep(num(1)), num(2))},
	} {
		got := ignore.Changes(c.old, c.now, patternList(c.pattern), c.mode)
		if !got.Value.Identical(c.want) {
			t.Errorf("row %d: %#v, want %#v", i, got.Value, c.want)
		}
	}
}

// TestIgnoreByOneEdit checks that a container keeps its own marks and takes none over,
// whether it gets one edit or more.
func TestIgnoreByOneEdit(t *testing.T) {
	for i, c := range []struct {
		old, now, want value.Value
		patterns       []string
	}{
		{obj("a", obj("x", num(1))), obj("a", dep(obj("x", num(2)), urnA)), obj("a", dep(obj("x", num(1)), urnA)), []string{"a[*]"}},
		{obj("a", dep(obj("x", num(1)), urnA)), obj("a", obj("x", num(2))), obj("a", obj("x", num(1))), []string{"a[*]"}},
		{obj("a", arr(num(1))), obj("a", dep(arr(num(2)), urnA)), obj("a", dep(arr(num(1)), urnA)), []string{"a[*]"}},
		{obj("a", dep(arr(num(1)), urnA)), obj("a", arr(num(2))), obj("a", arr(num(1))), []string{"a[*]"}},
		{obj("x", num(1), "y", num(1)), obj("y", num(2), "z", num(2)), obj("x", num(1), "y", num(1), "z", num(2)), []string{"x", "y"}},
		{obj("y", num(1)), dep(obj("y", num(2), "z", num(2)), urnA), dep(obj("y", num(1), "z", num(2)), urnA), []string{"y", "[*].q"}},
		{obj("y", num(1)), sec(obj("y", num(2), "z", num(2))), sec(obj("y", num(1), "z", num(2))), []string{"y", "[*].q"}},
		{dep(obj("y", num(1)), urnA), obj("y", num(2), "x", num(1)), obj("y", num(1)), []string{"[*]", "y"}},
		{sec(obj("y", num(1))), obj("y", num(2), "x", num(1)), sec(obj("y", num(1))), []string{"[*]", "y"}},
	} {
		var patterns []path.Pattern
		for _, p := range c.patterns {
			patterns = append(patterns, path.MustParsePattern(p))
		}
		got := ignore.Changes(c.old, c.now, patterns, ignore.Corrected)
		if !got.Value.Identical(c.want) {
			t.Errorf("row %d: %v, wanted %v", i, got.Value, c.want)
		}
	}
}
