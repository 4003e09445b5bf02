package asset

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// watched is an open file that has to stay what it was when it was opened: as long,
// of the same time, and under the same name.
//
// What is not noticed: a write that is hidden by setting back the file's time, a
// write through a memory map that the system has not noted yet, and on file
// systems whose times are whole seconds one within the second.
type watched struct {
	s      *session
	tree   tree
	name   string
	shown  string
	file   fs.File
	before fs.FileInfo
	was    facts
	left   int64
	late   error // returned with the last bytes
	idle   idle
	free   bool // what is read does not count as contents
}

// openWatched opens a plain file.
func (s *session) openWatched(t tree, name, shown string) (*watched, error) {
	info, err := t.stat(name)
	if err != nil {
		return nil, s.readError(err, shown)
	}
	if err := s.plain(info, shown); err != nil {
		return nil, err
	}
	f, err := t.open(name)
	if err != nil {
		return nil, s.readError(err, shown)
	}
	w := &watched{s: s, tree: t, name: name, shown: shown, file: f}
	if err := w.begin(); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// begin notes what the file is, once a change could no longer go unseen.
func (w *watched) begin() error {
	info, err := w.file.Stat()
	if err != nil {
		return w.s.readError(err, w.shown)
	}
	if err := w.s.plain(info, w.shown); err != nil {
		return err
	}
	if err := w.s.settle(w.tree, info, w.shown); err != nil {
		return err
	}
	if w.before, err = w.file.Stat(); err != nil {
		return w.s.readError(err, w.shown)
	}
	w.was = factsOf(w.before)
	w.left = w.was.size
	return nil
}

// plain refuses directories, and devices and pipes, on which a reader could wait for
// ever.
func (s *session) plain(info fs.FileInfo, shown string) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return s.fail(ErrKind, shown).want("a file").found("a directory")
	case !mode.IsRegular():
		return s.fail(ErrKind, shown).want("a file").found("a device, pipe or socket")
	case info.Size() < 0: // another file system of a caller
		return s.fail(ErrKind, shown).want("a file").found("a file of negative size")
	}
	return nil
}

func (w *watched) close() { _ = w.file.Close() }

func (w *watched) changed(how string) error {
	return w.s.fail(ErrChanged, w.shown).found(how)
}

// Read is as in io.Reader, but io.EOF comes only if nothing has changed.
func (w *watched) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := 0, w.late
	if err == nil {
		n, err = w.file.Read(p)
	}
	if n < 0 || n > len(p) {
		return 0, w.s.fail(ErrRead, w.shown)
	}
	if int64(n) > w.left {
		return 0, w.changed("more bytes than it had")
	}
	w.left -= int64(n)
	if n > 0 {
		w.late, w.idle = err, 0
		if !w.free {
			return n, w.s.spend(n, w.shown)
		}
		return n, nil
	}
	switch {
	case errors.Is(err, io.EOF) && w.left > 0:
		return 0, w.changed("fewer bytes than it had")
	case errors.Is(err, io.EOF):
		if err := w.verify(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	case err != nil:
		return 0, w.s.readError(err, w.shown)
	}
	return 0, w.idle.more(w.s, w.shown)
}

// idle counts reads in a row that brought nothing.
type idle int

// more counts one more, and is an error when it looks as if there will never be
// anything, not even an end.
func (i *idle) more(s *session, shown string) error {
	const enough = 100
	if *i++; *i < enough {
		return nil
	}
	return s.because(s.fail(ErrRead, shown), io.ErrNoProgress)
}

// verify says whether the file is still what it was, here and under its name.
func (w *watched) verify() error {
	after, err := w.file.Stat()
	if err != nil {
		return w.s.readError(err, w.shown)
	}
	named, err := w.tree.stat(w.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.changed("file no longer exists")
	case err != nil:
		return w.s.readError(err, w.shown)
	case w.was != factsOf(after):
		return w.changed("another size or time")
	case w.was != factsOf(named) || w.tree.settles() && !os.SameFile(w.before, named):
		return w.changed("another file under its name")
	}
	return nil
}

// facts are the facts about a file at one time: an fs.FileInfo of a caller's file system
// may return other ones with each call.
type facts struct {
	size int64
	time int64 // nanoseconds since 1970, modulo 2^64
	mode fs.FileMode
}

func factsOf(info fs.FileInfo) facts {
	return facts{info.Size(), info.ModTime().UnixNano(), info.Mode()}
}

// item is the file as something to read.
func (w *watched) item() *item {
	return &item{file: w.shown, size: w.was.size, read: w.Read, close: w.close}
}
