package asset_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// TestUncleanPaths: in an absolute path ".." is that of the directory that a link leads
// to, as for the operating system; and it leads out no more than any other.
func TestUncleanPaths(t *testing.T) {
	base := linkedTree(t)
	rows := []struct {
		path string
		want string // the content, or empty
		err  error
	}{
		{"/a", "outer", nil},
		{"/./a", "outer", nil},
		{"//a", "outer", nil},
		{"/in/../a", "inner", nil},
		{"/abs/../a", "inner", nil},
		{"/in/../../a", "outer", nil},
		{"/in/./x", "x", nil},
		{"/sub/../a", "outer", nil},
		{"/../base/a", "outer", nil},
		{"/../base/in/../a", "inner", nil},
		{"/../base/../base//a", "outer", nil},
		{"/../secret", "", asset.ErrOutside},
		{"/in/../../../secret", "", asset.ErrOutside},
		{"/out/../secret", "", asset.ErrOutside},
		{"/absout/../secret", "", asset.ErrOutside},
		{"/up/secret", "", asset.ErrOutside},
		{"/./up/secret", "", asset.ErrOutside},
		{"/./out/a", "", asset.ErrOutside},
		{"/../other/a", "", asset.ErrOutside},
		{"/../other/../secret", "", asset.ErrOutside},
		{"/up/other/../base/a", "", asset.ErrOutside},
		{"/none/../a", "", asset.ErrMissing},
		{"/a/../a", "", asset.ErrRead},
		{"/a/", "", asset.ErrRead},
		{"/a/.", "", asset.ErrRead},
		{"/loop/../a", "", asset.ErrRead},
		{"/sub/", "", asset.ErrKind},
		{"/..", "", asset.ErrOutside},
	}
	c := asset.Contents{Files: asset.Dir(base)}
	for _, r := range rows {
		var b bytes.Buffer
		blob, err := c.Open(context.Background(), value.FileAsset(base+r.path))
		if err == nil {
			_, err = b.ReadFrom(blob)
			must(blob.Close())
		}
		if b.String() != r.want || !errors.Is(err, r.err) {
			t.Errorf("%s: %q, %v, want %q, %v", r.path, b.String(), err, r.want, r.err)
		}
	}
}

// linkedTree is a directory with links that lead in and out, and files next to it.
func linkedTree(t *testing.T) (base string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this system cleans a path before it follows links")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(err)
	base = filepath.Join(top, "base")
	for name, content := range map[string]string{"secret": "s", "base/a": "outer", "base/sub/a": "inner", "base/sub/dir/x": "x", "other/a": "other"} {
		writeFile(t, filepath.Join(top, name), []byte(content))
	}
	for name, target := range map[string]string{"in": "sub/dir", "abs": base + "/sub/dir", "out": "../other", "absout": top + "/other", "loop": "loop", "up": ".."} {
		must(os.Symlink(target, filepath.Join(base, name)))
	}
	return base
}

// TestUncleanDirectories: so it is for directories, which may be given by a link then.
func TestUncleanDirectories(t *testing.T) {
	base := linkedTree(t)
	c := asset.Contents{Files: asset.Dir(base)}
	for path, want := range map[string]string{
		"/in": "", "//in": "", "/./in": "", "/sub/../in": "", "/in/": "x", "/in/.": "x", "/sub/dir/..": "a dir/x", "/in/..": "a dir/x", "//sub//": "a dir/x",
	} {
		var got []string
		for e, err := range c.Entries(context.Background(), value.FileArchive(base+path)) {
			must(err)
			got = append(got, e.Name())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	// A megabyte of steps takes time in proportion.
	for _, steps := range []string{"/.", "//", "/sub/..", "/.."} {
		_, err := c.Hash(context.Background(), value.FileAsset(base+strings.Repeat(steps, 50_000)+"/a"))
		if outside := steps == "/.."; outside != errors.Is(err, asset.ErrOutside) || (!outside && err != nil) {
			t.Errorf("%s: %.100v", steps, err)
		}
	}
}

// TestLongNames: names of a megabyte each, which take next to nothing in a TGZ, are not a way
// to make a list of gigabytes.
func TestLongNames(t *testing.T) {
	var entries []packed
	for i := range 20 {
		entries = append(entries, packed{name: fmt.Sprint(i, "/") + strings.Repeat("n", 1<<20-100)})
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "x.tgz"), gzipBytes(tarBytes(entries...)))
	c := asset.Contents{Files: asset.Dir(dir)}
	var l value.Value
	var err error
	used := allocated(func() { l, err = c.List(context.Background(), value.FileArchive("x.tgz")) })
	if !errors.Is(err, asset.ErrName) || l.Len() > 0 || used > 16<<20 {
		t.Errorf("%d entries, %d MiB, %.200v", l.Len(), used>>20, err)
	}
	if n := len(fmt.Sprint(err)); n > 1000 {
		t.Errorf("an error of %d bytes", n)
	}
}
