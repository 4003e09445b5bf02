package asset

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
)

type zipFile struct {
	packedReader
	at   *boundedAt
	size int64
}

// boundedAt reads no more than so many bytes, within the file, and only while the
// context lives.
type boundedAt struct {
	s    *session
	file string
	r    io.ReaderAt
	size int64
	left int64
	want string // what the bound is in proportion to
}

// ReadAt is as in io.ReaderAt.
func (b *boundedAt) ReadAt(p []byte, off int64) (int, error) {
	if err := b.s.live(b.file); err != nil {
		return 0, err
	}
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, b.s.fail(ErrLimit, b.file).want(b.want)
	}
	// Not all files say of a place after their end that it is the end.
	if off < 0 || off >= b.size {
		return 0, io.EOF
	}

	some := p[:min(int64(len(p)), b.size-off)]
	n, err := b.r.ReadAt(some, off)
	if n < 0 || n > len(some) {
		return 0, b.s.fail(ErrRead, b.file)
	}
	if err == nil && n < len(p) {
		err = io.EOF
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return n, b.s.readError(err, b.file)
	}
	return n, err //nolint:wrapcheck // io.EOF
}

// readZIP reads a ZIP file. A file that can be read from front to back only is kept
// in a temporary file, since a ZIP has its list of entries at the end.
func (p packedReader) readZIP() error {
	z := &zipFile{packedReader: p, size: p.st.size}
	z.fileSize = func() int64 { return z.size }
	at, ok := p.st.body.(io.ReaderAt)
	if !ok || z.size < 0 {
		spool, err := p.s.spool(p.st, p.st.shown)
		if err != nil {
			return err
		}
		defer spool.close()
		at, z.size = spool.readerAt(), spool.size
	}
	z.at = &boundedAt{s: p.s, file: p.st.shown, r: at, size: z.size}
	files, err := z.files()
	if err != nil {
		return err
	}

	for i, f := range files {
		files[i] = nil
		if err := z.visit(f); err != nil {
			return err
		}
	}
	return p.st.verify()
}

func (z *zipFile) files() ([]*zip.File, error) {
	// The standard reader makes a list of all entries at once, of a few times
	// the size that it has in the file. So the file's own count has to be within
	// the limit, and the list in proportion to it, before that begins.
	z.at.left, z.at.want = zipTail, "a list of entries in proportion to their number"
	count, err := zipEntries(z.at, z.size)
	if err != nil {
		return nil, z.broken(err, "")
	}
	if count > uint64(z.s.limits.Packed) { //nolint:gosec // limits are positive
		return nil, z.s.limit("entries in one archive file", int64(z.s.limits.Packed), z.st.shown)
	}

	const perEntry, fixed = 512, 1 << 20
	z.at.left = fixed + perEntry*int64(count) //nolint:gosec // not above the limit
	r, err := zip.NewReader(z.at, z.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, z.broken(err, "")
	}
	if uint64(len(r.File)) != count {
		return nil, z.s.fail(errCorrupt, z.st.shown).want("as many entries as the file says")
	}

	// Each byte is read once. Entries that share a body could have it read for each,
	// and unpack to nothing.
	z.at.left = 2*z.size + fixed + perEntry*int64(count) //nolint:gosec // not above the limit
	z.at.want = "entries that have no bytes in common"
	return r.File, nil
}

// Parts of the end of a ZIP file (APPNOTE.TXT 4.3.14 to 4.3.16).
const (
	zipEnd       = 22 // length of the last record, without its comment
	zipLocator   = 20
	zipEnd64     = 56
	zipTail      = 4 * (zipEnd + math.MaxUint16)
	zipEndSign   = 0x06054b50
	zipLocSign   = 0x07064b50
	zipEnd64Sign = 0x06064b50
)

func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	switch {
	case n == len(p):
		return nil
	case errors.Is(err, io.EOF):
		return zip.ErrFormat
	}

	return err
}

// zipEntries returns how many entries a ZIP file says it has.
func zipEntries(r io.ReaderAt, size int64) (uint64, error) {
	tail := make([]byte, min(size, zipEnd+math.MaxUint16))
	if err := readFull(r, tail, size-int64(len(tail))); err != nil {
		return 0, err
	}

	i := len(tail) - zipEnd
	for ; i >= 0; i-- {
		if binary.LittleEndian.Uint32(tail[i:]) == zipEndSign {
			break
		}
	}

	if i < 0 || i+zipEnd+int(binary.LittleEndian.Uint16(tail[i+20:])) > len(tail) {
		return 0, zip.ErrFormat
	}
	end := tail[i:]
	count := uint64(binary.LittleEndian.Uint16(end[10:]))
	// As archive/zip decides it, which has to find the same list.
	long := count == math.MaxUint16 || binary.LittleEndian.Uint32(end[12:]) == math.MaxUint16 ||
		binary.LittleEndian.Uint32(end[16:]) == math.MaxUint32
	if !long || i < zipLocator || binary.LittleEndian.Uint32(tail[i-zipLocator:]) != zipLocSign {
		return count, nil
	}
	at := binary.LittleEndian.Uint64(tail[i-zipLocator+8:])
	record := make([]byte, zipEnd64)
	if at > uint64(size) { //nolint:gosec // not negative
		return 0, zip.ErrFormat
	}
	if err := readFull(r, record, int64(at)); err != nil { //nolint:gosec // not above the size
		return 0, err
	}
	if binary.LittleEndian.Uint32(record) != zipEnd64Sign {
		return 0, zip.ErrFormat
	}
	return binary.LittleEndian.Uint64(record[32:]), nil
}

func (z *zipFile) visit(f *zip.File) error {
	if err := z.s.live(z.st.shown); err != nil {
		return err
	}
	if err := z.s.count(z.st.shown); err != nil {
		return err
	}

	mode := f.Mode()
	switch {
	case mode.IsDir():
		return z.directory(f.Name)
	case mode&fs.ModeSymlink != 0:
		return z.fail(errEntry, f.Name).found("a link")
	case !mode.IsRegular():
		return z.fail(errEntry, f.Name).found("a device, pipe or socket")
	case f.Flags&1 != 0:
		return z.fail(errEntry, f.Name).found("an encrypted file")
	}
	it, err := z.item(f.Name, int64(min(f.UncompressedSize64, math.MaxInt64))) //nolint:gosec // just made to fit
	if err != nil {
		return err
	}

	body, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return z.fail(errEntry, f.Name).found("an unknown compression")
	}
	if err != nil {
		return z.broken(err, f.Name)
	}
	it.read = z.reading(body, f.Name)
	it.close = func() { _ = body.Close() }
	return z.do.visit(it)
}
