package kit

import (
	"syscall"
	"time"
)

// threadTime returns the processor time that the calling thread has used.
func threadTime() time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of getrusage(2)
	var used syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
