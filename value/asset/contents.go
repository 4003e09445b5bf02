package asset

import (
	"context"
	"io"

	"github.com/propalg/propalg/value"
)

// Contents reads the contents of assets and archives. It opens files through Files and
// URIs through an opener, within limits. The zero Contents reads texts, and archives of
// texts. A nil context counts as [context.Background]. Contents may be shared between
// goroutines.
type Contents struct {
	Files  Files
	URIs   Opener // opens URIs other than file:, which Files opens; nil: they are refused
	Limits Limits
}

// Blob is the open content of an asset or of an archive's entry. It is for one
// goroutine, and must be closed.
type Blob struct {
	size  int64
	read  func(p []byte) (int, error)
	close func()
}

// Read implements [io.Reader]. Its errors are of type [*Error], except io.EOF, which is
// returned only if the content was complete and no file has changed since it was opened.
func (b *Blob) Read(p []byte) (int, error) {
	if b.read == nil {
		return 0, io.EOF
	}
	return b.read(p)
}

// Close ends reading and returns nil. It may be called twice.
func (b *Blob) Close() error {
	if b.close != nil {
		b.close()
	}
	b.read, b.close = nil, nil
	return nil
}

// Size returns the number of bytes, or false if it is not known before the end, as for
// some URIs.
func (b *Blob) Size() (int64, bool) { return max(b.size, 0), b.size >= 0 }

// Open opens the content of an asset; the caller has to close it. The error is an
// [*Error], which wraps [ErrKind] if v is not an asset.
func (c Contents) Open(ctx context.Context, v value.Value) (*Blob, error) {
	s := c.session(ctx, "open", v)
	a, ok := v.AsAsset()
	if !ok {
		return nil, s.fail(ErrKind, "").want("asset").found(v.Kind().String())
	}
	if err := s.live(""); err != nil {
		return nil, err
	}
	it, err := s.assetItem(a)
	if err != nil {
		s.close()
		return nil, err
	}

	return s.blob(it, it.close), nil
}

// blob returns an item of a session that ends with it. stop closes the item.
func (s *session) blob(it *item, stop func()) *Blob {
	return &Blob{size: it.size, read: it.readVerified, close: func() {
		stop()
		s.close()
	}}
}
