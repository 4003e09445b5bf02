package pulumi_test

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// assetDraw draws directories with archive files and links in them, and archives of
// all that, nested. Names are few, so that they meet.
type assetDraw struct {
	t       *rapid.T
	dirs    []string
	files   []string
	packed  []string
	entries fileTree
}

func (d *assetDraw) name() string {
	return rapid.SampledFrom([]string{"a", "b", "B", "a.b", "a-b", "a b", ".x", "é", "\xe9", ".pulumi", "..c", "n\nl", "q\"", "z"}).Draw(d.t, "name")
}

func (d *assetDraw) content() string {
	return rapid.SampledFrom([]string{"", "1", "two", strings.Repeat("x", 511), strings.Repeat("y", 512), strings.Repeat("zero\x00", 2000)}).Draw(d.t, "content")
}

// tree draws a directory of files.
func (d *assetDraw) tree() {
	d.entries, d.dirs = fileTree{}, []string{"root"}
	d.entries["root/"] = ""
	taken := map[string]bool{}
	for range rapid.IntRange(0, 12).Draw(d.t, "files") {
		full := rapid.SampledFrom(d.dirs).Draw(d.t, "dir") + "/" + d.name()
		if taken[full] {
			continue
		}
		taken[full] = true
		switch rapid.IntRange(0, 9).Draw(d.t, "what") {
		case 0, 1, 2:
			d.dirs = append(d.dirs, full)
			d.entries[full+"/"] = ""
		case 3:
			if len(d.files) > 0 {
				d.entries[full] = "-> $DIR/" + rapid.SampledFrom(d.files).Draw(d.t, "target")
				continue
			}
			fallthrough
		case 4:
			d.entries[full] = "-> $DIR/" + rapid.SampledFrom(d.dirs).Draw(d.t, "target")
		case 5:
			full += rapid.SampledFrom([]string{".tar", ".tgz", ".tar.gz", ".zip", ".jar"}).Draw(d.t, "format")
			if taken[full] {
				continue
			}
			taken[full] = true
			d.entries[full] = d.packedFile(full)
			d.packed = append(d.packed, full)
		default:
			d.entries[full] = d.content()
			d.files = append(d.files, full)
		}
	}
}

// packedFile draws an archive file: names in it are UTF-8 and each there once.
func (d *assetDraw) packedFile(name string) string {
	var pairs []string
	var headers []tar.Header
	seen := map[string]bool{}
	for range rapid.IntRange(0, 5).Draw(d.t, "entries") {
		entry := d.name()
		if rapid.Bool().Draw(d.t, "below") {
			entry = d.name() + "/" + entry
		}
		if seen[entry] || strings.Contains(entry, "\xe9") {
			continue
		}
		seen[entry] = true
		if rapid.IntRange(0, 4).Draw(d.t, "spelling") == 0 {
			entry = "./" + strings.ReplaceAll(entry, "/", "//")
		}
		content := d.content()
		if rapid.IntRange(0, 6).Draw(d.t, "directory") == 0 {
			entry, content = entry+"/", ""
			headers = append(headers, tar.Header{Name: entry, Typeflag: tar.TypeDir, Mode: 0o755})
		} else {
			headers = append(headers, tarFile(entry, content))
		}
		pairs = append(pairs, entry, content)
	}
	switch format, _ := asset.FormatOf(name); format {
	case asset.TAR:
		return tarOf(headers...)
	case asset.TGZ:
		return gzipOf(tarOf(headers...))
	case asset.ZIP:
	}
	return zipOf(rapid.SampledFrom([]uint16{zip.Store, zip.Deflate}).Draw(d.t, "method"), pairs...)
}

// archive draws an archive over the tree.
func (d *assetDraw) archive(depth int) value.Value {
	what := rapid.IntRange(0, 5).Draw(d.t, "archive")
	switch {
	case what == 0 && len(d.packed) > 0:
		return archiveAt(rapid.SampledFrom(d.packed).Draw(d.t, "packed"))
	case what <= 2 || depth == 0:
		return archiveAt(rapid.SampledFrom(d.dirs).Draw(d.t, "dir"))
	}
	var members []value.Member
	for range rapid.IntRange(0, 4).Draw(d.t, "members") {
		key, member := d.name(), textOf("no file to be had")
		if rapid.IntRange(0, 4).Draw(d.t, "long") == 0 {
			key += "/" + d.name()
		}
		switch rapid.IntRange(0, 3).Draw(d.t, "member") {
		case 0:
			member = textOf(d.content())
		case 1:
			if len(d.files) > 0 {
				member = fileAt(rapid.SampledFrom(d.files).Draw(d.t, "file"))
			}
		default:
			member = d.archive(depth - 1)
		}
		members = append(members, value.Member{Key: key, Value: member})
	}
	return fuzz.MustLiteralArchive(members...)
}

// TestLawAssetHash: any archive over any directory has the hash that the SDK gives
// it, and HashAll gives it too.
func TestLawAssetHash(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names that Windows does not have")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(base, "tree") //nolint:usetesting // one for each input
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		d := &assetDraw{t: rt}
		d.tree()
		d.entries.write(t, dir)
		v := d.archive(3)
		want, err := sdkAssetHash(t, dir, v)
		if err != nil {
			rt.Fatalf("the SDK: %v", err)
		}
		c := asset.Contents{Files: asset.Dir(dir)}
		got, err := c.Hash(context.Background(), v)
		if err != nil || got != want {
			rt.Fatalf("got %s, %v, want %s", got, err, want)
		}
		filled, err := c.HashAll(context.Background(), value.Array(v))
		if a, _ := filled.Elem(0).AsArchive(); err != nil || filled.Elem(0).WithHash("").Kind() != value.KindArchive {
			rt.Fatal(err)
		} else if hash, _ := a.Hash(); hash != want {
			rt.Fatalf("HashAll: got %s, want %s", hash, want)
		}
		agreed++
	})
	if agreed < 50 {
		t.Errorf("only %d trees", agreed)
	}
}

// TestAssetDifferences: where we part with the SDK on purpose.
func TestAssetDifferences(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links, and names that Windows does not have")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("not yours"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "a"}
	fileTree{
		"a.txt": "1", "dangling/x": "-> nowhere", "out/x": "-> " + outside, "global.tar": tarOf(tar.Header{Typeflag: tar.TypeXGlobalHeader}, tarFile("a", "1")),
		"link.tar": tarOf(link), "twice.tar": tarOf(tarFile("a", "1"), tarFile("./a", "2")), "up.tar": tarOf(tarFile("../a", "1")), "abs.tar": tarOf(tarFile("/a", "1")),
		"short.tar": tarOf(tarFile("a", "1"))[:1024], "cut.tgz": gzipOf(tarOf(tarFile("a", "1")))[:60], "latin.zip": zipOf(zip.Store, "\xe9", "1"), "twice.zip": zipOf(zip.Store, "a", "1", "a", "2"),
		"up.zip": zipOf(zip.Store, "../a", "1"), "drive.zip": zipOf(zip.Store, `C:\a`, "1"),
		"device.tar": tarOf(tarFile("COM1", "1")), "stream.zip": zipOf(zip.Store, "file:stream", "1"),
	}.write(t, dir)
	const hashes, fails = true, false
	rows := []assetDifference{
		{"a TAR with a global header", literalOf("x", archiveAt("global.tar")), fails, nil},
		{"a link in a TAR", literalOf("x", archiveAt("link.tar")), fails, asset.ErrArchive},
		{"a name twice in a TAR", literalOf("x", archiveAt("twice.tar")), hashes, asset.ErrArchive},
		{"a name twice in a ZIP", literalOf("x", archiveAt("twice.zip")), hashes, asset.ErrArchive},
		{"a name that climbs out of a TAR", literalOf("x", archiveAt("up.tar")), hashes, asset.ErrArchive},
		{"a name that climbs out of a ZIP", literalOf("x", archiveAt("up.zip")), hashes, asset.ErrArchive},
		{"an absolute name in a TAR", literalOf("x", archiveAt("abs.tar")), hashes, asset.ErrArchive},
		{"a drive in a ZIP", literalOf("x", archiveAt("drive.zip")), hashes, asset.ErrArchive},
		{"a name in a ZIP that is no UTF-8", literalOf("x", archiveAt("latin.zip")), hashes, asset.ErrArchive},
		{"a TAR without its end", literalOf("x", archiveAt("short.tar")), hashes, asset.ErrArchive},
		{"a TGZ that is cut", literalOf("x", archiveAt("cut.tgz")), fails, asset.ErrArchive},
		{"an absolute name", literalOf("/x", textOf("1")), hashes, asset.ErrArchive},
		{"a name that climbs out", literalOf("../x", textOf("1")), hashes, asset.ErrArchive},
		{"a name that climbs out of an inner archive only", literalOf("a", literalOf("../x", textOf("1"))), hashes, asset.ErrArchive},
		{"a device of Windows", literalOf("dir/aux.txt", textOf("1")), hashes, asset.ErrArchive},
		{"a stream of Windows", literalOf("a:b", textOf("1")), hashes, asset.ErrArchive},
		{"a device of Windows in a TAR", literalOf("x", archiveAt("device.tar")), hashes, asset.ErrArchive},
		{"a stream of Windows in a ZIP", literalOf("x", archiveAt("stream.zip")), hashes, asset.ErrArchive},
		{"an asset without a name", literalOf("", textOf("1")), hashes, asset.ErrArchive},
		{"an asset called .", literalOf(".", textOf("1")), hashes, asset.ErrArchive},
		{"a directory with content", literalOf("x/", textOf("1")), fails, asset.ErrArchive},
		{"a name with NUL", literalOf("x\x00", textOf("1")), fails, asset.ErrArchive},
		{"a name that no TAR can hold", literalOf(strings.Repeat("n", 1<<20), textOf("1")), fails, asset.ErrWrite},
		{"a link that leads nowhere", archiveAt("dangling"), fails, asset.ErrMissing},
		{"a link that leads out of the base", archiveAt("out"), hashes, asset.ErrOutside},
		{"a file out of the base", fileAt("../" + filepath.Base(filepath.Dir(outside)) + "/secret"), hashes, asset.ErrOutside},
		{"the same by an absolute path", fileAt(outside), hashes, asset.ErrOutside},
		{"a file that is not there", fileAt("none"), fails, fs.ErrNotExist},
		{"a file as an archive", archiveAt("a.txt"), fails, asset.ErrArchive},
		{"a directory as a file", fileAt("dangling"), fails, asset.ErrKind},
		{"only a hash", value.TextAsset("").WithHash("00").DropContent(), fails, asset.ErrElided},
	}
	for _, r := range rows {
		r.check(t, dir)
	}
}

// assetDifference is content that the SDK hashes or not, and our error.
type assetDifference struct {
	name string
	v    value.Value
	sdk  bool
	want error
}

func (r assetDifference) check(t *testing.T, dir string) {
	t.Helper()
	c := asset.Contents{Files: asset.Dir(dir)}
	if _, err := c.Hash(context.Background(), r.v); !errors.Is(err, r.want) {
		t.Errorf("%s: %v, want %v", r.name, err, r.want)
	}
	if a, ok := r.v.AsAsset(); ok && a.Source() == value.SourceElided {
		return // the SDK panics
	}
	if _, err := sdkAssetHash(t, dir, r.v); (err == nil) != r.sdk {
		t.Errorf("%s: the SDK: %v", r.name, err)
	}
}
