package asset_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// names lists an archive's entries, or says what was wrong.
func names(c asset.Contents, v value.Value) string {
	var all []string
	for e, err := range c.Entries(context.Background(), v) {
		if err != nil {
			return "error: " + err.Error()
		}
		content, err := io.ReadAll(e)
		if err != nil {
			return "error: " + err.Error()
		}
		all = append(all, e.Name()+"="+string(content))
	}
	return strings.Join(all, " ")
}

// linked makes a directory, top/base, with links in it that stay and links that lead out.
func linked(t *testing.T) (top, base string) {
	t.Helper()
	top = t.TempDir()
	base = filepath.Join(top, "base")
	writeFile(t, filepath.Join(top, "secret"), []byte("not yours"))
	writeFile(t, filepath.Join(top, "secrets", "s"), []byte("not yours"))
	writeFile(t, filepath.Join(base, "d", "in"), []byte("in"))
	link := func(target, name string) {
		must(os.MkdirAll(filepath.Dir(filepath.Join(base, name)), 0o755))
		must(os.Symlink(target, filepath.Join(base, name)))
	}
	link("../secret", "up")
	link(filepath.Join(top, "secret"), "abs")
	link("../../secret", "e/up")
	link("../secrets", "dirs/../updir")
	link(filepath.Join(base, "d", "in"), "inside/abs")
	link("../d/in", "inside/rel")
	link("abs", "inside/chain")
	link("../d", "inside/dir")
	link(filepath.Join(base, "d"), "absdir")
	link("../absdir/in", "inside/through")
	link(filepath.Join(top, "base2"), "inside2/x")
	link("two", "loop/one")
	link("one", "loop/two")
	link(filepath.Join(base, "absloop"), "absloop")
	link("..", "root")
	return top, base
}

// TestOutside: nothing outside of the directory is read, whichever way it is asked
// for, and what stays inside is.
func TestOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	top, base := linked(t)
	file := value.FileAsset
	dir := value.FileArchive
	rows := []struct {
		v    value.Value
		want error
	}{
		{file("../secret"), asset.ErrOutside},
		{file("d/../../secret"), asset.ErrOutside},
		{file(filepath.Join(top, "secret")), asset.ErrOutside},
		{file("up"), asset.ErrOutside},
		{file("abs"), asset.ErrOutside},
		{file("updir/s"), asset.ErrOutside},
		{file("root/secret"), asset.ErrOutside},
		{dir(".."), asset.ErrOutside},
		{dir("updir"), asset.ErrOutside},
		{dir("e"), asset.ErrOutside},
		{dir(top), asset.ErrOutside},
		{dir(top + "/base2"), asset.ErrOutside},
		{dir("inside2"), asset.ErrOutside},
		{file("root/base/d/in"), asset.ErrOutside},
		{file(base + "/../secret"), asset.ErrOutside},
		{value.URIAsset("file://" + top + "/secret"), asset.ErrOutside},
		{value.URIArchive("file://" + top + "/x.zip"), asset.ErrOutside},
		{literal(value.Member{Key: "k", Value: file("up")}), asset.ErrOutside},
		{dir("loop"), asset.ErrRead},
		{file("loop/one"), asset.ErrRead},
		{file("absloop"), asset.ErrRead},
		{file("d/in"), nil},
		{file("inside/abs"), nil},
		{file("absdir/in"), nil},
		{file(filepath.Join(base, "d", "in")), nil},
		{file("d/../d/in"), nil},
		{value.URIAsset("file://" + base + "/d/in"), nil},
		{file("inside/through"), nil},
	}
	c := asset.Contents{Files: asset.Dir(base)}
	for _, r := range rows {
		if _, err := c.Hash(context.Background(), r.v); !errors.Is(err, r.want) {
			t.Errorf("%v: %v, want %v", r.v.GoString(), err, r.want)
		}
	}
	if got := names(c, dir("inside")); got != "abs=in chain=in rel=in through=in" {
		t.Errorf("inside: %s", got)
	}
	wide := asset.Contents{Files: asset.DirWithin(base, top)}
	if got := names(wide, dir("e")); got != "up=not yours" {
		t.Errorf("within a directory above: %s", got)
	}
	if _, err := wide.Hash(context.Background(), file(filepath.Join(top, "..", "x"))); !errors.Is(err, asset.ErrOutside) {
		t.Error(err)
	}
}

// TestNoFile tests that devices and pipes are errors, without waiting for them.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "d", "f"), nil)
	writeFile(t, filepath.Join(dir, "x.zip", "f"), nil)
	rows := []struct {
		v    value.Value
		want error
	}{
		{value.FileAsset("d"), asset.ErrKind},
		{value.FileAsset(""), asset.ErrMissing},
		{value.FileAsset("d/f/g"), asset.ErrRead},
		{value.FileArchive("x.zip"), asset.ErrKind},
		{value.FileArchive("d/f"), asset.ErrFormat},
		{value.FileArchive(""), asset.ErrMissing},
		{value.FileArchive("none"), fs.ErrNotExist},
		{value.FileArchive("none.zip"), asset.ErrMissing},
		{value.FileAsset("a\x00b"), asset.ErrRead},
		{value.TextAsset("").WithHash("1").DropContent(), asset.ErrElided},
		{value.FileArchive("").WithHash("1").DropContent(), asset.ErrElided},
		{value.Null(), asset.ErrKind},
		{value.Unknown(), asset.ErrKind},
		{value.Array(), asset.ErrKind},
		{literal(value.Member{Key: "a", Value: value.TextAsset("").WithHash("1").DropContent()}), asset.ErrElided},
		{value.URIAsset("https://example.com"), asset.ErrURI},
		{value.URIAsset("%zz"), asset.ErrURI},
		{value.URIAsset("file://host/x"), asset.ErrURI},
		{value.URIAsset("file:///x?q"), asset.ErrURI},
		{value.URIArchive("https://example.com/a"), asset.ErrFormat},
		{value.URIArchive("https://example.com/a?b.zip"), asset.ErrFormat},
		{value.URIArchive("https://example.com/a.zip"), asset.ErrURI},
		{value.URIAsset(""), asset.ErrURI},
		{value.URIArchive("mailto:x"), asset.ErrFormat},
	}
	for _, r := range rows {
		c := asset.Contents{Files: asset.Dir(dir)}
		if _, err := c.Hash(context.Background(), r.v); !errors.Is(err, r.want) {
			t.Errorf("%v: %v, want %v", r.v, err, r.want)
		}
		c.Files = asset.FS(os.DirFS(dir))
		if _, err := c.Hash(context.Background(), r.v); err == nil {
			t.Errorf("%v: no error", r.v)
		}
		if _, err := (asset.Contents{}).Hash(context.Background(), r.v); err == nil {
			t.Errorf("%v: no error without files", r.v)
		}
	}
	for _, files := range []asset.Files{asset.Dir(filepath.Join(dir, "none")), asset.Dir(filepath.Join(dir, "d", "f")), asset.FS(nil), {}} {
		if _, err := (asset.Contents{Files: files}).Hash(context.Background(), value.FileArchive(".")); err == nil {
			t.Error("no error without a directory")
		}
	}
}

// TestStrangeFS: a file system may say anything.
func TestStrangeFS(t *testing.T) {
	for _, name := range []string{"..", ".", "", "a/b", "a\x00"} {
		c := asset.Contents{Files: asset.FS(strange{fstest.MapFS{"d/f": {}}, name})}
		if _, err := c.Hash(context.Background(), value.FileArchive("d")); !errors.Is(err, asset.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// strange has a file of a name that no file has.
type strange struct {
	fstest.MapFS
	name string
}

type strangeEntry struct {
	fs.DirEntry
	name string
}

func (e strangeEntry) Name() string { return e.name }

func (s strange) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.MapFS.ReadDir(name)
	for i, e := range entries {
		entries[i] = strangeEntry{e, s.name}
	}
	return entries, err
}

// TestNoIO: equality, order, hashes, diffs, texts, edits and what is known of entries
// open nothing.
func TestNoIO(t *testing.T) {
	files := &counting{MapFS: project()}
	c := asset.Contents{Files: asset.FS(files)}
	v := value.Object(
		value.Member{Key: "a", Value: value.FileAsset("README")}, value.Member{Key: "d", Value: value.FileArchive("dist")},
		value.Member{Key: "l", Value: literal(value.Member{Key: "x", Value: value.FileAsset("README")})},
	)
	w, err := c.HashAll(context.Background(), v)
	if err != nil || files.opened.Load() == 0 {
		t.Fatal(err, files.opened.Load())
	}
	files.opened.Store(0)
	for _, pair := range [][2]value.Value{{v, w}, {w, v}, {v, v}, {w, w}} {
		a, b := pair[0], pair[1]
		_, _, _, _ = a.Equal(b), value.Strict.Compare(a, b), a.Identical(b), a.Digest()
		d := diff.Between(a, b, diff.Options{})
		_, _ = d.String(), a.String()
		if back, err := d.Apply(a); err != nil || !back.Equal(b) {
			t.Error(err)
		}
	}
	if n := files.opened.Load(); n != 0 {
		t.Errorf("%d files were opened", n)
	}
}
