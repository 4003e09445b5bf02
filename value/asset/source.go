package asset

import (
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/propalg/propalg/value"
)

// item is something to read: an asset, an archive file, or an entry.
type item struct {
	name  string // of the entry in its archive
	file  string // for errors: what it is read from
	entry string // for errors: where in that file, or empty
	size  int64  // in bytes, -1 if not known
	// read is as in io.Reader; its errors are *Error, or io.EOF when everything was read
	// and nothing has changed.
	read func(p []byte) (int, error)
	// verify reports whether the archive file that an entry is from has changed.
	verify func() error
	close  func()
}

// visitor is called with each item of an archive. An item is closed after the call.
type visitor func(it *item) error

func (do visitor) visit(it *item) error {
	defer it.close()
	return do(it)
}

// Read implements [io.Reader].
func (it *item) Read(p []byte) (int, error) { return it.read(p) }

// readVerified reads an item. It returns io.EOF only if what the item is from has not
// changed.
func (it *item) readVerified(p []byte) (int, error) {
	n, err := it.read(p)
	if errors.Is(err, io.EOF) {
		if err := it.verify(); err != nil {
			return n, err
		}
	}
	return n, err
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func (s *session) textSource(text string) *source {
	return &source{
		s: s, shown: "a text", body: strings.NewReader(text), size: int64(len(text)),
		failed: func(err error) error { return err }, verify: unchanged, close: func() {},
	}
}

// source is an open file, the body of a URI, or a text. Its Read checks that it has as
// many bytes as it should have, and that it has not changed at the end.
type source struct {
	s      *session
	shown  string // for errors
	body   io.Reader
	size   int64 // -1 if not known
	done   int64
	late   error                 // returned after the last bytes
	idle   int                   // reads in a row that returned nothing
	packed bool                  // an archive file: its own bytes do not count as contents
	failed func(err error) error // converts an error of body
	verify func() error          // reports whether the file has changed
	close  func()
}

// Read is as in io.Reader; its errors are *Error or io.EOF.
func (r *source) Read(p []byte) (int, error) {
	if err := r.s.live(r.shown); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, nil
	}

	n, err := 0, r.late
	if err == nil {
		n, err = r.body.Read(p)
	}
	if n < 0 || n > len(p) {
		return 0, r.s.fail(ErrRead, r.shown)
	}
	r.done += int64(n)
	if r.size >= 0 && r.done > r.size {
		return 0, r.s.fail(ErrChanged, r.shown).found("more bytes than it had")
	}

	if n > 0 {
		r.late, r.idle = err, 0
		if !r.packed {
			return n, r.s.spend(n, r.shown)
		}
		return n, nil
	}
	return 0, r.end(err)
}

// end returns the error for a read that returned no bytes.
func (r *source) end(err error) error {
	const enough = 100
	switch {
	case errors.Is(err, io.EOF) && r.done < r.size:
		return r.s.fail(ErrChanged, r.shown).found("fewer bytes than it had")
	case errors.Is(err, io.EOF):
		if err := r.verify(); err != nil {
			return err
		}
		return io.EOF
	case err != nil && r.s.ctx.Err() != nil:
		return r.s.live(r.shown)
	case err != nil:
		return r.failed(err)
	}

	if r.idle++; r.idle < enough {
		return nil
	}
	return r.s.because(r.s.fail(ErrRead, r.shown), io.ErrNoProgress)
}

func (r *source) item() *item {
	return &item{file: r.shown, size: r.size, read: r.Read, verify: unchanged, close: r.close}
}

// unchanged verifies what cannot change, or is verified at its end.
func unchanged() error { return nil }

func (s *session) assetItem(a value.Asset) (*item, error) {
	r, err := s.assetSource(a)
	if err != nil {
		return nil, err
	}
	if err := s.allow(r.size, r.shown); err != nil {
		r.close()
		return nil, err
	}

	return r.item(), nil
}

func (s *session) assetSource(a value.Asset) (*source, error) {
	if text, ok := a.Text(); ok {
		return s.textSource(text), nil
	}
	if name, ok := a.Path(); ok {
		return s.openPath(name)
	}
	uri, ok := a.URI()
	if !ok {
		return nil, s.fail(ErrElided, "")
	}
	name, isFile, err := s.filePath(uri)
	switch {
	case err != nil:
		return nil, err
	case isFile:
		return s.openPath(name)
	}

	return s.fetch(uri)
}

func (s *session) locate(text string) (tree, place, error) {
	t, err := s.tree(text)
	if err != nil {
		return nil, place{}, err
	}
	if text == "" {
		return nil, place{}, s.fail(ErrMissing, "").want("a path")
	}
	p, ok := s.files.find(text)
	if !ok {
		return nil, place{}, s.fail(ErrOutside, text)
	}

	if d, isDisk := t.(*disk); isDisk && p.loose != "" {
		if p.name, err = d.follow(p.loose, p.slash); err != nil {
			return nil, place{}, s.readError(err, text)
		}
	}
	return t, p, nil
}

func (s *session) openPath(text string) (*source, error) {
	t, p, err := s.locate(text)
	if err != nil {
		return nil, err
	}
	return s.openWatched(t, p.name, p.shown)
}

// packedFile opens the archive file of an archive. It returns nil for an archive that is
// a directory.
func (s *session) packedFile(a value.Archive) (file *source, format Format, err error) {
	text, isFile := a.Path()
	if !isFile {
		uri, ok := a.URI()
		if !ok {
			return nil, 0, nil // neither
		}
		name, fileURI, err := s.filePath(uri)
		if err != nil {
			return nil, 0, err
		}
		format, known := uriFormat(uri)
		if !known {
			return nil, 0, s.fail(errFormat, shownURI(uri))
		}
		if !fileURI {
			file, err = s.fetch(uri)
			return packed(file, err, format)
		}

		text = name
	}
	t, p, err := s.locate(text)
	if err != nil {
		return nil, 0, err
	}

	format, known := FormatOf(p.full)
	if !known && isFile {
		return nil, 0, nil // a directory, it seems
	}
	file, err = s.openWatched(t, p.name, p.shown)
	return packed(file, err, format)
}

// packed marks an open file as an archive file.
func packed(file *source, err error, format Format) (*source, Format, error) {
	if err != nil {
		return nil, 0, err
	}
	file.packed = true
	return file, format, nil
}

func (s *session) archive(v value.Value) (value.Archive, error) {
	a, ok := v.AsArchive()
	if !ok {
		return a, s.fail(ErrKind, "").want("archive").found(v.Kind().String())
	}
	return a, nil
}

func (s *session) eachItem(a value.Archive, do visitor) error {
	if err := s.live(""); err != nil {
		return err
	}
	if a.Source() == value.SourceLiteral {
		l := literal{s: s, do: do, seen: names{}}
		return l.members(a, "", 1)
	}

	return s.eachFile(a, do)
}

func (s *session) eachFile(a value.Archive, do visitor) error {
	if a.Source() == value.SourceElided {
		return s.fail(ErrElided, "")
	}
	file, format, err := s.packedFile(a)
	switch {
	case err != nil:
		return err
	case file != nil:
		defer file.close()
		p := packedReader{s: s, st: file, do: do, seen: names{}}
		if format == ZIP {
			return p.readZIP()
		}
		return p.readTAR(format)
	}

	text, _ := a.Path()
	t, p, err := s.locate(text)
	if err != nil {
		return err
	}
	d := directory{s: s, tree: t, top: p, do: do}
	return d.read(filepath.Base(p.full))
}
