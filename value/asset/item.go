package asset

import (
	"errors"
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
