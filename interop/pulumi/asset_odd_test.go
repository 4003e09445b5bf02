package pulumi_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// headed is a TAR in one format of headers, with long names, owners and times.
func headed(f tar.Format) string {
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	long := strings.Repeat("l", 90)
	names := []string{"a", "d/" + long + "/b"}
	if f != tar.FormatUSTAR {
		names = append(names, "é/"+strings.Repeat(long+"/", 4)+"c")
	}
	var all []tar.Header
	for i, name := range names {
		h := tarFile(name, strings.Repeat("x", i*700))
		h.Format, h.Uid, h.Gid, h.ModTime, h.Gname = f, 1000+i, 7, at, "staff"
		all = append(all, h)
	}
	return tarOf(all...)
}

// zip64 is a ZIP whose last record points to one of 64 bits.
func zip64(data string) string {
	end, central := strings.LastIndex(data, "PK\x05\x06"), strings.Index(data, "PK\x01\x02")
	le, count := binary.LittleEndian, uint64(data[end+10])
	record := append([]byte("PK\x06\x06"), make([]byte, 52)...)
	le.PutUint64(record[4:], 44)
	le.PutUint64(record[24:], count)
	le.PutUint64(record[32:], count)
	le.PutUint64(record[40:], uint64(end-central)) //nolint:gosec // a place in a text
	le.PutUint64(record[48:], uint64(central))     //nolint:gosec // likewise
	locator := append([]byte("PK\x06\x07"), make([]byte, 16)...)
	le.PutUint64(locator[8:], uint64(end)) //nolint:gosec // likewise
	le.PutUint32(locator[16:], 1)
	last := []byte(data[end:])
	copy(last[8:], bytes.Repeat([]byte{0xff}, 12))
	return data[:end] + string(record) + string(locator) + string(last)
}

func zipCommented(data, comment string) string {
	b := []byte(data)
	binary.LittleEndian.PutUint16(b[len(b)-2:], uint16(len(comment))) //nolint:gosec // short
	return string(b) + comment
}

// TestAssetHashesOdd: files, URIs and archive files that few people have, and whose
// hash is nevertheless the SDK's; or both have none.
func TestAssetHashesOdd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links, and names that Windows does not have")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plain := zipOf(zip.Deflate, "a", "1", "b/c", strings.Repeat("z", 5000), "empty", "", `win\dows`, "2", "x y", "3", "日本", "4")
	fileTree{
		"a.txt": "outer", "sub/a.txt": "inner", "sub/dir/x": "x", "sub/zip.zip": plain, "zip.zip": zipOf(zip.Store, "other", ""),
		"link": "-> sub/dir", "chain": "-> link", "file": "-> sub/a.txt", "a%20b#c?": "odd", "per%cent": "p",
		"dir.tar/a": "1", "tarball": tarOf(tarFile("a", "1")), "UPPER.ZIP": plain, "z.zip.d/x": "1", ".tar": tarOf(tarFile("a", "1")), ".zip/x": "1", "z-link.zip": "-> sub/zip.zip", "zip-link": "-> sub/zip.zip",
		"t/zero": "", "t/.h/.i": "", "t/.pulumi.d/x": "1", "t/.pulumix": "2", "t/a\\b": "3", "t/" + " ": "4", "t/\t": "5", "t/~": "6", "t/a:b": "7", "t/NUL": "8", "t/" + strings.Repeat("é", 120): "9",
		"t/" + strings.Repeat(strings.Repeat("p", 100)+"/", 5) + "deep": "10", "t/" + strings.Repeat("q", 100): "11", "t/" + strings.Repeat("q", 101): "12", "t/l.zip": "-> ../sub/zip.zip", "t/dir.link/x": "1", "t/to": "-> dir.link", "t/to.txt": "-> to/x",
		"ustar.tar": headed(tar.FormatUSTAR), "pax.tar": headed(tar.FormatPAX), "gnu.tar": headed(tar.FormatGNU), "gnu.tgz": gzipOf(headed(tar.FormatGNU)),
		"three.tgz": gzipOf(headed(tar.FormatPAX)[:100]) + gzipOf(headed(tar.FormatPAX)[100:700]) + gzipOf("") + gzipOf(headed(tar.FormatPAX)[700:]),
		"tail.tgz":  gzipOf(headed(tar.FormatPAX)) + "this is no gzip file", "tail.tar": headed(tar.FormatPAX) + strings.Repeat("\x00", 1000) + "garbage",
		"64.zip": zip64(plain), "prefix.zip": "#!/bin/sh\n" + plain, "comment.zip": zipCommented(plain, "hello PK\x05 comment"), "upper.jar": plain,
	}.write(t, dir)
	if err := os.Chmod(filepath.Join(dir, "t", "zero"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "t", " "), time.Unix(0, 0), time.Unix(1<<33, 0)); err != nil {
		t.Fatal(err)
	}
	file, archive := value.URIAsset, value.URIArchive
	rows := []value.Value{
		fileAt("link/../a.txt"), fileAt(dir + "/link/../a.txt"), fileAt(dir + "/chain/../a.txt"), fileAt(dir + "/link/../../a.txt"), fileAt(dir + "/./sub/..//a.txt"), fileAt(dir + "/../" + filepath.Base(dir) + "/a.txt"), fileAt(dir + "/none/../a.txt"),
		fileAt(dir + "/a.txt/"), fileAt(dir + "/a.txt/."), fileAt("a.txt/"), fileAt("file/"), fileAt(dir + "/file"), fileAt("link"), fileAt("link/x"), fileAt(dir + "/a.txt/../a.txt"),
		archiveAt(dir + "/link/../zip.zip"), archiveAt("link/../zip.zip"), archiveAt(dir + "/sub/zip.zip/"), archiveAt("sub/zip.zip/"), archiveAt(dir + "//link"), archiveAt(dir + "/./link"), archiveAt(dir + "/link/."), archiveAt(dir + "//link//"), archiveAt(dir + "/sub/../link"), archiveAt(dir + "/sub/dir/.."), archiveAt(dir + "/t/"), archiveAt(dir + "/sub//"), archiveAt("chain"), archiveAt("link/"), archiveAt("link/."),
		archiveAt("dir.tar"), archiveAt("tarball"), archiveAt("UPPER.ZIP"), archiveAt("z.zip.d"), archiveAt(".tar"), archiveAt(".zip"), archiveAt("z-link.zip"), archiveAt("zip-link"), archiveAt("t"), archiveAt("a.txt"),
		file("file://" + dir + "/per%25cent"), file("file://" + dir + "/a%2520b%23c%3F"), file("file:" + dir + "/a.txt"), file("FILE://" + dir + "/a.txt"), file("file://" + dir + "/sub%2Fa.txt"), file("file://" + dir + "/link/../a.txt"), file("file://" + dir + "/a.txt/"), file("file:a.txt"), file("file://" + dir + "/none"),
		archive("file://" + dir + "/link/../zip.zip"), archive("file://" + dir + "/sub/zip%2Ezip"), archive("file://" + dir + "/t"), archive("file:" + dir + "/64.zip"), archive("file://" + dir + "/UPPER.ZIP"),
		literalOf("x", fileAt(dir+"/link/../a.txt"), "y", archiveAt(dir+"/link/../zip.zip"), "z", archiveAt("t"), "w", fileAt("t/zero")),
		literalOf("l", archiveAt(dir+"//link"), "m", archiveAt(dir+"/link/")),
		literalOf(strings.Repeat("n", 100), textOf("1"), strings.Repeat("n", 101), textOf("2"), strings.Repeat("n", 256), textOf("3"), strings.Repeat("m/", 130)+"x", textOf("4"), strings.Repeat("é", 60), textOf("5"), strings.Repeat("v/", 40)+strings.Repeat("u", 101), textOf("6")),
		literalOf("a", literalOf("b/c", textOf("1"), "b", literalOf("c", textOf("2"), "d", textOf("3"))), "a/b", archiveAt("upper.jar"), "a/b/d", textOf("4"), "a//b/d", textOf("5")),
		literalOf("a", archiveAt("upper.jar"), "a/", archiveAt("64.zip"), "./a", archiveAt("pax.tar"), "a/.", archiveAt("t")),
		literalOf("e", literalOf(), "f", literalOf("g", literalOf())), literalOf(" ", textOf(""), "~", textOf("\x00"), "CONS", textOf("1"), "a/b;c", textOf("3"), "...", textOf("4"), "..a", textOf("5"), "a..", textOf("6"), `a\b`, textOf("7"), "a//b", textOf("8"), "a/./b", textOf("9")),
	}
	for _, name := range []string{"ustar.tar", "pax.tar", "gnu.tar", "gnu.tgz", "three.tgz", "tail.tgz", "tail.tar", "64.zip", "prefix.zip", "comment.zip", "upper.jar", "z-link.zip"} {
		rows = append(rows, archiveAt(name), literalOf("in", archiveAt(name)))
	}
	c := asset.Contents{Files: asset.DirWithin(dir, "/")}
	within := asset.Contents{Files: asset.Dir(dir)}
	for i, v := range rows {
		want, wrong := sdkAssetHash(t, dir, v)
		for what, c := range map[string]asset.Contents{"all": c, "within": within} {
			got, err := c.Hash(context.Background(), v)
			if (wrong == nil) != (err == nil) || (wrong == nil && got != want) {
				t.Errorf("row %d, %s: %s: got %s, %v, want %s, %v", i, what, strings.ReplaceAll(fmt.Sprintf("%.300v", sdkAsset(t, v)), dir, "$DIR"), got, err, want, wrong)
			}
		}
	}
}
