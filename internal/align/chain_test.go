package align_test

import (
	"slices"
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

		var work align.Work

		align.Chain(pairs, &work)

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

		if len(olds) > 0 && work.Probed < len(olds) {
			t.Fatalf("work of %+v for %d pairs", work, len(olds))
		}
	})
}

func TestRuns(t *testing.T) {
	t.Parallel()

	pairs := []align.Pair{{0, 0, false}, {1, 1, false}, {5, 2, true}, {6, 3, true}, {2, 4, false}, {3, 6, false}, {4, 7, false}}
	want := []align.Run{{0, 0, 2, false}, {5, 2, 2, true}, {2, 4, 1, false}, {3, 6, 2, false}}

	if got := align.Runs(pairs); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}

	if got := align.Runs(nil); got != nil {
		t.Errorf("%+v of no pairs", got)
	}

	if got := (align.Script{Runs: want}).Weight(8, 9); got != 1+2+2 {
		t.Errorf("weight %d", got)
	}
}
