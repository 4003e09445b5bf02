package ignore_test

import (
	"testing"

	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Where one edit makes the result it is what is made anew: a container keeps its own
// marks and takes none over, and what came beside one change is not lost.
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
