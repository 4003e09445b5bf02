//go:build !linux

package kit

import "time"

// threadTime returns 0: the platform does not report the time of a thread.
func threadTime() time.Duration { return 0 }

// processTime returns 0, as threadTime does.
func processTime() time.Duration { return 0 }
