package asset

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// spooled is the content of a stream, which can be read at any place: in memory
// as long as it is small, in a temporary file then.
type spooled struct {
	memory []byte
	file   *os.File
	named  bool // the file has its name yet
	size   int64
}

// spoolInMemory is how much of a stream is kept in memory.
const spoolInMemory = 1 << 20

// spool reads a stream to its end.
func (s *session) spool(r io.Reader, shown string) (*spooled, error) {
	k := &spooled{}
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		if n > 0 {
			if err := k.add(s, buffer[:n], shown); err != nil {
				k.close()
				return nil, err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return k, nil
		case err != nil:
			k.close()
			return nil, err
		}
	}
}

func (k *spooled) add(s *session, p []byte, shown string) error {
	if k.size += int64(len(p)); k.size > s.limits.Spool {
		return s.limit("bytes in a temporary file", s.limits.Spool, shown)
	}
	if k.file == nil && k.size <= spoolInMemory {
		k.memory = append(k.memory, p...)
		return nil
	}
	if k.file == nil {
		f, err := os.CreateTemp("", "propalg-*")
		if err != nil {
			return s.because(s.fail(ErrWrite, shown).want("a temporary file"), err)
		}
		// Where a file may be removed while it is open, nothing is left over
		// whatever happens to us.
		k.file, k.named = f, os.Remove(f.Name()) != nil
		if err := k.append(s, k.memory, shown); err != nil {
			return err
		}
		k.memory = nil
	}
	return k.append(s, p, shown)
}

func (k *spooled) append(s *session, p []byte, shown string) error {
	if _, err := k.file.Write(p); err != nil {
		return s.because(s.fail(ErrWrite, shown).want("a temporary file"), err)
	}
	return nil
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
	k, err := s.spool(readFunc(it.read), it.file)
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

// readFunc is a function as an io.Reader.
type readFunc func(p []byte) (int, error)

// Read calls the function.
func (f readFunc) Read(p []byte) (int, error) { return f(p) }
