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

// check tells what is wrong with a script, or nothing.
func check(tb fataler, a, b []int32, s align.Script) {
	tb.Helper()

	used := make([]bool, len(a))
	pairs, end, last := 0, int32(0), int32(-1)

	for k, r := range s.Runs {
		if r.Len <= 0 || r.New < end || int(r.New+r.Len) > len(b) || r.Old < 0 || int(r.Old+r.Len) > len(a) {
			tb.Fatalf("run %d %+v is empty, out of order or out of range (%d, %d)", k, r, len(a), len(b))
		}

		end = r.New + r.Len
		pairs += int(r.Len)

		for t := range r.Len {
			if used[r.Old+t] {
				tb.Fatalf("run %d %+v takes element %d again", k, r, r.Old+t)
			}

			used[r.Old+t] = true

			if a[r.Old+t] != b[r.New+t] {
				tb.Fatalf("run %d %+v pairs unequal symbols at +%d", k, r, t)
			}
		}

		if !r.Moved {
			if r.Old <= last {
				tb.Fatalf("run %d %+v is out of the chain, which is at %d", k, r, last)
			}

			last = r.Old + r.Len - 1
		}

		if k > 0 {
			if p := s.Runs[k-1]; p.Moved == r.Moved && p.Old+p.Len == r.Old && p.New+p.Len == r.New {
				tb.Fatalf("runs %d and %d could be one", k-1, k)
			}
		}
	}

	if want := both(a, b); pairs != want {
		tb.Fatalf("%d pairs, want %d", pairs, want)
	}
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
