package state

import (
	"hash/maphash"
	"io"
)

// Resource and Reread read the resource of an entry, as comparisons do.
func (e Entry) Resource() (Resource, error) { return e.resource(false) }

func (e Entry) Reread(file io.ReaderAt, o Options) (Resource, error) { return e.reread(file, o) }

// SetWindow makes a reader read so much at a time.
func SetWindow(r *Reader, bytes int) { r.inner.Open().Size = bytes }

// SetLongest makes a reader take values of so many bytes.
func SetLongest(r *Reader, bytes int) { r.inner.Open().Longest = bytes }

// HashOf returns the hash of an entry with a text.
func HashOf(text string) uint64 { return maphash.String(seed, text) }
