// Package kit has helpers for the tests of this module. Only tests import it.
package kit

import (
	"runtime"
	"testing"
	"time"
)

// Within calls f and reports an error if f used more than most of processor time.
// It counts the time of f's own thread: neither the load of the machine, nor its
// number of processors, nor the garbage collector's threads make a difference. It is
// meant for mistakes that cost far more than most, such as quadratic loops; most
// should be some 50 times what f takes. Where the platform does not report the time
// of a thread, f is called without a limit.
func Within(t testing.TB, what string, most time.Duration, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	start := threadTime()
	f()
	if took := threadTime() - start; took > most {
		t.Errorf("%s took %v of processor time, want at most %v", what, took, most)
	}
}
