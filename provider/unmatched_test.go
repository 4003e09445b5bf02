package provider_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// TestUnmatched: patterns of all options, on all sides, below members and elements.
func TestUnmatched(t *testing.T) {
	o := provider.Differ{
		ReplaceOn:  patterns("olds.n", "state[*].n", "news[1].n", "news[2].n"),
		ArrayRules: []diff.ArrayRule{{Pattern: path.MustParsePattern("list")}, {Pattern: path.MustParsePattern("lost")}},
		Ignored:    []path.Pattern{path.MustParsePattern("[*].n"), path.MustParsePattern("[*].m")},
	}
	sides := provider.Sides{
		OldInputs: obj("olds", obj("n", num(1))),
		OldState:  obj("state", value.Array(obj("n", num(1)))),
		News:      obj("news", value.Array(num(1), obj("n", num(1))), "list", value.Array()),
	}
	if got, want := fmt.Sprint(o.Unmatched(sides)), "[news[2].n lost [*].m]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}

	kit.Grows(t, "Unmatched below a long key", 4000, func(n int) func() {
		members := make([]value.Member, n)
		for i := range members {
			members[i] = value.Member{Key: strconv.Itoa(i), Value: num(1)}
		}
		sides.News = obj(strings.Repeat("k", n), value.Object(members...))
		return func() { o.Unmatched(sides) }
	})
}
