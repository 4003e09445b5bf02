package kit

import (
	"syscall"
	"time"
)

// threadTime returns the processor time that the calling thread has used.
func threadTime() time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of getrusage(2)
	return timeOf(rusageThread)
}

// processTime returns the processor time that all threads have used.
func processTime() time.Duration { return timeOf(syscall.RUSAGE_SELF) }

func timeOf(who int) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
