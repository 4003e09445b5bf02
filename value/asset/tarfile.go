package asset

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

type tarFile struct {
	packedReader
	in      *counted // the file's own bytes
	gz      *gzip.Reader
	out     *counted // what the TAR is read from
	tr      *tar.Reader
	entries int
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

func (p packedReader) readTAR(format Format) error {
	t := &tarFile{packedReader: p, in: &counted{r: p.st}}
	t.in.check = t.checkInput
	t.fileSize = func() int64 { return t.in.n }
	buffered := bufio.NewReaderSize(t.in, 64<<10)
	t.out = &counted{r: buffered, check: t.check}
	if format == TGZ {
		gz, err := gzip.NewReader(buffered)
		if err != nil {
			return t.broken(err, "")
		}
		t.gz, t.out.r = gz, gz
	}

	t.tr = tar.NewReader(t.out)
	for {
		t.out.zeros = 0 // what is zero in the last entry is not the end of the TAR
		header, err := t.tr.Next()
		switch {
		case errors.Is(err, io.EOF):
			return t.end()
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return t.broken(err, "")
		}

		if err := t.visit(header); err != nil {
			return err
		}
	}
}

// checkInput bounds what is read of the file: of a stream without an end that unpacks
// to nothing no other limit is ever reached.
func (t *tarFile) checkInput() error {
	if t.in.n > t.s.limits.Bytes {
		return t.s.limit("bytes of an archive file", t.s.limits.Bytes, t.st.shown)
	}
	return t.s.live(t.st.shown)
}

// check bounds what comes out of the file, whether or not it is contents.
func (t *tarFile) check() error {
	if err := t.s.live(t.st.shown); err != nil {
		return err
	}
	if t.out.n > t.s.limits.Bytes {
		return t.s.limit("bytes of contents", t.s.limits.Bytes, t.st.shown)
	}
	return t.checkRatio(t.out.n)
}

func (t *tarFile) end() error {
	if t.out.zeros < tarBlock {
		return t.s.fail(errCorrupt, t.st.shown).want("a TAR that ends in blocks of zeros")
	}
	if t.gz != nil {
		// Bytes after the end of the gzip file are not looked at, as gzip does;
		// its checksum is.
		if _, err := io.Copy(io.Discard, t.out); err != nil && !errors.Is(err, gzip.ErrHeader) {
			return t.broken(err, "")
		}
	}

	return t.st.verify()
}

func (t *tarFile) visit(header *tar.Header) error {
	if t.entries++; t.entries > t.s.limits.Packed {
		return t.s.limit("entries in one archive file", int64(t.s.limits.Packed), t.st.shown)
	}
	if err := t.s.count(t.st.shown); err != nil {
		return err
	}

	switch header.Typeflag {
	case tar.TypeXGlobalHeader:
		return nil // nothing but records
	case tar.TypeDir:
		return t.directory(header.Name)
	case tar.TypeReg, tar.TypeGNUSparse:
	case tar.TypeLink, tar.TypeSymlink:
		return t.fail(errEntry, header.Name).found("a link")
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		return t.fail(errEntry, header.Name).found("a device or pipe")
	default:
		return t.fail(errEntry, header.Name).found("an unknown type")
	}
	it, err := t.item(header.Name, header.Size)
	if err != nil {
		return err
	}

	it.read = t.reading(t.tr, header.Name)
	if err := t.do.visit(it); err != nil {
		return err
	}
	// The rest of the entry may be a hole of any size, so it is read as any caller would
	// read it.
	_, err = io.Copy(io.Discard, it)
	return err
}
