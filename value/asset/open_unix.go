//go:build unix

package asset

import (
	"os"
	"syscall"
)

// openFlags keeps a pipe that replaced a file from waiting for a writer.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
