package asset_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// once is a writer that does something at its first write.
type once struct{ do func() }

func (o *once) Write(p []byte) (int, error) {
	if o.do != nil {
		o.do()
		o.do = nil
	}
	return len(p), nil
}

func writeFile(t testing.TB, name string, data []byte) {
	t.Helper()
	must(os.MkdirAll(filepath.Dir(name), 0o755))
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestChangedWhileRead: each accident that a file can have while it is read is an error
// that names it.
func TestChangedWhileRead(t *testing.T) {
	size := 1 << 20
	rows := []struct {
		name string
		do   func(file string)
	}{
		{"grows", func(file string) {
			f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			must(err)
			_, err = f.WriteString("more")
			must(errors.Join(err, f.Close()))
		}},
		{"shrinks", func(file string) { must(os.Truncate(file, 600_000)) }},
		{"is emptied", func(file string) { must(os.Truncate(file, 0)) }},
		{"is removed", func(file string) { must(os.Remove(file)) }},
		{"is overwritten", func(file string) { must(os.WriteFile(file, bytes.Repeat([]byte("y"), size), 0o600)) }},
		{"has its last byte changed", func(file string) {
			f, err := os.OpenFile(file, os.O_WRONLY, 0)
			must(err)
			_, err = f.WriteAt([]byte("z"), int64(size-1))
			must(errors.Join(err, f.Close()))
		}},
		{"is replaced", func(file string) {
			must(os.WriteFile(file+"2", bytes.Repeat([]byte("x"), size), 0o644))
			info, err := os.Stat(file)
			must(err)
			must(os.Chtimes(file+"2", info.ModTime(), info.ModTime()))
			must(os.Rename(file+"2", file))
		}},
		{"becomes a directory", func(file string) {
			must(os.Remove(file))
			must(os.Mkdir(file, 0o755))
		}},
	}
	for _, r := range rows {
		for _, v := range []value.Value{
			value.FileAsset("d/f.zip"), value.FileArchive("d/f.zip"),
			value.FileArchive("d"), literal(value.Member{Key: "k", Value: value.FileAsset("d/f.zip")}),
		} {
			dir := t.TempDir()
			file := filepath.Join(dir, "d", "f.zip")
			writeFile(t, file, bytes.Repeat([]byte("x"), size))
			c := asset.Contents{Files: asset.Dir(dir)}
			if _, err := c.Hash(context.Background(), v); err != nil {
				t.Fatal(err)
			}
			err := read(c, v, func() { r.do(file) })
			var e *asset.Error
			if !errors.Is(err, asset.ErrChanged) || !errors.As(err, &e) || !strings.HasPrefix(e.File, "d") {
				t.Errorf("%s: %v: %v", r.name, v, err)
			}
		}
	}
}

// read reads a value, and lets something happen after the first bytes.
func read(c asset.Contents, v value.Value, do func()) error {
	ctx := context.Background()
	if a, ok := v.AsArchive(); ok {
		format := asset.TAR
		if path, _ := a.Path(); strings.HasSuffix(path, ".zip") {
			format = asset.ZIP // copied as it is
		}
		return c.Write(ctx, &once{do}, v, format)
	}
	b, err := c.Open(ctx, v)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }()
	if _, err := io.ReadFull(b, make([]byte, 1000)); err != nil {
		return err
	}
	do()
	_, err = io.Copy(io.Discard, b)
	return err
}

// TestChangedDirectory: what happens to a file that was read already, in a directory that
// is still being read, shows as a change of the directory.
func TestChangedDirectory(t *testing.T) {
	rows := map[string]func(dir string){
		"a file comes":     func(dir string) { must(os.WriteFile(filepath.Join(dir, "d", "new"), nil, 0o600)) },
		"a file goes":      func(dir string) { must(os.Remove(filepath.Join(dir, "d", "a"))) },
		"a directory goes": func(dir string) { must(os.RemoveAll(filepath.Join(dir, "d", "z"))) },
		"another directory": func(dir string) {
			must(os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "e")))
			must(os.CopyFS(filepath.Join(dir, "d"), os.DirFS(filepath.Join(dir, "e"))))
		},
	}
	for name, do := range rows {
		dir := t.TempDir()
		for _, file := range []string{"a", "m", "z/last"} {
			writeFile(t, filepath.Join(dir, "d", file), []byte(file))
		}
		c := asset.Contents{Files: asset.Dir(dir)}
		done := false
		var err error
		for _, err = range c.Entries(context.Background(), value.FileArchive("d")) {
			if !done {
				do(dir)
				done = true
			}
		}
		var e *asset.Error
		if !errors.Is(err, asset.ErrChanged) || !errors.As(err, &e) || !strings.HasPrefix(e.File, "d") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// moving is a file system whose files are others than they said.
type moving struct {
	fstest.MapFS
	change func(f *fstest.MapFile)
}

type movingFile struct {
	fs.File
	m *moving
	f *fstest.MapFile
}

func (m *moving) Open(name string) (fs.File, error) {
	f, err := m.MapFS.Open(name)
	return &movingFile{f, m, m.MapFS[name]}, err
}

func (f *movingFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p[:min(len(p), 10)])
	if f.f != nil {
		f.m.change(f.f)
	}
	return n, err
}

// TestChangedFS: the same for a file system of the caller's.
func TestChangedFS(t *testing.T) {
	for name, change := range map[string]func(m *moving){
		"shrinks":     func(m *moving) { m.change = func(f *fstest.MapFile) { f.Data = f.Data[:15] } },
		"grows":       func(m *moving) { m.change = func(f *fstest.MapFile) { f.Data = append(f.Data, "more"...) } },
		"other time":  func(m *moving) { m.change = func(f *fstest.MapFile) { f.ModTime = f.ModTime.Add(time.Second) } },
		"is removed":  func(m *moving) { m.change = func(*fstest.MapFile) { delete(m.MapFS, "f") } },
		"nothing bad": func(m *moving) { m.change = func(*fstest.MapFile) {} },
	} {
		m := &moving{MapFS: fstest.MapFS{"f": {Data: []byte(strings.Repeat("x", 100))}}}
		change(m)
		c := asset.Contents{Files: asset.FS(m)}
		_, err := c.Hash(context.Background(), value.FileAsset("f"))
		if name == "nothing bad" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		var e *asset.Error
		if !errors.Is(err, asset.ErrChanged) || !errors.As(err, &e) || e.File != "f" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChangedAtOnce: two writes of the same length within one tick of the clock do
// not pass for one. The clock of the files is made as coarse here as any is: on some
// systems it is not.
func TestChangedAtOnce(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	c := asset.Contents{Files: asset.Dir(dir)}
	write := func(content string) {
		now := time.Now().Truncate(10 * time.Millisecond)
		must(os.WriteFile(file, bytes.Repeat([]byte(content), 1000), 0o600))
		must(os.Chtimes(file, now, now))
	}
	for range 20 {
		write("a")
		b, err := c.Open(context.Background(), value.FileAsset("f"))
		if err != nil {
			t.Fatal(err)
		}
		write("b")
		if _, err := io.ReadAll(b); !errors.Is(err, asset.ErrChanged) {
			t.Errorf("a write that was not seen: %v", err)
		}
		must(b.Close())
	}
}

// counting counts what is opened.
type counting struct {
	fstest.MapFS
	opened atomic.Int64 // HashAll opens from many goroutines
}

func (c *counting) Open(name string) (fs.File, error) {
	c.opened.Add(1)
	return c.MapFS.Open(name)
}
