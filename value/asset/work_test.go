package asset_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// working is a context that counts how often it is asked whether it has ended,
// which is once for each step of the work, and ends when that is too often.
type working struct {
	context.Context
	steps, most int
}

func (w *working) Err() error {
	if w.steps++; w.steps > w.most {
		return context.DeadlineExceeded
	}
	return nil
}

// sparse is a TAR of n entries in the old form of GNU, each a hole of so many bytes.
func sparse(n int, size int64) []byte {
	var b bytes.Buffer
	for i := range n {
		h := make([]byte, 512)
		copy(h, fmt.Sprintf("%06d", i))
		copy(h[100:], "0000644\x000000000\x000000000\x0000000000000\x0000000000000\x00")
		h[156] = tar.TypeGNUSparse
		copy(h[257:], "ustar  \x00")
		h[483] = 0x80 // the size that the entry has in truth, in binary
		binary.BigEndian.PutUint64(h[487:], uint64(size))
		b.Write(withTARSum(h, 0))
	}
	b.Write(make([]byte, 1024))
	return b.Bytes()
}

// TestHolesCostLimits: what is passed over spends the limits as what is read does.
func TestHolesCostLimits(t *testing.T) {
	packed := gzipBytes(sparse(2000, 15<<30))
	if len(packed) > 1<<20 {
		t.Fatalf("%d bytes", len(packed))
	}
	c := asset.Contents{Files: asset.FS(fstest.MapFS{"x.tgz": {Data: packed}, "small.tar": {Data: sparse(5, 10<<20)}})}
	last := fmt.Sprintf("%06d", 1999)
	for how, use := range map[string]func(context.Context) error{
		"names": func(ctx context.Context) (err error) {
			for _, err = range c.Entries(ctx, value.FileArchive("x.tgz")) {
			}
			return err
		},
		"one entry": func(ctx context.Context) error {
			_, err := c.OpenEntry(ctx, value.FileArchive("x.tgz"), last)
			return err
		},
		"contents": func(ctx context.Context) error {
			_, err := c.List(ctx, value.FileArchive("x.tgz"))
			return err
		},
	} {
		w := &working{Context: t.Context(), most: 10_000}
		if err := use(w); !errors.Is(err, asset.ErrLimit) {
			t.Errorf("%s: %v, after %d steps", how, err, w.steps)
		}
	}
	c.Limits.Bytes = 45 << 20
	entries := 0
	var err error
	for _, err = range c.Entries(t.Context(), value.FileArchive("small.tar")) {
		entries++
	}
	if !errors.Is(err, asset.ErrLimit) || entries != 5 {
		t.Errorf("small holes: %d entries, %v", entries, err)
	}
}

// unending is a body of one piece again and again.
type unending struct {
	piece      []byte
	sent, most int
}

func (u *unending) Read(p []byte) (int, error) {
	if u.sent > u.most {
		return 0, errors.New("enough")
	}
	n := copy(p, u.piece[u.sent%len(u.piece):])
	u.sent += n
	return n, nil
}

func (u *unending) Close() error { return nil }

// TestBytesInCostLimits: a stream of which nothing is unpacked has an end too.
func TestBytesInCostLimits(t *testing.T) {
	var empty bytes.Buffer
	must(gzip.NewWriter(&empty).Close())
	body := &unending{piece: empty.Bytes(), most: 8 << 20}
	c := asset.Contents{
		URIs:   func(context.Context, string) (io.ReadCloser, error) { return body, nil },
		Limits: asset.Limits{Bytes: 1 << 20},
	}
	_, err := c.List(t.Context(), value.URIArchive("https://example.com/x.tgz"))
	if !errors.Is(err, asset.ErrLimit) || body.sent > 2<<20 {
		t.Errorf("%v, after %d bytes", err, body.sent)
	}
}

// countingFS counts the bytes that are read of one file.
type countingFS struct {
	fstest.MapFS
	read int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	f, err := c.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	return &countingFile{f, f.(io.ReaderAt), c}, nil
}

type countingFile struct {
	fs.File
	at io.ReaderAt
	fs *countingFS
}

func (f *countingFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.at.ReadAt(p, off)
	f.fs.read += n
	return n, err
}

// TestSharedBodiesCostLimits: entries of a ZIP that share a body of which nothing is
// unpacked do not have it read for each.
func TestSharedBodiesCostLimits(t *testing.T) {
	block := []byte{0, 0, 0, 0xff, 0xff} // a stored block of no bytes
	body := append(bytes.Repeat(block, 100_000), 1, 0, 0, 0xff, 0xff)
	data := sharing(200, body, nil)
	files := &countingFS{MapFS: fstest.MapFS{"x.zip": {Data: data}}}
	_, err := asset.Contents{Files: asset.FS(files)}.List(t.Context(), value.FileArchive("x.zip"))
	if !errors.Is(err, asset.ErrLimit) || files.read > 5*len(data) {
		t.Errorf("%v, after %d bytes of a file of %d", err, files.read, len(data))
	}
}
