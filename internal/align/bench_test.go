package align_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/propalg/propalg/internal/align"
)

func BenchmarkAlign(b *testing.B) {
	wanted := map[string]bool{
		"equal": true, "all different": true, "random permutation": true, "reversed, distinct": true,
		"twenty edits, 2 symbols": true, "independent, 2 symbols": true, "independent, sqrt n symbols": true,
		"every tenth edited, distinct": true, "rotated, sqrt n symbols": true,
	}

	for _, f := range families() {
		if !wanted[f.name] {
			continue
		}

		for _, n := range []int{100, 1_000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", f.name, n), func(b *testing.B) {
				older, newer := f.make(n)

				b.ReportAllocs()

				for b.Loop() {
					align.Align(older, newer, nil)
				}

				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
			})
		}
	}
}

func BenchmarkResemble(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()

			for b.Loop() {
				align.Resemble(n, n, func(i, j int) int { return (i*7+j*13)%11 - 5 }, 100*n, nil)
			}
		})
	}
}

// TestAllocations is on how little there is beside the result when only one end
// differs, and on memory that grows with the elements.
func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}

	a := ascending(100_000)

	if got := testing.AllocsPerRun(10, func() { align.Align(a, a, nil) }); got != 1 {
		t.Errorf("%v allocations for equal sequences, want 1: the result", got)
	}

	if got := testing.AllocsPerRun(10, func() { align.Align(a, a[:99_000], nil) }); got != 1 {
		t.Errorf("%v allocations for a shorter sequence, want 1: the result", got)
	}

	if got := testing.AllocsPerRun(10, func() { align.Align(nil, a, nil) }); got != 0 {
		t.Errorf("%v allocations for an empty sequence, want none", got)
	}

	b := slices.Insert(slices.Clone(a), 50_000, -1)
	if got := testing.AllocsPerRun(10, func() { align.Align(a, b, nil) }); got != 1 {
		t.Errorf("%v allocations for an insertion, want 1: the result", got)
	}

	for _, f := range families() {
		const n = 20_000

		var before, after runtime.MemStats

		older, newer := f.make(n)

		runtime.ReadMemStats(&before)
		align.Align(older, newer, nil)
		runtime.ReadMemStats(&after)

		if got := (after.TotalAlloc - before.TotalAlloc) / n; got > 500 {
			t.Errorf("%s: %d bytes for an element", f.name, got)
		}
	}
}
