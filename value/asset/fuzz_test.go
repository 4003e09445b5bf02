package asset_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// seeds are whole archives, and what strangers send.
func seeds() [][]byte {
	plain := []packed{{name: "a.txt", content: "hello"}, {name: "d/", flag: tar.TypeDir}, {name: "d/b", content: strings.Repeat("b", 3000)}, {name: "empty"}}
	long := []packed{{name: strings.Repeat("n/", 120) + "far", content: "1"}, {name: "é", content: "2"}}
	all := [][]byte{tarBytes(), tarBytes(plain...), tarBytes(long...), zipBytes(), zipBytes(plain...), zipBytes(long...), gzipBytes(tarBytes(plain...)), gzipBytes(nil), {}}
	for _, e := range []packed{
		{name: "../x"},
		{name: "/x"},
		{name: `C:\x`},
		{name: "l", link: "a", flag: tar.TypeSymlink},
		{name: "h", link: "a", flag: tar.TypeLink},
		{name: "dev", flag: tar.TypeChar},
		{name: "p", flag: tar.TypeFifo},
		{name: "\xff"},
		{name: "."},
	} {
		all = append(all, tarBytes(e), zipBytes(e))
	}
	two := gzipBytes(tarBytes(plain...)[:1536])
	return append(all, append(two, gzipBytes(tarBytes(plain...)[1536:])...), append(bytes.Clone(all[6]), "trailing"...))
}

// FuzzArchiveFiles: whatever bytes are read as a TAR, TGZ or ZIP, there is an error
// of ours, or the entries are fit to be unpacked, and writing them out again, in
// one format, and reading that gives the same.
func FuzzArchiveFiles(f *testing.F) {
	for _, data := range seeds() {
		for format := range byte(9) {
			f.Add(data, format)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format byte) {
		name := "a." + asset.Format(format%3).String()
		file := value.FileArchive(name)
		limits := asset.Limits{Entries: 1000, Packed: 500, Bytes: 1 << 17, Ratio: 100, Spool: 1 << 20}
		c := asset.Contents{Files: asset.FS(fstest.MapFS{name: {Data: data}}), Limits: limits}
		streamed := asset.Contents{Files: asset.FS(streams{fstest.MapFS{name: {Data: data}}}), Limits: limits}

		l, err := c.List(context.Background(), file)
		l2, err2 := streamed.List(context.Background(), file)
		if !l.Identical(l2) || (err == nil) != (err2 == nil) {
			t.Fatalf("as a stream it is %v, %v, at random it is %v, %v", l2, err2, l, err)
		}
		if err != nil {
			var ours *asset.Error
			if !errors.As(err, &ours) || ours.File != name {
				t.Fatalf("an error that names no file: %v", err)
			}
			return
		}
		checkNames(t, c, file, l.Len())
		checkWritten(t, c, file, l, asset.Format(format/3%3))
	})
}

// checkNames: nothing leads out, nothing is there twice.
func checkNames(t *testing.T, c asset.Contents, v value.Value, n int) {
	t.Helper()
	seen := map[string]bool{}
	for e := range c.Entries(context.Background(), v) {
		name := e.Name()
		if !fs.ValidPath(name) || !utf8.ValidString(name) || path.IsAbs(name) || strings.Contains(name, "\x00") || strings.HasPrefix(name, `..\`) || seen[name] {
			t.Fatalf("a name %q", name)
		}
		seen[name] = true
	}
	if len(seen) != n {
		t.Fatalf("%d of %d entries are listed", n, len(seen))
	}
}

// checkWritten writes an archive, and reads it.
func checkWritten(t *testing.T, c asset.Contents, v value.Value, want value.Value, f asset.Format) {
	t.Helper()
	// In a literal archive, since an archive of the same format is copied as it is.
	v = literal(value.Member{Key: ".", Value: v})
	var b bytes.Buffer
	if err := c.Write(context.Background(), &b, v, f); err != nil {
		if errors.Is(err, asset.ErrWrite) {
			return // a name that the format cannot hold
		}
		t.Fatalf("writing %v: %v", f, err)
	}
	again := asset.Contents{Files: asset.FS(fstest.MapFS{"b." + f.String(): {Data: b.Bytes()}})}
	got, err := again.List(context.Background(), value.FileArchive("b."+f.String()))
	if err != nil || !got.Identical(want) {
		t.Fatalf("%v: read %v, %v, want %v", f, got, err, want)
	}
}

// streams is a file system whose files can be read from front to back only.
type streams struct{ fstest.MapFS }

func (s streams) Open(name string) (fs.File, error) {
	f, err := s.MapFS.Open(name)
	return struct{ fs.File }{f}, err
}
