package asset_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// TestLimits: each limit as it is, and one less.
func TestLimits(t *testing.T) {
	entries := []packed{{name: "a", content: "12345"}, {name: "b/c", content: "67890"}}
	files := fstest.MapFS{
		"d/a": {Data: []byte("12345")}, "d/b/c": {Data: []byte("67890")}, "one": {Data: []byte("12345")},
		"x.tar": {Data: tarBytes(entries...)}, "x.tgz": {Data: gzipBytes(tarBytes(entries...))}, "x.zip": {Data: zipBytes(entries...)},
	}
	file := value.FileAsset
	dir := value.FileArchive
	two := literal(value.Member{Key: "1", Value: file("one")}, value.Member{Key: "2", Value: value.TextAsset("12345")})
	deep := literal(value.Member{Key: "1", Value: literal(value.Member{Key: "2", Value: file("one")})})
	uri := value.URIAsset("https://example.com/")
	opener := func(context.Context, string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("1234567890")), nil
	}
	rows := []struct {
		v      value.Value
		limits func(n int) asset.Limits
		enough int
		text   string
	}{
		{file("one"), func(n int) asset.Limits { return asset.Limits{Bytes: int64(n)} }, 5, "bytes of contents"},
		{value.TextAsset("12345"), func(n int) asset.Limits { return asset.Limits{Bytes: int64(n)} }, 5, "bytes of contents"},
		{uri, func(n int) asset.Limits { return asset.Limits{Bytes: int64(n)} }, 10, "bytes of contents"},
		{literal(value.Member{Key: "u", Value: uri}), func(n int) asset.Limits { return asset.Limits{Spool: int64(n)} }, 10, "bytes in a temporary file"},
		{dir("d"), func(n int) asset.Limits { return asset.Limits{Bytes: int64(n)} }, 10, "bytes of contents"},
		{dir("x.zip"), func(n int) asset.Limits { return asset.Limits{Bytes: int64(n)} }, 10, "bytes of contents"},
		{two, func(n int) asset.Limits { return asset.Limits{Bytes: int64(n)} }, 10, "bytes of contents"},
		{dir("d"), func(n int) asset.Limits { return asset.Limits{Entries: n} }, 3, "entries"}, // a directory is one, on the way
		{dir("x.tar"), func(n int) asset.Limits { return asset.Limits{Entries: n} }, 2, "entries"},
		{two, func(n int) asset.Limits { return asset.Limits{Entries: n} }, 2, "entries"},
		{dir("x.tar"), func(n int) asset.Limits { return asset.Limits{Packed: n} }, 2, "entries in one archive file"},
		{dir("x.tgz"), func(n int) asset.Limits { return asset.Limits{Packed: n} }, 2, "entries in one archive file"},
		{dir("x.zip"), func(n int) asset.Limits { return asset.Limits{Packed: n} }, 2, "entries in one archive file"},
		{deep, func(n int) asset.Limits { return asset.Limits{Depth: n} }, 2, "archives in one another"},
		{dir("d"), func(n int) asset.Limits { return asset.Limits{Depth: n} }, 2, "directories in one another"},
	}
	for i, r := range rows {
		c := asset.Contents{Files: asset.FS(files), URIs: opener, Limits: r.limits(r.enough)}
		use := func() error {
			if _, ok := r.v.AsArchive(); ok {
				_, err := c.List(context.Background(), r.v)
				return err
			}
			_, err := c.Hash(context.Background(), r.v)
			return err
		}
		if err := use(); err != nil {
			t.Errorf("row %d: %v", i, err)
		}
		c.Limits = r.limits(r.enough - 1)
		want := fmt.Sprintf("at most %d (%s)", r.enough-1, r.text)
		if err := use(); !errors.Is(err, asset.ErrLimit) || !strings.Contains(err.Error(), want) {
			t.Errorf("row %d: %v, want %q", i, err, want)
		}
		c.Limits = asset.Limits{Entries: -1, Packed: -1, Bytes: -1, Ratio: -1, Depth: -1, Spool: -1, Parallel: -1}
		if err := use(); err != nil {
			t.Errorf("row %d with the defaults: %v", i, err)
		}
	}
}

// TestDeepArchives: as many archives in one another as can be are an error.
func TestDeepArchives(t *testing.T) {
	v := value.TextAsset("1")
	for range value.MaxDepth {
		v = literal(value.Member{Key: "a", Value: v})
	}
	var c asset.Contents
	if _, err := c.List(context.Background(), v); !errors.Is(err, asset.ErrLimit) {
		t.Error(err)
	}
	if _, err := c.HashAll(context.Background(), value.Array(v)); !errors.Is(err, asset.ErrLimit) {
		t.Error(err)
	}
	if got, err := c.HashAll(context.Background(), v.WithHash("x")); err == nil || got.Kind() != value.KindArchive {
		t.Error("an archive in it has no hash, and cannot have one")
	}
}

// TestZero: zero values, and calls that make no sense.
func TestZero(t *testing.T) {
	var b asset.Blob
	if n, err := b.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) || b.Close() != nil {
		t.Error(n, err)
	}
	if n, known := b.Size(); n != 0 || !known {
		t.Error(n, known)
	}
	var e asset.Entry
	if n, err := e.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) || e.Name() != "" || e.Size() != 0 {
		t.Error(n, err)
	}
	got := fmt.Sprintf("%v %d %v", e, e, asset.Format(200))
	if want := "null (0 bytes) null (0 bytes) invalid format"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var c asset.Contents
	if err := c.Write(context.Background(), nil, literal(), asset.TAR); !errors.Is(err, asset.ErrWrite) {
		t.Error(err)
	}
	if err := c.Write(context.Background(), io.Discard, literal(), 200); !errors.Is(err, asset.ErrKind) {
		t.Error(err)
	}
	if err := c.Write(context.Background(), io.Discard, value.Null(), 0); !errors.Is(err, asset.ErrKind) {
		t.Error(err)
	}
	if _, err := c.OpenEntry(context.Background(), value.Null(), ""); !errors.Is(err, asset.ErrKind) {
		t.Error(err)
	}
	if _, err := c.OpenEntry(context.Background(), literal(), "x"); !errors.Is(err, asset.ErrMissing) {
		t.Error(err)
	}
	if _, err := c.Open(context.Background(), literal()); !errors.Is(err, asset.ErrKind) {
		t.Error(err)
	}
	if v, err := c.HashAll(nil, value.Null()); err != nil || !v.IsNull() { //nolint:staticcheck // a nil context too
		t.Error(v, err)
	}
	if h, err := c.Hash(nil, literal()); h != "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef" { //nolint:staticcheck // as above
		t.Error(h, err)
	}
	for range c.Entries(context.Background(), literal(value.Member{Key: "a", Value: value.TextAsset("1")})) {
		break
	}
}

// TestEntryAfterItsStep: an entry that is kept reads nothing of the next one.
func TestEntryAfterItsStep(t *testing.T) {
	c := asset.Contents{Files: asset.FS(project())}
	var kept []asset.Entry
	for e, err := range c.Entries(context.Background(), value.FileArchive("dist")) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, e)
	}
	for _, e := range kept {
		if n, err := e.Read(make([]byte, 9)); n != 0 || !errors.Is(err, asset.ErrRead) {
			t.Error(e, n, err)
		}
	}
}
