//go:build unix

package asset

import (
	"os"
	"syscall"
)

// openFlags: a pipe that somebody put in the place of a file must not keep us
// waiting for a writer.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
