package asset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strconv"

	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/value"
)

// Entry is one file in an archive, good during its step of [Contents.Entries]: it
// is an [io.Reader] of its content. Its text has the name, or "[secret]".
type Entry struct {
	name value.Value // a string, secret if the archive is
	size int64
	read func(p []byte) (int, error)
}

// Name returns the name: slash-separated, relative, not leading out of the archive.
func (e Entry) Name() string {
	name, _ := e.name.AsString()
	return name
}

// Size returns how many bytes the entry has.
func (e Entry) Size() int64 { return e.size }

// Read is as in [io.Reader], with errors as [Blob.Read] has them. After the step of
// the entry it returns an error that wraps [ErrRead].
func (e Entry) Read(p []byte) (int, error) {
	if e.read == nil {
		return 0, io.EOF
	}
	return e.read(p)
}

// String returns the name, quoted, and the size.
func (e Entry) String() string { return shownName(e.name) + " (" + number(e.size) + " bytes)" }

// Format writes the text of String, whatever the verb.
func (e Entry) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, e.String()) }

func shownName(name value.Value) string {
	text, ok := name.AsString()
	if !ok || name.IsSecret() {
		return name.String()
	}
	return strconv.Quote(text)
}

// nameValue is a name that texts do not show if it comes out of a secret.
func (s *session) nameValue(text string) value.Value {
	if s.secret {
		return value.Secret(value.String(text))
	}
	return value.String(text)
}

// Entries iterates over the files in an archive: of a literal one in order of the
// names, with what is in a nested archive in the place of its name; of a directory as
// Pulumi walks it, in each directory by name; of a file as it has them.
// Directories are no entries. An error comes last, as an *Error.
func (c Contents) Entries(ctx context.Context, v value.Value) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s := c.session(ctx, "entries", v)
		defer s.close()
		a, ok := v.AsArchive()
		if !ok {
			yield(Entry{}, s.fail(ErrKind, "").want("archive").found(v.Kind().String()))
			return
		}
		stopped := false
		err := s.eachItem(a, func(it *item, from reader) error {
			over, reading := false, s.reading(it, from)
			read := func(p []byte) (int, error) {
				if over {
					return 0, s.fail(ErrRead, it.file).found("an entry whose turn is over")
				}
				return reading(p)
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

// OpenEntry opens the entry of a name, which is cleaned first. That there is none
// is an error that wraps [ErrMissing]. Other members of a literal archive are not opened;
// a directory or archive file is read up to the entry.
func (c Contents) OpenEntry(ctx context.Context, v value.Value, name string) (*Blob, error) {
	s := c.session(ctx, "open entry", v)
	a, ok := v.AsArchive()
	if !ok {
		return nil, s.fail(ErrKind, "").want("archive").found(v.Kind().String())
	}
	s.wanted = path.Clean(name)
	r, err := s.open(a)
	if err != nil {
		s.close()
		return nil, err
	}
	for {
		it, err := r.next()
		if errors.Is(err, io.EOF) {
			err = s.inEntry(s.fail(ErrMissing, ""), name)
		}
		if err != nil {
			r.close()
			s.close()
			return nil, err
		}
		if path.Clean(it.name) == s.wanted {
			return s.blob(it, r), nil
		}
	}
}

// UnmarshalJSON returns an error that names Contents.Entries.
func (*Entry) UnmarshalJSON([]byte) error { return refuse.JSON("asset.Entry", "Contents.Entries") }
