package asset

import (
	"errors"
	"io"
	"path"
)

// packedReader is what the readers of TAR and ZIP files have in common.
type packedReader struct {
	s        *session
	st       *source
	do       visitor
	seen     names
	content  int64        // bytes that were read of entries
	fileSize func() int64 // the size of the file, as far as it was read
}

func (p *packedReader) fail(sentinel error, entry string) *Error {
	return p.s.inEntry(p.s.fail(sentinel, p.st.shown), entry)
}

// broken converts an error of the standard library about the file.
func (p *packedReader) broken(err error, entry string) error {
	if own, ok := p.s.own(err); ok {
		return own
	}
	return p.s.because(p.fail(errCorrupt, entry), err)
}

// checkRatio returns an error if so many bytes are too many for the size of the file.
func (p *packedReader) checkRatio(out int64) error {
	if out > freeOutput && out/int64(p.s.limits.Ratio) > p.fileSize() {
		return p.s.limit("times the size of the archive file, unpacked", int64(p.s.limits.Ratio), p.st.shown)
	}
	return nil
}

// directory checks an entry that is a directory. It is passed over.
func (p *packedReader) directory(name string) error {
	if bad := badName(name); bad != "" {
		return p.fail(errName, name).want(bad)
	}
	return nil
}

// ofContext reports whether a context ended, so that the error says nothing of the contents.
func (p *packedReader) item(name string, size int64) (*item, error) {
	if bad := badPacked(name); bad != "" {
		return nil, p.fail(errName, name).want(bad)
	}

	clean := path.Clean(name)
	if !p.seen.add(clean) {
		return nil, p.fail(errDuplicate, name)
	}
	if err := p.s.allow(size, p.st.shown); err != nil {
		return nil, err
	}
	return &item{
		name: clean, file: p.st.shown, entry: name, size: size,
		verify: p.st.verify, close: func() {},
	}, nil
}

// reading reads the contents of an entry from r, within the limits.
func (p *packedReader) reading(r io.Reader, entry string) func(b []byte) (int, error) {
	return func(b []byte) (int, error) {
		if err := p.s.live(p.st.shown); err != nil {
			return 0, err
		}
		n, err := r.Read(b)
		p.content += int64(n)
		if err := p.checkRatio(p.content); err != nil {
			return 0, err
		}
		switch {
		case n > 0:
			return n, p.s.spend(n, p.st.shown)
		case err == nil || errors.Is(err, io.EOF):
			return n, err //nolint:wrapcheck // io.EOF
		}

		return n, p.broken(err, entry)
	}
}
