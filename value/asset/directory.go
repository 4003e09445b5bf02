package asset

import (
	"errors"
	"io"
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
	s     *session
	tree  tree
	top   place
	stack []dirFrame
	last  *item
}

// dirFrame is a directory that is being read.
type dirFrame struct {
	name   string // below top, or empty
	left   []string
	before fs.FileInfo
}

// openDirectory opens a directory. One that is a link has no entries, as for
// Pulumi; nor has one called as Pulumi's bookkeeping.
func (s *session) openDirectory(t tree, p place, base string) (reader, error) {
	info, err := t.stat(p.name)
	switch {
	case err != nil:
		return nil, s.readError(err, p.shown)
	case !info.IsDir():
		return nil, s.fail(ErrFormat, p.shown)
	}
	d := &directory{s: s, tree: t, top: p}
	if !p.slash {
		if info, err = t.lstat(p.name); err != nil {
			return nil, s.readError(err, p.shown)
		}
	}
	if base == bookkeeping || !info.IsDir() {
		return d, nil
	}
	if err := d.push("", info); err != nil {
		return nil, err
	}
	return d, nil
}

// in is the name in the tree of what is in the directory.
func (d *directory) in(name string) string { return path.Join(d.top.name, name) }

// shown is that name for errors.
func (d *directory) shown(name string) string {
	if name == "" {
		return d.top.shown
	}
	return strings.TrimSuffix(d.top.shown, "/") + "/" + name
}

func (d *directory) push(name string, info fs.FileInfo) error {
	if len(d.stack) >= d.s.limits.Depth {
		return d.s.limit("directories in one another", int64(d.s.limits.Depth), d.shown(name))
	}
	if err := d.s.settle(d.tree, info, d.shown(name)); err != nil {
		return err
	}
	before, err := d.tree.stat(d.in(name))
	if err != nil {
		return d.gone(err, name)
	}
	left, err := d.tree.names(d.in(name), d.s.limits.Entries-d.s.entries)
	if err != nil {
		return d.gone(err, name)
	}
	if len(left) > d.s.limits.Entries-d.s.entries {
		return d.s.limit("entries", int64(d.s.limits.Entries), d.shown(name))
	}
	d.stack = append(d.stack, dirFrame{name, left, before})
	return nil
}

// gone returns the error for a file that was listed and cannot be read.
func (d *directory) gone(err error, name string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return d.s.fail(ErrChanged, d.shown(name)).found("file no longer exists")
	}
	return d.s.readError(err, d.shown(name))
}

// pop leaves a directory, in which nothing may have been added or removed.
func (d *directory) pop() error {
	f := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	if !d.tree.settles() {
		return nil
	}
	after, err := d.tree.stat(d.in(f.name))
	if err != nil {
		return d.gone(err, f.name)
	}
	if !os.SameFile(f.before, after) || !f.before.ModTime().Equal(after.ModTime()) {
		return d.s.fail(ErrChanged, d.shown(f.name)).found("other files in the directory")
	}
	return nil
}

func (d *directory) finish() {
	if d.last != nil {
		d.last.done()
		d.last = nil
	}
}

func (d *directory) close() { d.finish() }

// verify has nothing to say: each file is verified at its end.
func (d *directory) verify() error { return nil }

func (d *directory) next() (*item, error) {
	d.finish()
	for len(d.stack) > 0 {
		top := &d.stack[len(d.stack)-1]
		if len(top.left) == 0 {
			if err := d.pop(); err != nil {
				return nil, err
			}
			continue
		}
		child := top.left[0]
		top.left = top.left[1:]
		if child == bookkeeping {
			continue
		}
		if child == "" || child == "." || child == ".." || strings.ContainsAny(child, "/\x00") {
			return nil, d.s.inEntry(d.s.fail(ErrName, d.shown(top.name)).want("the name of a file"), child)
		}
		it, err := d.visit(path.Join(top.name, child))
		if err != nil {
			return nil, err
		}
		if it != nil {
			d.last = it
			return it, nil
		}
	}
	return nil, io.EOF
}

// visit opens a file, or goes into a directory.
func (d *directory) visit(name string) (*item, error) {
	shown := d.shown(name)
	if err := d.s.live(shown); err != nil {
		return nil, err
	}
	if err := d.s.count(shown); err != nil {
		return nil, err
	}
	info, err := d.tree.lstat(d.in(name))
	if err != nil {
		return nil, d.gone(err, name)
	}
	if info.IsDir() {
		return nil, d.push(name, info)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		info, err := d.tree.stat(d.in(name))
		if err != nil {
			return nil, d.s.readError(err, shown)
		}
		if info.IsDir() {
			return nil, nil //nolint:nilnil // no item, and no error
		}
	}
	w, err := d.s.openWatched(d.tree, d.in(name), shown)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, d.gone(fs.ErrNotExist, name)
		}
		return nil, err
	}
	if err := d.s.allow(w.left, shown); err != nil {
		w.close()
		return nil, err
	}
	it := w.item()
	it.name = name
	return it, nil
}
