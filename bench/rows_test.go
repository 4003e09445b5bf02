package bench_test

import (
	"runtime"
	"testing"

	"github.com/propalg/propalg/bench"
)

// The ballast is on the heap while a benchmark runs, after a collection too, and not
// afterwards.
func TestBallast(t *testing.T) {
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	var during uint64
	testing.Benchmark(func(b *testing.B) {
		b.Helper()
		bench.Ballast(b)
		during = heap()
	})
	const most = 50e6
	if before := heap(); before > most || during < before+2*most {
		t.Errorf("%d bytes on the heap, %d with the ballast", before, during)
	}
}
