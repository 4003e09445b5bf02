package asset

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/propalg/propalg/value"
)

// assetItem opens an asset.
func (s *session) assetItem(a value.Asset) (*item, error) {
	it, err := s.anyAssetItem(a)
	if err != nil {
		return nil, err
	}
	if err := s.allow(it.size, it.file); err != nil {
		it.done()
		return nil, err
	}
	return it, nil
}

func (s *session) anyAssetItem(a value.Asset) (*item, error) {
	switch a.Source() {
	case value.SourceText:
		text, _ := a.Text()
		return s.textItem(text), nil
	case value.SourceFile:
		text, _ := a.Path()
		w, err := s.openPath(text)
		if err != nil {
			return nil, err
		}
		return w.item(), nil
	case value.SourceURI:
		return s.uriItem(a)
	case value.SourceElided, value.SourceLiteral:
	}
	return nil, s.fail(ErrElided, "")
}

func (s *session) uriItem(a value.Asset) (*item, error) {
	uri, _ := a.URI()
	name, isFile, err := s.filePath(uri)
	switch {
	case err != nil:
		return nil, err
	case isFile:
		w, err := s.openPath(name)
		if err != nil {
			return nil, err
		}
		return w.item(), nil
	}
	f, err := s.fetch(uri)
	if err != nil {
		return nil, err
	}
	return f.item(), nil
}

// locate finds a path in the tree of files.
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

func (s *session) openPath(text string) (*watched, error) {
	t, p, err := s.locate(text)
	if err != nil {
		return nil, err
	}
	return s.openWatched(t, p.name, p.shown)
}

// stream is an archive file: bytes, and a way to end reading early.
type stream struct {
	file   string
	format Format
	size   int64 // -1 if not known
	read   func(p []byte) (int, error)
	at     io.ReaderAt // nil if it can only be read from front to back
	verify func() error
	close  func()
}

// packedFile is the archive file that an archive is, nil if it is none.
func (s *session) packedFile(a value.Archive) (*stream, error) {
	text, ok := a.Path()
	isFile := ok
	if !ok {
		if text, ok = a.URI(); !ok {
			return nil, nil //nolint:nilnil // not an archive file, and not an error
		}
		name, fileURI, err := s.filePath(text)
		if err != nil {
			return nil, err
		}
		format, known := uriFormat(text)
		if !known {
			return nil, s.fail(ErrFormat, shownURI(text))
		}
		if !fileURI {
			return s.fetchStream(text, format)
		}
		text = name
	}
	t, p, err := s.locate(text)
	if err != nil {
		return nil, err
	}
	format, known := FormatOf(p.full)
	if !known && isFile {
		return nil, nil //nolint:nilnil // a directory, it seems
	}
	w, err := s.openWatched(t, p.name, p.shown)
	if err != nil {
		return nil, err
	}
	w.free = true
	at, _ := w.file.(io.ReaderAt)
	return &stream{
		file: p.shown, format: format, size: w.was.size,
		read: w.Read, at: at, verify: w.verify, close: w.close,
	}, nil
}

func (s *session) fetchStream(uri string, format Format) (*stream, error) {
	f, err := s.fetch(uri)
	if err != nil {
		return nil, err
	}
	f.free = true
	st := &stream{
		file: f.shown, format: format, size: f.size,
		read: f.Read, verify: func() error { return nil }, close: f.close,
	}
	if f.size >= 0 {
		st.at, _ = f.body.(io.ReaderAt)
	}
	return st, nil
}

// item is an archive file as a whole.
func (st *stream) item(s *session) *item {
	return &item{file: st.file, size: st.size, close: st.close, read: func(p []byte) (int, error) {
		n, err := st.read(p)
		if n > 0 {
			return n, errors.Join(err, s.spend(n, st.file))
		}
		return n, err
	}}
}

// openArchive opens what is in an archive that is not literal.
func (s *session) openArchive(a value.Archive) (reader, error) {
	if a.Source() == value.SourceElided {
		return nil, s.fail(ErrElided, "")
	}
	st, err := s.packedFile(a)
	switch {
	case err != nil:
		return nil, err
	case st != nil && st.format == ZIP:
		return s.openZIP(st)
	case st != nil:
		return s.openTAR(st)
	}
	text, _ := a.Path()
	t, p, err := s.locate(text)
	if err != nil {
		return nil, err
	}
	return s.openDirectory(t, p, filepath.Base(p.full))
}

// open opens what is in an archive.
func (s *session) open(a value.Archive) (reader, error) {
	if err := s.live(""); err != nil {
		return nil, err
	}
	if a.Source() == value.SourceLiteral {
		return s.openLiteral(a), nil
	}
	return s.openArchive(a)
}
