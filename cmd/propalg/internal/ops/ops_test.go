package ops_test

import (
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
