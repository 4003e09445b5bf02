//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package whole

import (
	"errors"
	"os"
	"syscall"
)

// closesFirst reports whether a file has to be closed before it gets another name.
const closesFirst = false

// holds takes a file that was just made, until it is closed. It reports whether another
// process was faster.
func holds(f *os.File) bool {
	err := lock(f)
	return !errors.Is(err, syscall.EWOULDBLOCK) && isAt(f, f.Name()) // there are folders without locks
}

// removeLeft removes a file that no process holds, and reports whether it is gone.
func removeLeft(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	defer func() { _ = f.Close() }() // only read
	return lock(f) == nil && (!isAt(f, name) || os.Remove(name) == nil)
}

func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
