package asset

import (
	"bytes"
	"io"
	"os"
)

// spooled is the content of a stream, which can be read at any place: in memory
// as long as it is small, in a temporary file otherwise.
type spooled struct {
	s      *session
	shown  string
	memory []byte
	file   *os.File
	named  bool // the file still has its name
	size   int64
}

// A stream of at most spoolInMemory bytes is kept in memory.
const spoolInMemory = 1 << 20

// spool reads a stream to its end.
func (s *session) spool(r io.Reader, shown string) (*spooled, error) {
	k := &spooled{s: s, shown: shown}
	if _, err := io.Copy(k, r); err != nil {
		k.close()
		return nil, err //nolint:wrapcheck // an *Error of r or k
	}
	return k, nil
}

// Write implements [io.Writer]. Its errors are *Error.
func (k *spooled) Write(p []byte) (int, error) {
	if k.size += int64(len(p)); k.size > k.s.limits.Spool {
		return 0, k.s.limit("bytes in a temporary file", k.s.limits.Spool, k.shown)
	}

	if k.file == nil {
		k.memory = append(k.memory, p...)
		if k.size <= spoolInMemory {
			return len(p), nil
		}
		f, err := os.CreateTemp("", "propalg-*")
		if err != nil {
			return 0, k.failed(err)
		}

		// Where a file may be removed while it is open, nothing is left over
		// whatever happens to us.
		k.file, k.named = f, os.Remove(f.Name()) != nil
		if _, err := f.Write(k.memory); err != nil {
			return 0, k.failed(err)
		}
		k.memory = nil
		return len(p), nil
	}
	if _, err := k.file.Write(p); err != nil {
		return 0, k.failed(err)
	}
	return len(p), nil
}

func (k *spooled) failed(err error) error {
	return k.s.because(k.s.fail(ErrWrite, k.shown).want("a temporary file"), err)
}

func (k *spooled) readerAt() io.ReaderAt {
	if k.file != nil {
		return k.file
	}
	return bytes.NewReader(k.memory)
}

func (k *spooled) close() {
	if k.file != nil {
		name := k.file.Name()
		_ = k.file.Close()
		if k.named {
			_ = os.Remove(name)
		}

		k.file = nil
	}
}

// spoolItem makes an item of known size out of one whose size is not known.
func (s *session) spoolItem(it *item) (*item, error) {
	defer it.close()
	k, err := s.spool(it, it.file)
	if err != nil {
		return nil, err
	}

	from := &source{
		s: s, shown: it.file, body: io.NewSectionReader(k.readerAt(), 0, k.size), size: k.size,
		packed: true, // its bytes were counted already
		failed: func(err error) error { return s.because(s.fail(ErrRead, it.file), err) },
		verify: unchanged, close: k.close,
	}
	return from.item(), nil
}
