package align_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/align"
)

// TestMoved is on chains as long as a plain programme finds.
func TestMoved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		olds := rapid.Permutation(ascending(rapid.IntRange(0, 40).Draw(t, "n"))).Draw(t, "olds")

		var partner []int32
		for _, i := range olds {
			partner = append(partner, align.None, i)
		}

		last, length := int32(-1), 0

		for j, moved := range align.Moved(partner) {
			switch {
			case partner[j] == align.None && moved:
				t.Fatalf("element %d of %v has no partner and moved", j, partner)
			case partner[j] != align.None && !moved:
				if partner[j] <= last {
					t.Fatalf("element %d of %v is out of the chain", j, partner)
				}

				last = partner[j]
				length++
			}
		}

		if want := lcs(ascending(len(olds)), olds); length != want {
			t.Fatalf("%d in the chain, want %d", length, want)
		}
	})
}
