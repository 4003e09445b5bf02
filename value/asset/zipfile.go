package asset

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
)

// zipFile reads a ZIP file.
type zipFile struct {
	s     *session
	st    *stream
	at    *boundedAt
	size  int64
	spool *spooled
	files []*zip.File
	done  int
	out   int64
	seen  names
	last  *item
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

// openZIP opens a ZIP file. A file that can be read from front to back only is kept
// in a temporary file, since a ZIP has its list of entries at the end.
func (s *session) openZIP(st *stream) (reader, error) {
	z := &zipFile{s: s, st: st, at: &boundedAt{s: s, file: st.file, r: st.at}, size: st.size, seen: names{}}
	if err := z.open(); err != nil {
		z.close()
		return nil, err
	}
	return z, nil
}

func (z *zipFile) open() error {
	if z.at.r == nil {
		spool, err := z.s.spool(readFunc(z.st.read), z.st.file)
		if err != nil {
			return err
		}
		z.spool, z.at.r, z.size = spool, spool.readerAt(), spool.size
	}
	// The standard reader makes a list of all entries at once, of a few times
	// the size that it has in the file. So the file's own count has to be within
	// the limit, and the list in proportion to it, before that begins.
	z.at.left, z.at.size, z.at.want = zipTail, z.size, "a list of entries in proportion to their number"
	count, err := zipEntries(z.at, z.size)
	if err != nil {
		return z.s.broken(err, z.st.file, "")
	}
	if count > uint64(z.s.limits.Packed) { //nolint:gosec // limits are positive
		return z.s.limit("entries in one archive file", int64(z.s.limits.Packed), z.st.file)
	}
	const perEntry, fixed = 512, 1 << 20
	z.at.left = fixed + perEntry*int64(count) //nolint:gosec // not above the limit
	r, err := zip.NewReader(z.at, z.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return z.s.broken(err, z.st.file, "")
	}
	if uint64(len(r.File)) != count {
		return z.s.fail(ErrCorrupt, z.st.file).want("as many entries as the file says")
	}
	// Each byte is read once. Entries that share a body could have it read for each,
	// and unpack to nothing.
	z.at.left = 2*z.size + fixed + perEntry*int64(count) //nolint:gosec // not above the limit
	z.at.want = "entries that have no bytes in common"
	z.files = r.File
	return nil
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

// zipEntries is how many entries a ZIP file says it has.
func zipEntries(r io.ReaderAt, size int64) (uint64, error) {
	tail := make([]byte, min(size, zipEnd+math.MaxUint16))
	if n, err := r.ReadAt(tail, size-int64(len(tail))); n < len(tail) {
		if errors.Is(err, io.EOF) {
			err = zip.ErrFormat
		}
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
	if n, err := r.ReadAt(record, int64(at)); n < len(record) { //nolint:gosec // not above the size
		if errors.Is(err, io.EOF) {
			err = zip.ErrFormat
		}
		return 0, err
	}
	if binary.LittleEndian.Uint32(record) != zipEnd64Sign {
		return 0, zip.ErrFormat
	}
	return binary.LittleEndian.Uint64(record[32:]), nil
}

func (z *zipFile) finish() {
	if z.last != nil {
		z.last.done()
		z.last = nil
	}
}

func (z *zipFile) close() {
	z.finish()
	z.st.close()
	if z.spool != nil {
		z.spool.close()
	}
}

func (z *zipFile) verify() error { return z.st.verify() }

func (z *zipFile) next() (*item, error) {
	z.finish()
	for z.done < len(z.files) {
		f := z.files[z.done]
		z.files[z.done] = nil
		z.done++
		it, err := z.visit(f)
		if err != nil {
			return nil, err
		}
		if it != nil {
			z.last = it
			return it, nil
		}
	}
	if err := z.st.verify(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}

func (z *zipFile) visit(f *zip.File) (*item, error) {
	if err := z.s.live(z.st.file); err != nil {
		return nil, err
	}
	if err := z.s.count(z.st.file); err != nil {
		return nil, err
	}
	fail := func(sentinel error) *Error { return z.s.inEntry(z.s.fail(sentinel, z.st.file), f.Name) }
	switch mode := f.Mode(); {
	case mode.IsDir():
		if bad := badName(f.Name); bad != "" {
			return nil, fail(ErrName).want(bad)
		}
		return nil, nil //nolint:nilnil // no item, and no error
	case mode&fs.ModeSymlink != 0:
		return nil, fail(ErrEntry).found("a link")
	case !mode.IsRegular():
		return nil, fail(ErrEntry).found("a device, pipe or socket")
	case f.Flags&1 != 0:
		return nil, fail(ErrEntry).found("an encrypted file")
	}
	if bad := badPacked(f.Name); bad != "" {
		return nil, fail(ErrName).want(bad)
	}
	name := path.Clean(f.Name)
	if !z.seen.add(name) {
		return nil, fail(ErrDuplicate)
	}
	if f.UncompressedSize64 > math.MaxInt64 {
		return nil, z.s.limit("bytes of contents", z.s.limits.Bytes, z.st.file)
	}
	size := int64(f.UncompressedSize64) //nolint:gosec // checked above
	if err := z.s.allow(size, z.st.file); err != nil {
		return nil, err
	}
	body, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, fail(ErrEntry).found("an unknown compression")
	}
	if err != nil {
		return nil, z.s.broken(err, z.st.file, f.Name)
	}
	it := &item{name: name, file: z.st.file, entry: f.Name, size: size, close: func() { _ = body.Close() }}
	it.read = func(p []byte) (int, error) {
		n, err := body.Read(p)
		z.out += int64(n)
		if limit := z.s.checkRatio(z.out, z.size, z.st.file); limit != nil {
			return 0, limit
		}
		if n > 0 {
			return n, z.s.spend(n, z.st.file)
		}
		if err == nil || errors.Is(err, io.EOF) {
			return n, err //nolint:wrapcheck // io.EOF
		}
		return n, z.s.broken(err, z.st.file, f.Name)
	}
	return it, nil
}
