package pulumi_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	sdkasset "github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// sdkOf is an asset or archive of the SDK's with the same source, and no hash.
func sdkAsset(t testing.TB, v value.Value) any {
	t.Helper()
	if a, ok := v.AsAsset(); ok {
		s := &sdkasset.Asset{Sig: sdkasset.AssetSig}
		s.Text, _ = a.Text()
		s.Path, _ = a.Path()
		s.URI, _ = a.URI()
		return s
	}
	a, ok := v.AsArchive()
	if !ok {
		t.Fatal("neither asset nor archive")
	}
	s := &archive.Archive{Sig: archive.ArchiveSig, Assets: map[string]any{}}
	s.Path, _ = a.Path()
	s.URI, _ = a.URI()
	for name, member := range a.Entries() {
		s.Assets[name] = sdkAsset(t, member)
	}
	return s
}

// sdkHash is the SDK's hash; a panic of its is an error here.
func sdkAssetHash(t testing.TB, dir string, v value.Value) (hash string, err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	switch s := sdkAsset(t, v).(type) {
	case *sdkasset.Asset:
		err = s.EnsureHashWithWD(dir)
		hash = s.Hash
	case *archive.Archive:
		err = s.EnsureHashWithWD(dir)
		hash = s.Hash
	}
	return hash, err
}

// fileTree is a directory: names to contents. A name that ends in a slash is an empty
// directory; contents "-> x" are a link.
type fileTree map[string]string

func (l fileTree) write(t testing.TB, dir string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(l)) {
		full, content := filepath.Join(dir, name), l[name]
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(content, "-> "); ok {
			err = os.Symlink(strings.ReplaceAll(target, "$DIR", dir), full)
		} else {
			err = os.WriteFile(full, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func tarOf(entries ...tar.Header) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range entries {
		content := h.Linkname
		if h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink {
			content = ""
		} else {
			h.Linkname, h.Size = "", int64(len(content))
		}
		if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader {
			h.Size, content = 0, ""
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			h = tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": "c"}}
		}
		if err := w.WriteHeader(&h); err != nil {
			panic(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// plain is a file in a TAR: tarOf takes its content from Linkname.
func tarFile(name, content string) tar.Header {
	return tar.Header{Name: name, Linkname: content, Mode: 0o755, Typeflag: tar.TypeReg, Uname: "root"}
}

func gzipOf(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

func zipOf(method uint16, pairs ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		to, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: method})
		if err != nil {
			panic(err)
		}
		if !strings.HasSuffix(pairs[i], "/") {
			_, _ = to.Write([]byte(pairs[i+1]))
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// files are what the rows below are about.
func assetFiles() fileTree {
	tarball := tarOf(tarFile("a.txt", "in a tar"), tar.Header{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755}, tarFile("./d//b.txt", "b"), tarFile("empty", ""))
	return fileTree{
		"a.txt": "hello", "empty.txt": "", "big.bin": strings.Repeat("0123456789abcdef", 70_000),
		"tree/b/x.txt": "x", "tree/b.txt": "sorted after b/x.txt", "tree/b-1": "1", "tree/Z": "Z", "tree/none/": "",
		"tree/.hidden": "h", "tree/deep/er/and/deeper": "d",
		"empty/": "", "hollow/a/b/c/": "",
		"odd/sp ace": "1", "odd/new\nline": "2", "odd/\xff\xfe": "3", "odd/ümläut": "4", "odd/back\\slash": "5", "odd/q\"uote": "6",
		"odd/-dash": "7", "odd/..data": "8", "odd/...": "9", "odd/C:": "10", "odd/" + strings.Repeat("n", 200): "11", "odd/日本": "12", "odd/..\\up": "13",
		"odd/" + strings.Repeat("d/", 60) + "far": "14",
		"links/file": "target", "links/to-file": "-> file", "links/dir/inner": "i", "links/to-dir": "-> dir", "links/up": "-> ../a.txt",
		"links/abs": "-> $DIR/a.txt", "links/chain": "-> to-file", "links/through": "-> to-dir/inner", "links/loop-dir": "-> .",
		"to-tree": "-> tree", "to-a": "-> a.txt",
		"kept/.pulumi/state": "no", "kept/sub/.pulumi": "no", "kept/yes": "yes", ".pulumi/x": "never",
		"one.tar": tarball, "one.tgz": gzipOf(tarball), "one.tar.gz": gzipOf(tarball),
		"one.zip": zipOf(zip.Deflate, "a.txt", "in a zip", "d/", "", "d/b.txt", strings.Repeat("b", 100_000)), "one.jar": zipOf(zip.Store, "META-INF/MANIFEST.MF", "m"),
		"none.tar": tarOf(), "none.zip": zipOf(zip.Store), "bad.zip": "no zip", "bad.tar": "no tar",
		"tree.d/x": "directory with a dot",
		"two.tgz":  gzipOf(tarball[:1024]) + gzipOf(tarball[1024:]), "padded.tar": tarball + strings.Repeat("\x00", 10240),
	}
}

func literalOf(pairs ...any) value.Value {
	var members []value.Member
	for i := 0; i < len(pairs); i += 2 {
		members = append(members, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}
	return fuzz.MustLiteralArchive(members...)
}

func archiveAt(path string) value.Value { return value.FileArchive(path) }
func fileAt(path string) value.Value    { return value.FileAsset(path) }
func textOf(text string) value.Value    { return value.TextAsset(text) }

// TestAssetHashes: the same hash as the SDK's, row by row.
func TestAssetHashes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names that Windows does not have")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	assetFiles().write(t, dir)
	rows := []value.Value{
		textOf("x"), textOf(""), textOf("a\x00\xff"), fileAt("a.txt"), fileAt("empty.txt"), fileAt("big.bin"), fileAt("./tree/../a.txt"), fileAt(filepath.Join(dir, "a.txt")), fileAt("to-a"),
		value.URIAsset("file://" + dir + "/a.txt"), value.URIAsset("file://localhost" + dir + "/a%2Etxt"),
		archiveAt("tree"), archiveAt("./tree/"), archiveAt(filepath.Join(dir, "tree")), archiveAt(dir + "/tree/"), archiveAt("empty"), archiveAt("hollow"), archiveAt("odd"), archiveAt("links"), archiveAt("kept"), archiveAt("tree.d"),
		archiveAt("to-tree"), archiveAt(dir + "/to-tree"), archiveAt(dir + "/to-tree/"), archiveAt(".pulumi"), archiveAt("kept/../tree"),
		archiveAt("one.tar"), archiveAt("one.tgz"), archiveAt("one.tar.gz"), archiveAt("one.zip"), archiveAt("one.jar"), archiveAt("bad.zip"), archiveAt("none.tar"), archiveAt("none.zip"),
		value.URIArchive("file://" + dir + "/one.zip"), value.URIArchive("file://" + dir + "/one.tar.gz"),
		literalOf(), literalOf("a", literalOf()), literalOf("x", textOf("1"), "a", fileAt("a.txt"), "Z", textOf("")),
		literalOf("t", archiveAt("tree"), "z", archiveAt("one.zip"), "g", archiveAt("one.tgz"), "j", archiveAt("one.jar"), "r", archiveAt("one.tar"), "u", value.URIArchive("file://"+dir+"/one.zip")),
		literalOf("", archiveAt("tree")), literalOf(".", archiveAt("tree")), literalOf("./", archiveAt("tree"), "a//b/", archiveAt("links")), literalOf("a/..", archiveAt("tree")), literalOf("a/../b", textOf("kept as it is")),
		literalOf("a/b", textOf("first"), "a", archiveAt("tree"), "a/", archiveAt("one.tar")), literalOf("a", literalOf("b", textOf("1")), "a/b", textOf("2")), literalOf("a", archiveAt("tree"), "a/b.txt", textOf("seen")),
		literalOf("./a", textOf("1"), "a", textOf("2")), literalOf("a", literalOf("./b", textOf("1"), "b", textOf("2"))), literalOf("x", literalOf("y", literalOf("z", literalOf("w", archiveAt("odd"))))),
		literalOf("a\nb", textOf("1"), "ü", textOf("2"), "\xff", textOf("3"), "a b", textOf("4"), strings.Repeat("k", 300), textOf("5"), strings.Repeat("k/", 150)+"k", textOf("6")),
		literalOf("dir/", textOf("")), literalOf("p", archiveAt("none.tar"), "q", archiveAt("none.zip"), "s", archiveAt("padded.tar"), "t", archiveAt("two.tgz")), literalOf("a.b", textOf("1"), "a/c", textOf("2"), "a", textOf("3")),
		literalOf("k", archiveAt("kept"), "l", archiveAt("links"), "to", archiveAt("to-tree")), literalOf("back\\slash", textOf("1")), literalOf(strings.Repeat("n", 1<<15), textOf("1")),
	}
	c := asset.Contents{Files: asset.DirWithin(dir, "/")}
	for i, v := range rows {
		want, err := sdkAssetHash(t, dir, v)
		if err != nil {
			t.Errorf("row %d: the SDK: %v", i, err)
			continue
		}
		got, err := c.Hash(context.Background(), v)
		if err != nil || got != want {
			t.Errorf("row %d, %.60v: got %s, %v, want %s", i, sdkAsset(t, v), got, err, want)
		}
		if _, ok := v.AsArchive(); ok {
			checkWritten(t, c, dir, v)
		}
	}
	if want, _ := sdkAssetHash(t, dir, literalOf()); want != "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef" {
		t.Errorf("the SDK hashes an empty archive as %s", want)
	}
}

// checkWritten: the same bytes as the SDK's, in every format.
func checkWritten(t *testing.T, c asset.Contents, dir string, v value.Value) {
	t.Helper()
	for f, theirs := range map[asset.Format]archive.Format{asset.TAR: archive.TarArchive, asset.TGZ: archive.TarGZIPArchive, asset.ZIP: archive.ZIPArchive} {
		path, _ := v.AsArchive()
		name, _ := path.Path()
		uri, _ := path.URI()
		if strings.Contains(name+uri, "bad.") || (strings.HasSuffix(name, ".jar") && f == asset.ZIP) {
			continue // a JAR is a ZIP here
		}
		var got, want bytes.Buffer
		s := sdkAsset(t, v).(*archive.Archive)
		if err := s.ArchiveWithWD(theirs, &want, dir); err != nil {
			t.Fatal(err)
		}
		if err := c.Write(context.Background(), &got, v, f); err != nil {
			t.Errorf("%v: %v", f, err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%.60v as %v: other bytes than the SDK's (%d, %d)", s, f, got.Len(), want.Len())
		}
	}
}
