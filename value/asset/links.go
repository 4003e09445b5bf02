package asset

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

var errEscape = errors.New("a link that leads out")

// through does something with a file. os.Root refuses every absolute link; those
// that lead back into the root are resolved here, and tried again under the name
// that they lead to.
func through[T any](d *disk, name string, do func(name string) (T, error)) (T, error) {
	found, err := do(filepath.FromSlash(name))
	if err = escaped(err); !errors.Is(err, errEscape) {
		return found, err
	}
	name, err = d.resolve(name)
	if err != nil {
		return found, err
	}

	found, err = do(filepath.FromSlash(name))
	return found, escaped(err)
}

// escaped distinguishes the errors of os.Root itself, which has no name for them, from
// those of the operating system.
func escaped(err error) error {
	var number syscall.Errno
	if err == nil || errors.As(err, &number) || errors.Is(err, fs.ErrNotExist) ||
		errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrClosed) || errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return errEscape
}

// A name may lead through at most maxLinks links.
const maxLinks = 40

// follow takes the steps of a name that is not clean. A link at its end stays one,
// unless something follows it.
func (d *disk) follow(name string, all bool) (string, error) {
	if all {
		return d.resolve(name)
	}
	dir, last := path.Split(name)
	dir, err := d.resolve(dir)
	return path.Join(dir, last), err
}

// resolve follows all links in a name, which need not be clean. What it returns is a
// guess about a tree that may be changing; os.Root has the last word.
func (d *disk) resolve(name string) (string, error) {
	done, isDir := ".", true
	left := strings.Split(name, "/")
	for links := 0; len(left) > 0; {
		step := left[0]
		left = left[1:]

		switch {
		case !isDir:
			return "", syscall.ENOTDIR
		case step == "" || step == ".":
			continue
		case step == ".." && done == ".":
			return "", errEscape
		case step == "..":
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, step)
		info, err := d.root.Lstat(filepath.FromSlash(next))
		if err != nil {
			return "", escaped(err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done, isDir = next, info.IsDir()
			continue
		}
		if links++; links > maxLinks {
			return "", syscall.ELOOP
		}
		target, err := d.root.Readlink(filepath.FromSlash(next))
		if err != nil {
			return "", escaped(err)
		}

		if filepath.IsAbs(target) {
			if target, err = d.below(target); err != nil {
				return "", err
			}
			done = "."
		}
		left = append(strings.Split(filepath.ToSlash(target), "/"), left...)
	}
	return done, nil
}

func (d *disk) below(abs string) (string, error) {
	for _, top := range d.tops {
		if name, err := filepath.Rel(top, abs); err == nil && filepath.IsLocal(name) {
			return name, nil
		}
	}
	return "", errEscape
}
