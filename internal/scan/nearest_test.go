package scan_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/scan"
)

// TestNearest: the first of the names to which the fewest edits lead, of two at most.
func TestNearest(t *testing.T) {
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("abC")), 0, 9, -1)

	rapid.Check(t, func(t *rapid.T) {
		key, names := letters.Draw(t, "key"), rapid.SliceOfN(letters, 0, 5).Draw(t, "names")

		want, least := "", min(2, len(key)/2)+1
		for _, name := range names {
			if n := edits(name, key); n < least {
				want, least = name, n
			}
		}

		if got := scan.Nearest(slices.Values(names), key); got != want {
			t.Errorf("%q of %q: %q, want %q", key, names, got, want)
		}
	})

	if n := testing.AllocsPerRun(10, func() { scan.Nearest(slices.Values([]string{"retention", "name"}), "retentoin") }); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

// edits is how many letters have to be inserted, removed or replaced.
func edits(s, t string) int {
	switch {
	case s == "" || t == "":
		return len(s) + len(t)
	case s[0]|0x20 == t[0]|0x20:
		return edits(s[1:], t[1:])
	}

	return 1 + min(edits(s[1:], t), edits(s, t[1:]), edits(s[1:], t[1:]))
}
