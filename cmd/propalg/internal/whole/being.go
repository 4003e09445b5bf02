package whole

import (
	"os"
	"sync"
)

// being has the names of the temporary files of this process. While it is locked none is
// made, renamed or removed.
var being = struct { //nolint:gochecknoglobals // signals are for the whole process
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// DropAll removes what this process is writing, before a signal ends it. After that it
// writes no file any more: who tries to begin, keep or drop one waits for ever.
func DropAll() {
	being.Lock()
	for name := range being.names {
		_ = os.Remove(name)
	}
}
