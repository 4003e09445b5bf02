package whole

import (
	"os"
	"path/filepath"
)

// At most mostLinks links are followed, as systems do.
const mostLinks = 40

// IsOpen reports whether a name leads to a file by way of what a process has open, as /dev/stdout and
// /dev/fd/3 do. Such a file is not replaced: those who have it open would keep the old one,
// and if it has no name any more, the link would be replaced.
func IsOpen(name string) bool {
	for range mostLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err != nil {
			return false
		}

		for _, pattern := range []string{"/proc/*/fd", "/proc/*/task/*/fd", "/dev/fd"} {
			if isOfProcess, _ := filepath.Match(pattern, dir); isOfProcess {
				return true
			}
		}
		to, err := os.Readlink(name)
		if err != nil {
			return false
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		name = to
	}

	return false
}

// open begins to write into a device, a pipe or an open file, after what that has. Standard
// output is written to as it is, so that what follows there comes after.
func open(name string, info os.FileInfo) (*File, error) {
	for _, std := range []*os.File{os.Stdout, os.Stderr} {
		if own, err := std.Stat(); err == nil && os.SameFile(own, info) {
			return &File{to: std, isClosed: true}, nil // it is not ours to close
		}
	}

	to, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	return &File{to: to}, err
}
