package testkit

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Growth reports an error if four times as much of something takes more than six times the
// processor time or the memory. The function returns what to measure, for the size n and
// for 4n. It counts the time of the calling thread, as [Within] does, and takes the least
// of several calls; 5 ms more or less do not count, and neither does a quarter of a
// megabyte.
func Growth(t testing.TB, what string, n int, of func(n int) (run func())) {
	t.Helper()

	const most, rounds, littleTime, littleMemory = 6, 6, 5 * time.Millisecond, 1 << 18

	small, large := of(n), of(4*n)
	took := [2]time.Duration{math.MaxInt64, math.MaxInt64}

	var bytes [2]uint64

	for range rounds {
		for i, run := range []func(){small, large} {
			var once time.Duration

			once, bytes[i] = spent(run)
			took[i] = min(took[i], once)
		}

		if took[1] <= most*(took[0]+littleTime) {
			break
		}
	}

	if took[1] > most*(took[0]+littleTime) {
		t.Errorf("%s took %v for %d and %v for %d", what, took[0], n, took[1], 4*n)
	}

	if bytes[1] > most*(bytes[0]+littleMemory) {
		t.Errorf("%s allocated %d bytes for %d and %d for %d", what, bytes[0], n, bytes[1], 4*n)
	}
}

// spent returns the processor time and the memory that f takes. Its garbage stays.
func spent(f func()) (took time.Duration, allocated uint64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	var before, after runtime.MemStats

	runtime.ReadMemStats(&before)

	start := threadTime()

	f()

	took = threadTime() - start

	runtime.ReadMemStats(&after)

	return took, after.TotalAlloc - before.TotalAlloc
}
