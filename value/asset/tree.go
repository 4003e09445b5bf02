package asset

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// tree is a tree of files: a directory of the operating system, or an fs.FS.
// Names are as in place.
type tree interface {
	lstat(name string) (fs.FileInfo, error)
	stat(name string) (fs.FileInfo, error) // follows links
	open(name string) (fs.File, error)     // follows links
	// names are those of what is in a directory, sorted; if there are more than
	// most, that many or more.
	names(name string, most int) ([]string, error)
	settles() bool // times of changes are those of a clock
	close() error
}

// disk is a directory of the operating system. os.Root sees to it that nothing
// outside is opened, even if links change in the meantime.
type disk struct {
	root *os.Root
	tops []string // names of the root that absolute links may begin with
}

func openDisk(dir string) (tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}

	d := &disk{root: root}
	if abs, err := filepath.Abs(dir); err == nil {
		d.tops = append(d.tops, abs)
		if followed, err := filepath.EvalSymlinks(abs); err == nil && followed != abs {
			d.tops = append(d.tops, followed)
		}
	}
	return d, nil
}

func (d *disk) close() error { return d.root.Close() }

func (d *disk) settles() bool { return true }

func (d *disk) lstat(name string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(filepath.FromSlash(name))
	return info, escaped(err)
}

func (d *disk) stat(name string) (fs.FileInfo, error) {
	return through(d, name, func(name string) (fs.FileInfo, error) { return d.root.Stat(name) })
}

func (d *disk) open(name string) (fs.File, error) {
	return through(d, name, func(name string) (fs.File, error) {
		f, err := d.root.OpenFile(name, openFlags, 0)
		if err != nil {
			return nil, err // not a nil *os.File in an interface
		}
		return f, nil
	})
}

func (d *disk) names(name string, most int) ([]string, error) {
	f, err := d.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, escaped(err)
	}

	const atOnce = 4096
	var names []string
	for err == nil && len(names) <= most {
		var some []string
		some, err = f.Readdirnames(atOnce)
		names = append(names, some...)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err2 := f.Close(); err == nil {
		err = err2
	}
	slices.Sort(names)
	return names, err
}

type library struct{ fsys fs.FS }

func (l library) close() error { return nil }

func (l library) settles() bool { return false }

func (l library) lstat(name string) (fs.FileInfo, error) { return present(fs.Lstat(l.fsys, name)) }

func (l library) stat(name string) (fs.FileInfo, error) { return present(fs.Stat(l.fsys, name)) }

func (l library) open(name string) (fs.File, error) { return present(l.fsys.Open(name)) }

// present returns what a file system returned, or an error if that is nothing.
func present[T comparable](found T, err error) (T, error) {
	var nothing T
	if err == nil && found == nothing {
		err = fs.ErrInvalid
	}
	return found, err
}

func (l library) names(name string, _ int) ([]string, error) {
	entries, err := fs.ReadDir(l.fsys, name)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	slices.Sort(names)
	return names, err
}
