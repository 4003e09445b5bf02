package asset

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"path"
)

// tarFile reads a TAR or TGZ file as a stream.
type tarFile struct {
	s       *session
	st      *stream
	in      *counted // the file's own bytes
	gz      *gzip.Reader
	out     *counted // what the TAR is read from
	tr      *tar.Reader
	entries int
	content int64
	seen    names
	scratch []byte
	last    *item // what the next entry comes after
	ended   bool
}

// counted counts what is read, and how many zeros it ends in so far.
type counted struct {
	r     io.Reader
	n     int64
	zeros int
	check func() error
}

// Read is as in io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	zeros := 0
	for zeros < n && p[n-1-zeros] == 0 {
		zeros++
	}
	if zeros == n {
		zeros += c.zeros
	}
	c.zeros = min(zeros, tarBlock)
	if c.check != nil {
		if err := c.check(); err != nil {
			return 0, err
		}
	}
	return n, err
}

// tarBlock is the length of the blocks of a TAR; it ends in blocks of zeros.
const tarBlock = 512

func (s *session) openTAR(st *stream) (reader, error) {
	t := &tarFile{s: s, st: st, seen: names{}, scratch: make([]byte, 32<<10)}
	t.in = &counted{r: readFunc(st.read)}
	t.in.check = t.checkInput
	buffered := bufio.NewReaderSize(t.in, 64<<10)
	t.out = &counted{r: buffered, check: t.check}
	if st.format == TGZ {
		gz, err := gzip.NewReader(buffered)
		if err != nil {
			st.close()
			return nil, t.broken(err, "")
		}
		t.gz, t.out.r = gz, gz
	}
	t.tr = tar.NewReader(t.out)
	return t, nil
}

// checkInput bounds what is read of the file: of a stream without an end that unpacks
// to nothing no other limit is ever reached.
func (t *tarFile) checkInput() error {
	if t.in.n > t.s.limits.Bytes {
		return t.s.limit("bytes of an archive file", t.s.limits.Bytes, t.st.file)
	}
	return t.s.live(t.st.file)
}

// check bounds what comes out of the file, whether or not it is contents.
func (t *tarFile) check() error {
	if err := t.s.live(t.st.file); err != nil {
		return err
	}
	if t.out.n > t.s.limits.Bytes {
		return t.s.limit("bytes of contents", t.s.limits.Bytes, t.st.file)
	}
	return t.s.checkRatio(t.out.n, t.in.n, t.st.file)
}

// checkRatio says whether a file of so many bytes may become so many.
func (s *session) checkRatio(out, in int64, file string) error {
	if out > freeOutput && out/int64(s.limits.Ratio) > in {
		return s.limit("times the size of the archive file, unpacked", int64(s.limits.Ratio), file)
	}
	return nil
}

// broken is the error for what the archive's reader says of the file.
func (t *tarFile) broken(err error, entry string) error {
	return t.s.broken(err, t.st.file, entry)
}

func (s *session) broken(err error, file, entry string) error {
	if own, ok := s.own(err); ok {
		return own
	}
	return s.because(s.inEntry(s.fail(ErrCorrupt, file), entry), err)
}

func (t *tarFile) close() { t.st.close() }

func (t *tarFile) verify() error { return t.st.verify() }

func (t *tarFile) next() (*item, error) {
	for !t.ended {
		// What is left of the last entry may be a hole of any size, so it is read as
		// any caller would read it; and what is zero in it is not the end of the TAR.
		if t.last != nil {
			if err := t.s.skip(readFunc(t.last.read), t.st.file, t.scratch); !errors.Is(err, io.EOF) {
				return nil, err
			}
			t.last = nil
		}
		t.out.zeros = 0
		header, err := t.tr.Next()
		switch {
		case errors.Is(err, io.EOF):
			t.ended = true
			return nil, t.end()
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return nil, t.broken(err, "")
		}
		it, err := t.visit(header)
		if err != nil {
			return nil, err
		}
		if it != nil {
			t.last = it
			return it, nil
		}
	}
	return nil, io.EOF
}

// end says whether the file was all there.
func (t *tarFile) end() error {
	if t.out.zeros < tarBlock {
		return t.s.fail(ErrCorrupt, t.st.file).want("a TAR that ends in blocks of zeros")
	}
	if t.gz != nil {
		// Bytes after the end of the gzip file are not looked at, as gzip does;
		// its checksum is.
		if err := t.s.skip(t.out, t.st.file, t.scratch); !errors.Is(err, io.EOF) && !errors.Is(err, gzip.ErrHeader) {
			return t.broken(err, "")
		}
	}
	if err := t.st.verify(); err != nil {
		return err
	}
	return io.EOF
}

func (t *tarFile) visit(header *tar.Header) (*item, error) {
	if t.entries++; t.entries > t.s.limits.Packed {
		return nil, t.s.limit("entries in one archive file", int64(t.s.limits.Packed), t.st.file)
	}
	if err := t.s.count(t.st.file); err != nil {
		return nil, err
	}
	fail := func(sentinel error) *Error { return t.s.inEntry(t.s.fail(sentinel, t.st.file), header.Name) }
	switch header.Typeflag {
	case tar.TypeXGlobalHeader:
		return nil, nil //nolint:nilnil // nothing but records
	case tar.TypeDir:
		if bad := badName(header.Name); bad != "" {
			return nil, fail(ErrName).want(bad)
		}
		return nil, nil //nolint:nilnil // no item, and no error
	case tar.TypeReg, tar.TypeGNUSparse:
	case tar.TypeLink, tar.TypeSymlink:
		return nil, fail(ErrEntry).found("a link")
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		return nil, fail(ErrEntry).found("a device or pipe")
	default:
		return nil, fail(ErrEntry).found("an unknown type")
	}
	if bad := badPacked(header.Name); bad != "" {
		return nil, fail(ErrName).want(bad)
	}
	name := path.Clean(header.Name)
	if !t.seen.add(name) {
		return nil, fail(ErrDuplicate)
	}
	if err := t.s.allow(header.Size, t.st.file); err != nil {
		return nil, err
	}
	return &item{name: name, file: t.st.file, entry: header.Name, size: header.Size, read: func(p []byte) (int, error) {
		n, err := t.tr.Read(p)
		t.content += int64(n)
		if limit := t.s.checkRatio(t.content, t.in.n, t.st.file); limit != nil {
			return 0, limit
		}
		if n > 0 {
			return n, t.s.spend(n, t.st.file)
		}
		if err == nil || errors.Is(err, io.EOF) {
			return n, err //nolint:wrapcheck // io.EOF
		}
		return n, t.broken(err, header.Name)
	}}, nil
}
