//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package whole

import (
	"errors"
	"os"
)

// closesFirst reports whether a file has to be closed before it gets another name.
const closesFirst = true

// holds takes a file that was just made. Its name alone says that somebody has it.
func holds(f *os.File) bool { return isAt(f, f.Name()) }

// removeLeft reports whether a file is gone: there are no locks that say whether a process
// still holds it.
func removeLeft(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, os.ErrNotExist)
}
