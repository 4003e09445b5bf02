package align_test

import (
	"math/rand/v2"
	"slices"

	"github.com/propalg/propalg/internal/align"
)

// lcs is the length of a longest common subsequence, by plain dynamic programming.
func lcs(a, b []int32) int {
	row := make([]int, len(b)+1)

	for _, x := range a {
		diagonal := 0

		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}

			diagonal = above
		}
	}

	return row[len(b)]
}

// both counts the pairs that there can be at most.
func both(a, b []int32) int {
	x, y, pairs := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)), 0

	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			x = x[1:]
		case x[0] > y[0]:
			y = y[1:]
		default:
			x, y = x[1:], y[1:]
			pairs++
		}
	}

	return pairs
}

// leastWeight is the weight of the best script.
func leastWeight(a, b []int32) int {
	pairs := both(a, b)

	return len(a) + len(b) - 2*pairs + pairs - lcs(a, b)
}

// pair is a pair of elements, by their indexes.
type pair struct {
	Old, New int32
	Moved    bool
}

// aligned returns the pairs that Align makes.
func aligned(a, b []int32) []pair {
	var pairs []pair

	partner, moved := align.Align(a, b)
	for j, i := range partner {
		if i != align.None {
			pairs = append(pairs, pair{i, int32(j), moved[j]})
		}
	}

	return pairs
}

// check fails the test unless pairs are a valid script of a and b: in order, of equal
// symbols, as many as there are, and those that did not move in order on both sides.
func check(tb fataler, a, b []int32, pairs []pair) {
	tb.Helper()

	used := make([]bool, len(a))
	end, last := int32(-1), int32(-1)

	for k, p := range pairs {
		if p.New <= end || int(p.New) >= len(b) || p.Old < 0 || int(p.Old) >= len(a) {
			tb.Fatalf("pair %d %+v is out of order or out of range (%d, %d)", k, p, len(a), len(b))
		}

		if used[p.Old] {
			tb.Fatalf("pair %d %+v takes an element again", k, p)
		}

		if a[p.Old] != b[p.New] {
			tb.Fatalf("pair %d %+v has unequal symbols", k, p)
		}

		if !p.Moved {
			if p.Old <= last {
				tb.Fatalf("pair %d %+v is out of the chain, which is at %d", k, p, last)
			}

			last = p.Old
		}

		used[p.Old], end = true, p.New
	}

	if want := both(a, b); len(pairs) != want {
		tb.Fatalf("%d pairs, want %d", len(pairs), want)
	}
}

// weight is the number of elements without a partner and of partners that moved.
func weight(pairs []pair, n, m int) int { return n + m - 2*len(pairs) + moves(pairs) }

// run is a run of pairs: elements Old+k and New+k are partners for 0 <= k < Len.
type run struct {
	Old, New, Len int32
	Moved         bool
}

// runs joins pairs, so that expectations are short.
func runs(pairs []pair) []run {
	var all []run

	for _, p := range pairs {
		if k := len(all) - 1; k >= 0 && all[k].Moved == p.Moved &&
			all[k].Old+all[k].Len == p.Old && all[k].New+all[k].Len == p.New {
			all[k].Len++
		} else {
			all = append(all, run{p.Old, p.New, 1, p.Moved})
		}
	}

	return all
}

// source is a sequence of numbers that is the same every time.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func randomly(r *rand.Rand, n, alphabet int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(r.IntN(alphabet))
	}

	return out
}

func ascending(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}

	return out
}

func reversed(a []int32) []int32 {
	b := slices.Clone(a)
	slices.Reverse(b)

	return b
}

func rotated(a []int32, by int) []int32 { return slices.Concat(a[by:], a[:by]) }

// fataler is what tests, benchmarks and rapid's draws have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}
