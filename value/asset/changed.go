package asset

import (
	"errors"
	"io/fs"
	"os"
	"time"
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
}

func (s *session) openWatched(t tree, name, shown string) (*source, error) {
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
		_ = f.Close()
		return nil, err
	}
	return &source{
		s: s, shown: shown, body: f, size: w.was.size, verify: w.verify,
		failed: func(err error) error { return s.readError(err, shown) },
		close:  func() { _ = f.Close() },
	}, nil
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
	return nil
}

// tick is longer than file systems need to distinguish two changes, other than
// those whose times are whole seconds.
const tick = 20 * time.Millisecond

// settle waits, if a file was written just now, until a further change must show in
// its time.
func (s *session) settle(t tree, info fs.FileInfo, file string) error {
	if !t.settles() {
		return nil
	}
	age := time.Since(info.ModTime())
	if age < 0 || age >= tick {
		return nil
	}
	timer := time.NewTimer(tick - age)
	defer timer.Stop()

	select {
	case <-timer.C:
		return nil
	case <-s.ctx.Done():
		return s.live(file)
	}
}

// plain refuses directories, and devices and pipes, on which a reader could wait for
// ever.
func (s *session) plain(info fs.FileInfo, shown string) error {
	mode := info.Mode()
	switch {
	case mode.IsDir():
		return s.fail(ErrKind, shown).want("a file").found("a directory")
	case !mode.IsRegular():
		return s.fail(ErrKind, shown).want("a file").found("a device, pipe or socket")
	case info.Size() < 0: // another file system of a caller
		return s.fail(ErrKind, shown).want("a file").found("a file of negative size")
	}

	return nil
}

func (w *watched) changed(how string) error {
	return w.s.fail(ErrChanged, w.shown).found(how)
}

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
	case w.was != factsOf(named) || (w.tree.settles() && !os.SameFile(w.before, named)):
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
