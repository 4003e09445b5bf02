package align_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/align"
)

// TestRandom is on small random pairs of small alphabets, where a plain programme
// says what the least weight is.
func TestRandom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		symbol := rapid.Int32Range(0, rapid.SampledFrom([]int32{0, 1, 2, 5, 30}).Draw(t, "alphabet"))
		a := rapid.SliceOfN(symbol, 0, 70).Draw(t, "old")
		b := rapid.SliceOfN(symbol, 0, 70).Draw(t, "new")
		minimal(t, a, b)
	})
}

// TestUnrelated is on random pairs up to 500 elements.
func TestUnrelated(t *testing.T) {
	t.Parallel()

	for seed := range uint64(12) {
		for _, alphabet := range []int{1, 2, 3, 4, 10, 50, 200, 1000} {
			r := source(seed)
			minimal(t, randomly(r, r.IntN(501), alphabet), randomly(r, r.IntN(501), alphabet))
		}
	}
}

func minimal(tb fataler, a, b []int32) {
	tb.Helper()

	s := aligned(a, b)
	check(tb, a, b, s)

	if got, want := weight(s, len(a), len(b)), leastWeight(a, b); got != want {
		tb.Fatalf("weight %d, want %d, of %v\nagainst %v", got, want, a, b)
	}
}

// Equal pairs are counted no further than they matter: their number exceeds 32 bits here.
func TestManyEqualPairs(t *testing.T) {
	const n = 50_000
	old := append(slices.Repeat([]int32{0}, n), 1)
	now := append([]int32{2}, slices.Repeat([]int32{0}, n)...)
	partner, moved := align.Align(old, now)
	for j := 1; j <= n; j++ {
		if partner[j] != int32(j-1) || moved[j] {
			t.Fatalf("element %d: partner %d, moved %v", j, partner[j], moved[j])
		}
	}
}
