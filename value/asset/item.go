package asset

import (
	"io"
	"strconv"
	"strings"
)

// item is something to read: an asset, an archive file, or an entry.
type item struct {
	name  string // of the entry in its archive
	file  string // for errors: what it is read from
	entry string // for errors: where in that file, or empty
	size  int64  // in bytes, -1 if not known
	// read is as in io.Reader; its errors are *Error, or io.EOF when all is there
	// and nothing has changed.
	read func(p []byte) (int, error)
	// close gives up what read needs. It may be nil.
	close func()
}

func (it *item) done() {
	if it.close != nil {
		it.close()
		it.close = nil
	}
}

// wrongSize is the error of an item that has not as many bytes as it said.
func (it *item) wrongSize(s *session) error {
	if it.entry != "" {
		return s.inEntry(s.fail(ErrCorrupt, it.file).want("an entry of "+number(it.size)+" bytes"), it.entry)
	}
	return s.fail(ErrChanged, it.file).want("a file of " + number(it.size) + " bytes")
}

// reader gives the items of an archive in order, and io.EOF after the last. An
// item is good until the next call.
type reader interface {
	next() (*item, error)
	// verify says whether the file that the last item comes from has not changed.
	verify() error
	close()
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// textItem is a text.
func (s *session) textItem(text string) *item {
	r := strings.NewReader(text)
	it := &item{size: int64(len(text))}
	if !s.secret {
		it.file = "a text"
	}
	it.read = func(p []byte) (int, error) {
		n, err := r.Read(p)
		if n > 0 {
			return n, s.spend(n, it.file)
		}
		return n, err //nolint:wrapcheck // io.EOF
	}
	return it
}

// skip reads what is left of something, and throws it away. It never returns nil.
func (s *session) skip(r io.Reader, file string, buffer []byte) error {
	for {
		if err := s.live(file); err != nil {
			return err
		}
		if _, err := r.Read(buffer); err != nil {
			return err
		}
	}
}
