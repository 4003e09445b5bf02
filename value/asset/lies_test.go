package asset_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// lyingFile is a file, of a file system or an opener of the caller's, that keeps to no
// contract.
type lyingFile struct {
	fs.File
	size   int64 // what Stat says
	read   func(p []byte) (int, error)
	readAt func(p []byte, off int64) (int, error)
}

func (l *lyingFile) Read(p []byte) (int, error) { return l.read(p) }

func (l *lyingFile) Stat() (fs.FileInfo, error) {
	info, err := l.File.Stat()
	return sizedInfo{info, l.size}, err
}

// lyingFileAt can also be read at any place.
type lyingFileAt struct{ *lyingFile }

func (l lyingFileAt) ReadAt(p []byte, off int64) (int, error) { return l.readAt(p, off) }

// lyingFS has one file, whatever it is asked for.
type lyingFS struct{ open func() (fs.File, error) }

func (l lyingFS) Open(string) (fs.File, error) { return l.open() }

// TestLies: a file that keeps to no contract is an error, in every format, and from both
// sides; nothing hangs, nothing is read out of bounds.
func TestLies(t *testing.T) {
	honest := fstest.MapFS{"f": {Data: zipBytes(packed{name: "a", content: "1"})}}
	size := int64(len(honest["f"].Data))
	whole := func(p []byte, off int64) (int, error) { return bytes.NewReader(honest["f"].Data).ReadAt(p, off) }
	rows := []struct {
		name   string
		size   int64
		read   func(p []byte) (int, error)
		readAt func(p []byte, off int64) (int, error)
	}{
		{"more than there is room for", size, func(p []byte) (int, error) { return len(p) + 1, nil }, func(p []byte, _ int64) (int, error) { return len(p) + 1, nil }},
		{"far more", size, func([]byte) (int, error) { return math.MaxInt / 2, nil }, func([]byte, int64) (int, error) { return math.MaxInt / 2, nil }},
		{"less than nothing", size, func([]byte) (int, error) { return -1, nil }, func([]byte, int64) (int, error) { return -1, nil }},
		{"less than nothing, at the end", size, func([]byte) (int, error) { return -5, io.EOF }, func([]byte, int64) (int, error) { return -5, io.EOF }},
		{"nothing, and no end", size, func([]byte) (int, error) { return 0, nil }, func([]byte, int64) (int, error) { return 0, nil }},
		{"no end", size, func(p []byte) (int, error) { return len(p), nil }, func([]byte, int64) (int, error) { return 0, errors.New("no") }},
		{"a size of nothing", 0, func(p []byte) (int, error) { return len(p), nil }, whole},
		{"a size below nothing", -1, func([]byte) (int, error) { return 0, nil }, whole},
		{"a size above everything", 1<<63 - 1, func([]byte) (int, error) { return 0, io.EOF }, func([]byte, int64) (int, error) { return 0, io.EOF }},
		{"an end too early", size, func([]byte) (int, error) { return 0, io.EOF }, func([]byte, int64) (int, error) { return 0, io.EOF }},
	}
	for _, r := range rows {
		for _, ext := range []string{"bin", "tar", "tgz", "zip"} {
			for _, at := range []bool{false, true} {
				open := func() (fs.File, error) {
					f, err := honest.Open("f")
					l := &lyingFile{f, r.size, r.read, r.readAt}
					if at {
						return lyingFileAt{l}, err
					}
					return l, err
				}
				c := asset.Contents{
					Files:  asset.FS(lyingFS{open}),
					URIs:   func(context.Context, string) (io.ReadCloser, error) { return open() },
					Limits: asset.Limits{Spool: 4 << 20, Bytes: 4 << 20},
				}
				vs := []value.Value{value.FileAsset("f"), value.URIAsset("x:/f")}
				if ext != "bin" {
					vs = []value.Value{
						literal(value.Member{Key: "k", Value: value.FileArchive("f." + ext)}),
						literal(value.Member{Key: "k", Value: value.URIArchive("x:/f." + ext)}),
					}
				}
				for _, v := range vs {
					_, err := c.Hash(context.Background(), v)
					var ours *asset.Error
					if errors.As(err, &ours) {
						continue
					}
					if err != nil || !strings.HasPrefix(r.name, "a size") || ext != "zip" {
						t.Errorf("%s, %s, at %v, %.60v: %v", r.name, ext, at, v, err)
					}
				}
			}
		}
	}
}

// TestNothingOpened: a file system that returns neither a file nor an error.
func TestNothingOpened(t *testing.T) {
	c := asset.Contents{Files: asset.FS(statFS{})}
	for _, v := range []value.Value{value.FileAsset("f"), value.FileArchive("f"), value.FileArchive("f.zip")} {
		if _, err := c.Hash(context.Background(), v); !errors.Is(err, asset.ErrRead) {
			t.Errorf("%v: %v", v, err)
		}
	}
}

type statFS struct{}

func (statFS) Open(string) (fs.File, error)     { return nil, nil } //nolint:nilnil // the lie
func (statFS) Stat(string) (fs.FileInfo, error) { return nil, nil } //nolint:nilnil // as above

// TestPanics: what panics in a file system or an opener of the caller's panics where the
// caller can recover it, also if others hash at the same time, and nothing is left over.
func TestPanics(t *testing.T) {
	files := fstest.MapFS{}
	var all []value.Value
	for i := range 20 {
		name := fmt.Sprint("f", i)
		files[name] = &fstest.MapFile{Data: []byte(name)}
		all = append(all, value.FileAsset(name))
	}
	all = append(all, value.URIAsset("x:/y"))
	before := runtime.NumGoroutine()
	for what, opener := range map[string]asset.Opener{
		"panic": func(context.Context, string) (io.ReadCloser, error) { panic("mine") },
		"exit": func(context.Context, string) (io.ReadCloser, error) {
			runtime.Goexit()
			return nil, errors.New("never")
		},
	} {
		c := asset.Contents{Files: asset.FS(files), URIs: opener}
		func() {
			defer func() {
				if got := recover(); (what == "panic" && got != "mine") || (what == "exit" && got != nil) {
					t.Errorf("%s: recovered %v", what, got)
				}
			}()
			_, err := c.HashAll(context.Background(), value.Array(all...))
			if what == "panic" || !errors.Is(err, asset.ErrRead) {
				t.Errorf("%s: %v", what, err)
			}
		}()
	}
	settled(t, before)
}

// settled: no more goroutines than before, once they had time to end.
func settled(t *testing.T, before int) {
	t.Helper()
	for range 12_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, there were %d", runtime.NumGoroutine(), before)
}

// TestCancelLeavesNothing: a context that ends while something is read ends the reading,
// in every way of reading, with no goroutine and no temporary file left.
func TestCancelLeavesNothing(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := t.TempDir()
	big := bytes.Repeat([]byte("0123456789abcdef"), 256<<10)
	writeFile(t, filepath.Join(dir, "d", "big"), big)
	before := runtime.NumGoroutine()
	for _, uri := range []string{"x:/a.zip", "x:/a.tgz", "x:/a.tar", "x:/a"} {
		for _, secret := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(context.Background())
			c := asset.Contents{Files: asset.Dir(dir), URIs: func(context.Context, string) (io.ReadCloser, error) {
				r, w := io.Pipe()
				go func() {
					for served := 1; ; served++ {
						if _, err := w.Write(big[:64<<10]); err != nil {
							return
						}
						if served == 40 { // beyond what is kept in memory
							cancel(errors.New(canary))
						}
					}
				}()
				return r, nil
			}}
			v := value.URIAsset(uri)
			if _, packed := asset.FormatOf(uri); packed {
				v = literal(value.Member{Key: "k", Value: value.URIArchive(uri)})
			}
			if secret {
				v = value.Secret(v)
			}
			if uri == "x:/a.tgz" || uri == "x:/a.tar" {
				cancel(errors.New(canary)) // it would be corrupt at once
			}
			_, err := c.HashAll(ctx, value.Array(v))
			var ours *asset.Error
			if !errors.As(err, &ours) || !errors.Is(err, asset.ErrRead) || (secret && (!errors.Is(err, context.Canceled) || strings.Contains(err.Error(), canary))) {
				t.Errorf("%s, secret %v: %v", uri, secret, err)
			}
			cancel(nil)
		}
	}
	settled(t, before)
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left in the directory of temporary files: %v, %v", left, err)
	}
}

// TestShortWriter: a writer that takes less than it is given, and says nothing, has not
// been given an archive.
func TestShortWriter(t *testing.T) {
	c := asset.Contents{Files: asset.FS(fstest.MapFS{"a.zip": {Data: zipBytes(packed{name: "a", content: "1"})}})}
	for _, f := range []asset.Format{asset.TAR, asset.TGZ, asset.ZIP} {
		if err := c.Write(context.Background(), shortWriter{}, value.FileArchive("a.zip"), f); !errors.Is(err, asset.ErrWrite) || !errors.Is(err, io.ErrShortWrite) {
			t.Error(f, err)
		}
	}
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) / 2, nil }

// TestChained: a file system that reads with this package, and whose errors name files,
// says nothing about a secret.
func TestChained(t *testing.T) {
	inner := asset.Contents{Files: asset.FS(fstest.MapFS{})}
	_, told := inner.Hash(context.Background(), value.FileAsset(canary))
	c := asset.Contents{Files: asset.FS(lyingFS{func() (fs.File, error) { return nil, told }})}
	for _, v := range []value.Value{value.FileAsset("x"), value.FileArchive("x"), value.FileArchive("x.zip")} {
		if _, err := c.Hash(context.Background(), v); err == nil || !strings.Contains(err.Error(), canary) {
			t.Errorf("%v: %v", v, err)
		}
		_, err := c.Hash(context.Background(), value.Secret(v))
		if err == nil || strings.Contains(everyVerb(err), canary) {
			t.Errorf("secret %v: %v", v, err)
		}
	}
}

// TestOpenEntryOpensOne: of a literal archive only the entry that was asked for.
func TestOpenEntryOpensOne(t *testing.T) {
	asked := 0
	c := asset.Contents{
		Files: asset.FS(project()),
		URIs: func(context.Context, string) (io.ReadCloser, error) {
			asked++
			return io.NopCloser(strings.NewReader("web")), nil
		},
	}
	web := value.URIAsset("x:/y")
	v := literal(
		value.Member{Key: "a", Value: web}, value.Member{Key: "b", Value: literal(value.Member{Key: "c", Value: web}, value.Member{Key: "d", Value: value.TextAsset("found")})},
		value.Member{Key: "b0", Value: value.URIArchive("x:/none.zip")}, value.Member{Key: "x/.", Value: value.FileArchive("none")}, value.Member{Key: "z", Value: web},
	)
	for _, r := range []struct {
		name  string
		want  string
		asked int
	}{{"b/d", "found", 0}, {"./b//d", "found", 0}, {"z", "web", 1}, {"b/c", "web", 1}, {"a", "web", 1}} {
		asked = 0
		b, err := c.OpenEntry(context.Background(), v, r.name)
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		got, err := io.ReadAll(b)
		if err != nil || string(got) != r.want || asked != r.asked || b.Close() != nil {
			t.Errorf("%s: %q, %v, %d URIs", r.name, got, err, asked)
		}
	}
	if _, err := c.OpenEntry(context.Background(), v, "x/y"); !errors.Is(err, asset.ErrMissing) {
		t.Error(err)
	}
}
