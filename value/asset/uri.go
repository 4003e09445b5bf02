package asset

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// shownURI is what errors show of a URI: no user, no query, no fragment, which may
// hold passwords and tokens.
func shownURI(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" {
		return "a URI"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

// filePath is the path of a file: URI, and false for any other URI.
func (s *session) filePath(text string) (path string, isFile bool, err error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", false, s.fail(ErrURI, "").found("not a URI")
	}
	if u.Scheme != "file" {
		return "", false, nil
	}
	if u.Host != "" && u.Host != "localhost" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path == "" {
		return "", true, s.fail(ErrURI, shownURI(text)).want("a file: URI with a path only")
	}
	name := u.Path
	if drive := strings.TrimPrefix(name, "/"); filepath.VolumeName(drive) != "" {
		name = drive
	}
	return filepath.FromSlash(name), true, nil
}

// uriFormat is the format of an archive at a URI.
func uriFormat(text string) (Format, bool) {
	u, err := url.Parse(text)
	if err != nil {
		return 0, false
	}
	return FormatOf(u.Path)
}

// fetched is what an opener returned.
type fetched struct {
	s     *session
	shown string
	body  io.ReadCloser
	stop  func() bool
	once  sync.Once
	size  int64 // -1 if not known
	done  int64
	late  error // returned with the last bytes
	idle  idle
	free  bool // what is read does not count as contents
}

// fetch opens a URI other than a file: one.
func (s *session) fetch(text string) (*fetched, error) {
	shown := shownURI(text)
	if s.uris == nil {
		return nil, s.fail(ErrURI, shown).want("an opener")
	}
	if err := s.live(shown); err != nil {
		return nil, err
	}
	body, err := s.uris(s.ctx, text)
	if err != nil {
		if s.ctx.Err() != nil {
			return nil, s.live(shown)
		}
		return nil, s.because(s.fail(ErrURI, shown), err)
	}
	if body == nil {
		return nil, s.fail(ErrURI, shown).found("nothing")
	}
	f := &fetched{s: s, shown: shown, body: body, size: -1}
	if file, ok := body.(fs.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() >= 0 {
			f.size = info.Size()
		}
	}
	f.stop = context.AfterFunc(s.ctx, f.closeBody)
	return f, nil
}

func (f *fetched) closeBody() { f.once.Do(func() { _ = f.body.Close() }) }

func (f *fetched) close() {
	f.stop()
	f.closeBody()
}

// Read is as in io.Reader; its errors are *Error or io.EOF.
func (f *fetched) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := 0, f.late
	if err == nil {
		n, err = f.body.Read(p)
	}
	if n < 0 || n > len(p) {
		return 0, f.s.fail(ErrRead, f.shown)
	}
	f.done += int64(n)
	if f.size >= 0 && f.done > f.size {
		return 0, f.s.fail(ErrChanged, f.shown).found("more bytes than it had")
	}
	if n > 0 {
		f.late, f.idle = err, 0
		if !f.free {
			return n, f.s.spend(n, f.shown)
		}
		return n, nil
	}
	switch {
	case errors.Is(err, io.EOF) && f.done < f.size:
		return 0, f.s.fail(ErrChanged, f.shown).found("fewer bytes than it had")
	case errors.Is(err, io.EOF):
		return 0, io.EOF
	case err != nil && f.s.ctx.Err() != nil:
		return 0, f.s.live(f.shown)
	case err != nil:
		return 0, f.s.because(f.s.fail(ErrRead, f.shown), err)
	}
	return 0, f.idle.more(f.s, f.shown)
}

func (f *fetched) item() *item {
	return &item{file: f.shown, size: f.size, read: f.Read, close: f.close}
}
