package asset

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"io"
	"strings"
	"time"

	"github.com/propalg/propalg/value"
)

// Write writes an archive in a format.
//
// A file or URI that has the format already is copied as it is; its entries are not
// checked. Any other archive is written entry by entry: each name once, at its first
// occurrence, with the header fields that Pulumi writes and no others, so the same
// contents give the same bytes. Those of a secret archive are written in clear, as of any
// other. After an error the output is incomplete.
func (c Contents) Write(ctx context.Context, w io.Writer, v value.Value, f Format) error {
	s := c.session(ctx, "write", v)
	defer s.close()

	a, err := s.archive(v)
	if err != nil {
		return err
	}
	if f > ZIP {
		return s.fail(ErrKind, "").want("a format of archives").found(f.String())
	}
	if w == nil {
		return s.fail(ErrWrite, "").found("no writer")
	}
	if err := s.live(""); err != nil {
		return err
	}
	w = wholeWriter{w}
	buffer := make([]byte, bufferSize)
	file, format, err := s.packedFile(a)
	switch {
	case err != nil:
		return err
	case file != nil && format == f:
		return s.copyFile(w, file, buffer)
	case file != nil:
		file.close() // and opened again, to read its entries
	}

	switch f {
	case TAR:
		return s.writeTAR(w, a, buffer)
	case TGZ:
		gz := gzip.NewWriter(w)
		if err := s.writeTAR(gz, a, buffer); err != nil {
			return err
		}
		return s.written(gz.Close())
	case ZIP:
	}
	return s.writeZIP(w, a, buffer)
}

// wholeWriter makes a short write an error, which compress/gzip and the headers of
// archive/tar do not notice.
type wholeWriter struct{ w io.Writer }

func (w wholeWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if n < len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return n, err
}

// written converts an error of what writes to an error of this package.
func (s *session) written(err error) error {
	if err == nil {
		return nil
	}
	return s.because(s.fail(ErrWrite, ""), err)
}

// writeTAR writes the TAR that is hashed for Pulumi: the fields here are the whole
// contract.
func (s *session) writeTAR(w io.Writer, a value.Archive, buffer []byte) error {
	tw := tar.NewWriter(w)
	return s.writeItems(a, buffer, tw.Close, func(it *item) (io.Writer, error) {
		err := tw.WriteHeader(&tar.Header{Name: it.name, Mode: 0o600, Size: it.size})
		return tw, err
	})
}

// writeZIP writes a ZIP. Some readers take no entry without a time; Pulumi gives
// all the first day of 1990.
func (s *session) writeZIP(w io.Writer, a value.Archive, buffer []byte) error {
	zw := zip.NewWriter(w)
	return s.writeItems(a, buffer, zw.Close, func(it *item) (io.Writer, error) {
		to, err := zw.CreateHeader(&zip.FileHeader{
			Name: it.name, Method: zip.Deflate, Modified: time.Date(1990, time.January, 1, 0, 0, 0, 0, time.UTC),
		})
		if strings.HasSuffix(it.name, "/") {
			to = io.Discard // a directory, which is empty
		}
		return to, err
	})
}

func (s *session) writeItems(
	a value.Archive, buffer []byte, end func() error, header func(it *item) (io.Writer, error),
) error {
	err := s.eachItem(a, func(it *item) error {
		to, err := header(it)
		if err != nil {
			return s.because(s.inEntry(s.fail(ErrWrite, it.file), it.name), err)
		}
		return s.copyItem(to, it, buffer)
	})
	if err != nil {
		return err
	}

	return s.written(end())
}
