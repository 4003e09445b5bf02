package align_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/align"
)

// TestChain is on chains as long as a plain programme finds.
func TestChain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		olds := rapid.Permutation(ascending(rapid.IntRange(0, 40).Draw(t, "n"))).Draw(t, "olds")
		pairs := make([]align.Pair, len(olds))

		for k, i := range olds {
			pairs[k] = align.Pair{Old: i, New: int32(2 * k), Moved: k%2 == 0}
		}

		align.Chain(pairs)

		last, length := int32(-1), 0

		for k, p := range pairs {
			if p.Old != olds[k] || p.New != int32(2*k) {
				t.Fatalf("pair %d became %+v", k, p)
			}

			if !p.Moved {
				if p.Old <= last {
					t.Fatalf("pair %d is out of the chain: %+v", k, pairs)
				}

				last = p.Old
				length++
			}
		}

		if want := lcs(ascending(len(olds)), olds); length != want {
			t.Fatalf("%d in the chain, want %d", length, want)
		}
	})
}
