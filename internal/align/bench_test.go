package align_test

import (
	"fmt"
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
					align.Align(older, newer)
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
				align.Resemble(n, n, func(i, j int) int { return (i*7+j*13)%11 - 5 }, 100*n)
			}
		})
	}
}
