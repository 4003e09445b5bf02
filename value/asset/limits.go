package asset

import "math"

// Limits bound what one call may cost. Zero, and what is negative, stands for
// the default. [Contents.HashAll] applies them to each asset and archive for itself.
type Limits struct {
	// Entries is how many entries an archive may have in all, those of the
	// directories and archive files in it included: by default 1,000,000.
	Entries int
	// Packed is how many entries one TAR, TGZ or ZIP file may have, directories
	// included: by default 65,535, what a ZIP without extensions holds.
	Packed int
	// Bytes is how much may be read of contents in all, unpacked, those of entries
	// that are passed over in a TAR or TGZ file included: by default 16 GiB. Of such
	// a file itself no more is read either.
	Bytes int64
	// Ratio is how many times its size an archive file may become when it is
	// unpacked: by default 200. What becomes no more than 64 MiB may have any
	// ratio.
	Ratio int
	// Depth is how deep archives may lie in archives, and directories in
	// directories: by default 256.
	Depth int
	// Spool is how much of what comes from an opener may be kept in a temporary
	// file, which ZIP needs, and an entry of an archive whose size is not known:
	// by default 1 GiB.
	Spool int64
	// Parallel is how many assets and archives [Contents.HashAll] reads at once:
	// by default 4.
	Parallel int
}

// freeOutput is what any archive file may become, whatever its size.
const freeOutput = 64 << 20

// filled puts the defaults in.
func (l Limits) filled() Limits {
	whole := func(n *int, normal int) {
		if *n <= 0 {
			*n = normal
		}
	}
	long := func(n *int64, normal int64) {
		if *n <= 0 {
			*n = normal
		}
	}
	whole(&l.Entries, 1_000_000)
	whole(&l.Packed, math.MaxUint16)
	long(&l.Bytes, 16<<30)
	whole(&l.Ratio, 200)
	whole(&l.Depth, 256)
	long(&l.Spool, 1<<30)
	whole(&l.Parallel, 4)
	return l
}
