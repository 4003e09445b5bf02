package asset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strconv"

	"github.com/propalg/propalg/value"
)

// Entry is one file in an archive, and an [io.Reader] of its content. It is valid during
// its step of [Contents.Entries]. Its String is the name, or "[secret]", and the size.
type Entry struct {
	name value.Value // a string, secret if the archive is
	size int64
	read func(p []byte) (int, error)
}

// Name returns the name: slash-separated, relative, and never leading out of the archive.
func (e Entry) Name() string {
	name, _ := e.name.AsString()
	return name
}

// Size returns the number of bytes of the entry.
func (e Entry) Size() int64 { return e.size }

// Read implements [io.Reader], with the errors of [Blob.Read]. After the step of the
// entry it returns an error that wraps [ErrRead].
func (e Entry) Read(p []byte) (int, error) {
	if e.read == nil {
		return 0, io.EOF
	}
	return e.read(p)
}

// String returns the quoted name, or "[secret]", and the size.
func (e Entry) String() string { return shownName(e.name) + " (" + number(e.size) + " bytes)" }

// Format implements [fmt.Formatter]: it writes the text of String for every verb.
func (e Entry) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, e.String()) }

func shownName(name value.Value) string {
	text, ok := name.AsString()
	if !ok || name.IsSecret() {
		return name.String()
	}
	return strconv.Quote(text)
}

// nameValue returns a name that is masked in texts if it is from a secret.
func (s *session) nameValue(text string) value.Value {
	if s.secret {
		return value.Secret(value.String(text))
	}
	return value.String(text)
}

// Entries returns an iterator over the files in an archive. The order is that of the
// hash (see the package documentation). Directories are not listed. The last step may be
// an [*Error].
func (c Contents) Entries(ctx context.Context, v value.Value) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s := c.session(ctx, "entries", v)
		defer s.close()

		a, err := s.archive(v)
		if err != nil {
			yield(Entry{}, err)
			return
		}

		stopped := false
		err = s.eachItem(a, func(it *item) error {
			over := false
			read := func(p []byte) (int, error) {
				if over {
					return 0, s.fail(ErrRead, it.file).found("an entry that is no longer current")
				}
				return it.readVerified(p)
			}
			stopped = !yield(Entry{s.nameValue(it.name), it.size, read}, nil)
			over = true
			if stopped {
				return io.EOF
			}
			return nil
		})
		if err != nil && !stopped {
			yield(Entry{}, err)
		}
	}
}

// OpenEntry returns the content of the entry with the given name, which is cleaned first.
// If there is none the error wraps [ErrMissing]. Other members of a literal archive are
// not opened; a directory or archive file is read up to the entry.
func (c Contents) OpenEntry(ctx context.Context, v value.Value, name string) (*Blob, error) {
	s := c.session(ctx, "open entry", v)
	a, err := s.archive(v)
	if err != nil {
		return nil, err
	}

	s.wanted = path.Clean(name)
	next, stop := iter.Pull2(func(yield func(*item, error) bool) {
		err := s.eachItem(a, func(it *item) error {
			if path.Clean(it.name) != s.wanted {
				return nil
			}
			yield(it, nil)
			return io.EOF // the content was closed
		})
		if err == nil {
			err = s.inEntry(s.fail(ErrMissing, ""), name)
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, err)
		}
	})
	it, err, _ := next()
	if err != nil {
		stop()
		s.close()
		return nil, err
	}

	return s.blob(it, stop), nil
}
