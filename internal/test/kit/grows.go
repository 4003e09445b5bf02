package kit

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/test/race"
)

// How many times as much four times as much may take: bytes, with room for a logarithm, and time,
// with room for caches that others use too. What is quadratic takes sixteen times.
const (
	mostGrowth     = 6
	mostTimeGrowth = 9
)

// What a call may take in any case: memory grows by steps, and time is measured in some.
const (
	fewBytes = 4 << 20
	fewTime  = 30 * time.Millisecond
)

// Cost is what a call takes.
type Cost struct {
	Bytes uint64        // allocated
	Time  time.Duration // of the processor, by the whole process; 0 where no platform says
}

func costOf(f func()) Cost {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // what else is in memory costs a collection time
	start := processTime()
	n := Allocated(f)
	return Cost{Bytes: n, Time: processTime() - start}
}

// Grows reports an error if a call for four times as much data allocates more than six times as
// many bytes, or takes more than nine times the processor time. prepare makes the call for
// data of a size. A few megabytes and milliseconds more are no error. Where it takes longer, time is
// measured again, after a collection, and again if it seems to be too much, since caches are shared:
// the least counts. Time is that of all goroutines, so the test must not be parallel. Under the race
// detector, whose own cost grows otherwise, it is not looked at.
func Grows(t testing.TB, what string, n int, prepare func(n int) func()) (small, large Cost) {
	t.Helper()

	const tries = 8
	few, many := prepare(n), prepare(4*n)
	small, large = costOf(few), costOf(many)
	for try := range tries {
		if race.Enabled || large.Time <= fewTime || (try > 0 && large.Time <= mostTimeGrowth*small.Time+fewTime) {
			break
		}
		runtime.GC() // for memory that is mapped: a page that is touched first may cost 0.1 ms
		again := costOf(few)
		runtime.GC()
		more := costOf(many)
		if try > 0 {
			again.Time, more.Time = min(small.Time, again.Time), min(large.Time, more.Time)
		}
		small, large = again, more
	}
	if large.Bytes > mostGrowth*small.Bytes+fewBytes {
		t.Errorf("%s: %d bytes for %d, %d bytes for %d", what, small.Bytes, n, large.Bytes, 4*n)
	}
	if !race.Enabled && large.Time > mostTimeGrowth*small.Time+fewTime {
		t.Errorf("%s: %v of processor time for %d, %v for %d", what, small.Time, n, large.Time, 4*n)
	}
	return small, large
}
