package asset

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/propalg/propalg/value"
)

// session is one call: what it was given, what it has open, and how much it has
// read. One goroutine has it, but for trees, which HashAll shares.
type session struct {
	ctx    context.Context
	op     string
	files  Files
	uris   Opener
	limits Limits
	trees  *treeHolder
	secret bool // names go into no error

	// wanted is the one entry that is looked for, or empty: what is in other places of
	// literal archives is not opened.
	wanted string

	entries int   // of archives, so far
	bytes   int64 // of contents, so far
}

type treeHolder struct {
	once sync.Once
	tree tree
	err  error
}

func (h *treeHolder) close() {
	if h.tree != nil {
		_ = h.tree.close()
	}
}

func (c Contents) session(ctx context.Context, op string, v value.Value) *session {
	if ctx == nil {
		ctx = context.Background()
	}
	return &session{
		ctx: ctx, op: op, files: c.Files, uris: c.URIs, limits: c.Limits.filled(),
		trees: &treeHolder{}, secret: v.IsSecret(),
	}
}

func (s *session) close() { s.trees.close() }

// tree returns the tree of files, or an error about the file that is looked for.
func (s *session) tree(shown string) (tree, error) {
	h := s.trees
	h.once.Do(func() { h.tree, h.err = s.files.open() })
	switch {
	case errors.Is(h.err, errFiles):
		return nil, s.fail(errFiles, shown)
	case h.err != nil:
		return nil, s.readError(h.err, shown)
	}

	return h.tree, nil
}

func (s *session) fail(sentinel error, file string) *Error {
	e := &Error{Op: s.op, err: sentinel}
	if !s.secret {
		e.File = file
	}
	return e
}

func (e *Error) want(text string) *Error {
	e.Want = text
	return e
}

func (e *Error) found(text string) *Error {
	e.Found = text
	return e
}

// because adds an underlying error, but for a secret value none that could name a file.
func (s *session) because(e *Error, cause error) *Error {
	if !s.secret || ofContext(cause) {
		e.cause = bareCause(cause)
	}
	return e
}

func (s *session) inEntry(e *Error, name string) *Error {
	if !s.secret {
		e.Entry = name
	}
	return e
}

// readError is an error of the operating system, or of a file system or opener of
// the caller's; one of our own stays what it is.
func (s *session) readError(err error, file string) error {
	if own, ok := s.own(err); ok {
		return own
	}

	switch {
	case errors.Is(err, errEscape):
		return s.fail(ErrOutside, file).found("a link that leads out of the directory, or a cycle of links")
	case errors.Is(err, fs.ErrNotExist):
		return s.because(s.fail(ErrMissing, file), fs.ErrNotExist)
	}
	return s.because(s.fail(ErrRead, file), err)
}

// own returns an error of this package as it is. Errors about a secret name nothing, so
// one that does is of another call, made by the caller's file system.
func (s *session) own(err error) (*Error, bool) {
	var own *Error
	if !errors.As(err, &own) {
		return nil, false
	}

	if s.secret && (own.File != "" || own.Entry != "" || (own.cause != nil && !ofContext(own.cause))) {
		own = s.fail(ErrRead, "")
	}
	return own, true
}

func (s *session) live(file string) error {
	if s.ctx.Err() == nil {
		return nil
	}

	cause := context.Cause(s.ctx)
	if s.secret {
		cause = s.ctx.Err() // the cause that a caller gave may hold anything
	}
	return s.because(s.fail(ErrRead, file), cause)
}

const bufferSize = 256 << 10

func (s *session) copyItem(w io.Writer, it *item, buffer []byte) error {
	for {
		n, err := it.read(buffer)
		if n > 0 {
			if _, err := w.Write(buffer[:n]); err != nil {
				return s.because(s.fail(ErrWrite, it.file), err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
