package asset

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// bookkeeping is where Pulumi keeps its own files, which are in no archive.
const bookkeeping = ".pulumi"

// directory reads the files in a directory, and in those in it: in each in the
// order of the names. Links to files are files, links to directories are skipped.
type directory struct {
	s    *session
	tree tree
	top  place
	do   visitor
}

// read reads the whole directory. One that is a link has no entries, as for Pulumi; nor
// has one that is named as Pulumi's bookkeeping.
func (d *directory) read(base string) error {
	info, err := d.tree.stat(d.top.name)
	switch {
	case err != nil:
		return d.s.readError(err, d.top.shown)
	case !info.IsDir():
		return d.s.fail(errFormat, d.top.shown)
	}

	if !d.top.slash {
		if info, err = d.tree.lstat(d.top.name); err != nil {
			return d.s.readError(err, d.top.shown)
		}
	}
	if base == bookkeeping || !info.IsDir() {
		return nil
	}
	return d.files("", info, 0)
}

func (d *directory) in(name string) string { return path.Join(d.top.name, name) }

// shown returns that name for errors.
func (d *directory) shown(name string) string {
	if name == "" {
		return d.top.shown
	}
	return strings.TrimSuffix(d.top.shown, "/") + "/" + name
}

// files reads the files in a directory at a depth. Nothing may be added to it or removed
// from it in the meantime.
func (d *directory) files(name string, info fs.FileInfo, depth int) error {
	if depth >= d.s.limits.Depth {
		return d.s.limit("directories in one another", int64(d.s.limits.Depth), d.shown(name))
	}
	if err := d.s.settle(d.tree, info, d.shown(name)); err != nil {
		return err
	}
	before, err := d.tree.stat(d.in(name))
	if err != nil {
		return d.gone(err, name)
	}
	children, err := d.tree.names(d.in(name), d.s.limits.Entries-d.s.entries)
	if err != nil {
		return d.gone(err, name)
	}
	if len(children) > d.s.limits.Entries-d.s.entries {
		return d.s.limit("entries", int64(d.s.limits.Entries), d.shown(name))
	}

	for _, child := range children {
		if child == bookkeeping {
			continue
		}
		if child == "" || child == "." || child == ".." || strings.ContainsAny(child, "/\x00") {
			return d.s.inEntry(d.s.fail(errName, d.shown(name)).want("the name of a file"), child)
		}
		if err := d.child(path.Join(name, child), depth); err != nil {
			return err
		}
	}

	if !d.tree.settles() {
		return nil
	}
	after, err := d.tree.stat(d.in(name))
	if err != nil {
		return d.gone(err, name)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		return d.s.fail(ErrChanged, d.shown(name)).found("other files in the directory")
	}
	return nil
}

// gone returns the error for a file that was listed and cannot be read.
func (d *directory) gone(err error, name string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return d.s.fail(ErrChanged, d.shown(name)).found("file no longer exists")
	}
	return d.s.readError(err, d.shown(name))
}

// child reads a file, or the files in a directory, that is in a directory at a depth.
func (d *directory) child(name string, depth int) error {
	shown := d.shown(name)
	if err := d.s.live(shown); err != nil {
		return err
	}
	if err := d.s.count(shown); err != nil {
		return err
	}
	info, err := d.tree.lstat(d.in(name))
	if err != nil {
		return d.gone(err, name)
	}
	if info.IsDir() {
		return d.files(name, info, depth+1)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		info, err := d.tree.stat(d.in(name))
		if err != nil {
			return d.s.readError(err, shown)
		}
		if info.IsDir() {
			return nil
		}
	}
	file, err := d.s.openWatched(d.tree, d.in(name), shown)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.gone(fs.ErrNotExist, name)
	case err != nil:
		return err
	}

	if err := d.s.allow(file.size, shown); err != nil {
		file.close()
		return err
	}

	it := file.item()
	it.name = name
	return d.do.visit(it)
}
