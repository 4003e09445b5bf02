package ops_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/ops"
)

func TestWords(t *testing.T) {
	for i, op := range ops.All() {
		if op.Rank() != i || op.Mark() == "?" || op.Past() == "" {
			t.Errorf("%s: rank %d, mark %q, %q", op, op.Rank(), op.Mark(), op.Past())
		}
	}
	if op := ops.Op("extend"); op.Rank() != len(ops.All()) || op.Mark() != "?" || op.Past() != "extend" {
		t.Errorf("%s: rank %d, mark %q, %q", op, op.Rank(), op.Mark(), op.Past())
	}
}

// TestPastIsPlain: whatever a file calls an operation, its name moves no cursor and is no markup.
func TestPastIsPlain(t *testing.T) {
	for name, want := range map[ops.Op]string{
		"extend-parameterize": "extend-parameterize", "a|`<b>\x1b\u202e\xff": "a???b????",
		ops.Op(strings.Repeat("x", 1000)): strings.Repeat("x", 40), ops.Op(strings.Repeat("é", 1000)): strings.Repeat("?", 20), "": "",
	} {
		if got := name.Past(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	c := ops.Counts{"zoom": 1, ops.Create: 1234, "extend": 2, ops.Update: 0, ops.Failed: 1, ops.Same: 3}
	if got := c.Join(" · "); got != "1 failed · 1,234 created · 3 the same · 2 extend · 1 zoom" {
		t.Error(got)
	}
	if got := (ops.Counts{ops.Update: 0}).Join(", "); got != "" {
		t.Error(got)
	}
}
