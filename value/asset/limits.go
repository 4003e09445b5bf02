package asset

import "math"

// Limits bound the cost of one call. Zero and negative fields mean the default.
// [Contents.HashAll] applies them to each asset and archive separately.
type Limits struct {
	// Entries is the number of entries an archive may have in all, those of nested
	// directories and archive files included. The default is 1,000,000.
	Entries int
	// Packed is the number of entries one TAR, TGZ or ZIP file may have, directories
	// included. The default is 65,535, as for a ZIP without extensions.
	Packed int
	// Bytes is the size of the contents that may be read in all, unpacked, those of
	// skipped entries in a TAR or TGZ file included. The default is 16 GiB. What is
	// read of a TAR or TGZ file itself, as it is stored, has the same limit.
	Bytes int64
	// Ratio limits the unpacked size of an archive file divided by its own. The
	// default is 200. Up to 64 MiB of output any ratio is accepted.
	Ratio int
	// Depth is how deep archives may be nested in archives, and directories in
	// directories. The default is 256.
	Depth int
	// Spool is the largest size of a temporary file, in bytes. A ZIP from an opener
	// needs one, and so does an entry of unknown size. The default is 1 GiB.
	Spool int64
	// Parallel is how many assets and archives [Contents.HashAll] reads at once. The
	// default is 4.
	Parallel int
}

// Any archive file may have freeOutput bytes of output, whatever its size.
const freeOutput = 64 << 20

func (l Limits) filled() Limits {
	l.Entries = positive(l.Entries, 1_000_000)
	l.Packed = positive(l.Packed, math.MaxUint16)
	l.Bytes = positive(l.Bytes, 16<<30)
	l.Ratio = positive(l.Ratio, 200)
	l.Depth = positive(l.Depth, 256)
	l.Spool = positive(l.Spool, 1<<30)
	l.Parallel = positive(l.Parallel, 4)

	return l
}

func positive[T int | int64](n, normal T) T {
	if n > 0 {
		return n
	}
	return normal
}

func (s *session) spend(n int, file string) error {
	s.bytes += int64(n)
	return s.allow(0, file)
}

// allow reports an error if that many more bytes of contents exceed the limit.
func (s *session) allow(more int64, file string) error {
	if more > s.limits.Bytes-s.bytes {
		return s.limit("bytes of contents", s.limits.Bytes, file)
	}
	return nil
}

func (s *session) limit(what string, most int64, file string) *Error {
	return s.fail(ErrLimit, file).want("at most " + number(most) + " (" + what + ")")
}

func (s *session) count(file string) error {
	if s.entries++; s.entries > s.limits.Entries {
		return s.limit("entries", int64(s.limits.Entries), file)
	}
	return nil
}
