package whole

import (
	"errors"
	"os"
)

// closesFirst reports whether a file has to be closed before it gets another name.
const closesFirst = true

// holds takes a file that was just made: as long as it is open nobody can remove it.
func holds(f *os.File) bool { return isAt(f, f.Name()) }

// removeLeft removes a file that no process has open, and reports whether it is gone.
func removeLeft(name string) bool {
	err := os.Remove(name)
	return err == nil || errors.Is(err, os.ErrNotExist)
}
