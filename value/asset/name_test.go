package asset_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// TestNamesOfWindows: what Windows takes for a device, a stream or a drive is refused
// as the name of an entry, on every system; filepath.IsLocal says so too where it runs on Windows.
func TestNamesOfWindows(t *testing.T) {
	for _, row := range []struct {
		want  string // part of the error's text; empty: accepted
		names []string
	}{
		{"device", []string{
			"NUL", "nul", "CON", "con ", "PRN", "aux.txt", "AUX.tar.gz", "nul .txt", "COM1", "com9.log", "dir/LPT1.log", "prn/file", `dir\con\file`,
			"CONIN$", "conout$", "conin$.txt", "com¹", "LPT²", "lpt³.x", "./NUL", "a/../aux", "a//Con",
		}},
		{"colon", []string{"file:stream", "file::$DATA", "a/C:/x", "a/b:c", "aux:", "12:30.log", `dir\d:x`}},
		{"relative", []string{"C:", "c:x", "./C:/x", `C:\x`}},
		{"climb", []string{".. ", "a/..  ", `..\x`}},
		{"", []string{
			"null", "nul-1", "x.nul", "x.con", "console", "com", "com0", "com10", "com１", "lpt", "lptx", "auxiliary.txt", "conin", "dollar$", "c", "...", ". x",
			" con", "_aux", "prn1", "a/b/.nul", "con_/x",
		}},
	} {
		for _, name := range row.names {
			entry := packed{name: name, content: "1"}
			files := fstest.MapFS{"x.zip": {Data: zipBytes(entry)}, "x.tar": {Data: tarBytes(entry)}}
			c := asset.Contents{Files: asset.FS(files)}
			member := value.Member{Key: name, Value: value.TextAsset("1")}
			for how, v := range map[string]value.Value{
				"zip": value.FileArchive("x.zip"), "tar": value.FileArchive("x.tar"), "literal": literal(member),
			} {
				_, err := c.List(t.Context(), v)
				if (row.want == "" && err != nil) || (row.want != "" && (!errors.Is(err, asset.ErrName) || !strings.Contains(err.Error(), row.want))) {
					t.Errorf("%s: %q: %v, want an error with %q", how, name, err, row.want)
				}
				if err == nil && !filepath.IsLocal(filepath.FromSlash(name)) {
					t.Errorf("%s: %q leads out of the directory here", how, name)
				}
			}
			if local := filepath.IsLocal(name); runtime.GOOS == "windows" && row.want == "colon" && local {
				t.Errorf("%q is a name that Windows has", name)
			}
		}
	}
}

// TestNamesThatFold: names that differ in case, or in how an accent is written, are two.
func TestNamesThatFold(t *testing.T) {
	entries := []packed{{name: "a"}, {name: "A"}, {name: "caf\u00e9"}, {name: "cafe\u0301"}}
	files := fstest.MapFS{"x.zip": {Data: zipBytes(entries...)}, "x.tar": {Data: tarBytes(entries...)}}
	for name := range files {
		l, err := asset.Contents{Files: asset.FS(files)}.List(t.Context(), value.FileArchive(name))
		if err != nil || l.Len() != len(entries) {
			t.Errorf("%s: %v, %v", name, l, err)
		}
	}
}

// TestDirectoriesOfArchives: the names of directories are held to the same.
func TestDirectoriesOfArchives(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(w.WriteHeader(&tar.Header{Name: "aux/", Typeflag: tar.TypeDir, Mode: 0o755}))
	must(w.Close())
	files := fstest.MapFS{"x.tar": {Data: b.Bytes()}}
	if _, err := (asset.Contents{Files: asset.FS(files)}).List(t.Context(), value.FileArchive("x.tar")); !errors.Is(err, asset.ErrName) {
		t.Errorf("a directory that is a device: %v", err)
	}
}
