package asset

import (
	"context"
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

func (s *session) filePath(text string) (path string, isFile bool, err error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", false, s.fail(errURI, "").found("not a URI")
	}
	if u.Scheme != "file" {
		return "", false, nil
	}
	if (u.Host != "" && u.Host != "localhost") || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path == "" {
		return "", true, s.fail(errURI, shownURI(text)).want("a file: URI with a path only")
	}

	name := u.Path
	if drive := strings.TrimPrefix(name, "/"); filepath.VolumeName(drive) != "" {
		name = drive
	}
	return filepath.FromSlash(name), true, nil
}

func uriFormat(text string) (Format, bool) {
	u, err := url.Parse(text)
	if err != nil {
		return 0, false
	}
	return FormatOf(u.Path)
}

func (s *session) fetch(text string) (*source, error) {
	shown := shownURI(text)
	if s.uris == nil {
		return nil, s.fail(errURI, shown).want("an opener")
	}
	if err := s.live(shown); err != nil {
		return nil, err
	}
	body, err := s.uris(s.ctx, text)
	if err != nil {
		if s.ctx.Err() != nil {
			return nil, s.live(shown)
		}
		return nil, s.because(s.fail(errURI, shown), err)
	}
	if body == nil {
		return nil, s.fail(errURI, shown).found("nothing")
	}

	size := int64(-1)
	if file, ok := body.(fs.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() >= 0 {
			size = info.Size()
		}
	}

	closeOnce := sync.OnceFunc(func() { _ = body.Close() })
	stop := context.AfterFunc(s.ctx, closeOnce)
	return &source{
		s: s, shown: shown, body: body, size: size, verify: unchanged,
		failed: func(err error) error { return s.because(s.fail(ErrRead, shown), err) },
		close: func() {
			stop()
			closeOnce()
		},
	}, nil
}
