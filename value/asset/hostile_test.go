package asset_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// line is the line of a row.
func line() int {
	_, _, n, _ := runtime.Caller(2)
	return n
}

type hostileRow struct {
	line int
	name string // of the file, whose end is its format
	data []byte
	want error
	text string // part of the error's text
}

func hostile(name string, data []byte, want error, text string) hostileRow {
	return hostileRow{line(), name, data, want, text}
}

// both makes a row of a TAR, one of a TGZ, and one of a ZIP.
func both(e packed, want error, text string) []hostileRow {
	n := line()
	fine := packed{name: "fine", content: "1"}
	return []hostileRow{
		{n, "x.tar", tarBytes(fine, e), want, text},
		{n, "x.tgz", gzipBytes(tarBytes(fine, e)), want, text},
		{n, "x.zip", zipBytes(fine, e), want, text},
	}
}

// hostileRows may leave out what unpacks to more than 64 MiB before it is stopped.
func hostileRows(bombs bool) []hostileRow {
	whole := tarBytes(packed{name: "a", content: strings.Repeat("a", 600)})
	zipped := zipBytes(packed{name: "a", content: strings.Repeat("ab", 600)})
	wrongSum := gzipBytes(whole)
	wrongSum[len(wrongSum)-5] ^= 1
	rows := slices.Concat(
		both(packed{name: "../x"}, asset.ErrName, `entry "../x"`), both(packed{name: "a/../../x"}, asset.ErrName, "climb"), both(packed{name: ".."}, asset.ErrName, "climb"),
		both(packed{name: "/etc/passwd"}, asset.ErrName, "relative"), both(packed{name: "//x"}, asset.ErrName, "relative"), both(packed{name: `\x`}, asset.ErrName, "relative"),
		both(packed{name: `C:\x`}, asset.ErrName, "relative"), both(packed{name: "c:x"}, asset.ErrName, "relative"), both(packed{name: `a\..\..\x`}, asset.ErrName, "climb"), both(packed{name: `..\x`}, asset.ErrName, "climb"),
		both(packed{name: "./C:/x"}, asset.ErrName, "relative"), both(packed{name: "a/../c:x"}, asset.ErrName, "relative"), both(packed{name: `./\\x`}, asset.ErrName, "relative"), both(packed{name: `.//\x`}, asset.ErrName, "relative"),
		both(packed{name: `.\C:\x`}, asset.ErrName, "relative"), both(packed{name: `a\..\..\..`}, asset.ErrName, "climb"), both(packed{name: `a/..\../x`}, asset.ErrName, "climb"), both(packed{name: "./C:/", flag: tar.TypeDir}, asset.ErrName, "relative"),
		both(packed{name: strings.Repeat("n", 4097)}, asset.ErrName, "4096 bytes"), both(packed{name: "../", flag: tar.TypeDir}, asset.ErrName, "climb"), both(packed{name: "."}, asset.ErrName, "expected a name"), both(packed{name: "a/.."}, asset.ErrName, "expected a name"),
		both(packed{name: "\xff\xfe"}, asset.ErrName, "UTF-8"), both(packed{name: "caf\xe9"}, asset.ErrName, "UTF-8"), both(packed{name: "a\xed\xa0\x80"}, asset.ErrName, "UTF-8"),
		both(packed{name: "fine"}, asset.ErrDuplicate, `entry "fine"`), both(packed{name: "./fine"}, asset.ErrDuplicate, `"./fine"`), both(packed{name: "x/..//fine"}, asset.ErrDuplicate, "duplicate entry name"),
		both(packed{name: "l", link: "/etc/passwd", flag: tar.TypeSymlink}, asset.ErrEntry, "a link"), both(packed{name: "l", link: "fine", flag: tar.TypeSymlink}, asset.ErrEntry, "a link"),
		both(packed{name: "d", flag: tar.TypeChar}, asset.ErrEntry, "a device"), both(packed{name: "d", flag: tar.TypeBlock}, asset.ErrEntry, "a device"), both(packed{name: "p", flag: tar.TypeFifo}, asset.ErrEntry, "pipe"),
	)
	if bombs {
		rows = append(rows, bombRows()...)
	}
	return append(rows,
		hostile("x.tar", tarBytes(packed{name: "l", link: "../../etc/passwd", flag: tar.TypeLink}), asset.ErrEntry, "a link"),
		hostile("x.zip", zipBytes(packed{name: "a\x00b"}), asset.ErrName, "without NUL"),
		hostile("x.zip", encrypted(zipped), asset.ErrEntry, "encrypted"),
		hostile("x.zip", patched(zipped, zipCentral+10, 99), asset.ErrEntry, "compression"),
		hostile("x.tar", nil, asset.ErrCorrupt, "ends in blocks of zeros"),
		hostile("x.tgz", nil, asset.ErrCorrupt, "EOF"),
		hostile("x.zip", nil, asset.ErrCorrupt, "not a valid zip"),
		hostile("x.tar", []byte("no archive"), asset.ErrCorrupt, "EOF"),
		hostile("x.tgz", []byte("no archive"), asset.ErrCorrupt, "gzip: invalid header"),
		hostile("x.zip", []byte("no archive"), asset.ErrCorrupt, "not a valid zip"),
		hostile("x.tar", whole[:1536], asset.ErrCorrupt, "zeros"),
		hostile("x.tar", whole[:700], asset.ErrCorrupt, "unexpected EOF"),
		hostile("x.tgz", gzipBytes(whole)[:40], asset.ErrCorrupt, "unexpected EOF"),
		hostile("x.tgz", gzipBytes(whole[:1536]), asset.ErrCorrupt, "zeros"),
		hostile("x.tgz", wrongSum, asset.ErrCorrupt, "checksum"),
		hostile("x.tgz", gzipBytes(whole)[:len(gzipBytes(whole))-4], asset.ErrCorrupt, "unexpected EOF"),
		hostile("x.zip", zipped[:len(zipped)-30], asset.ErrCorrupt, "zip"),
		hostile("x.zip", patched(zipped, zipCentral+16, 1), asset.ErrCorrupt, "checksum"),
		hostile("x.zip", patched(zipped, zipCentral+24, 7), asset.ErrCorrupt, `entry "a"`),
		hostile("x.zip", patched(zipped, zipCentral+24, 0, 0, 0, 0x40), asset.ErrCorrupt, `entry "a"`), // 1 GiB
		hostile("x.zip", patched(zipped, -22+10, 9), asset.ErrCorrupt, "zip"),
		hostile("x.zip", liar(zipped, 1<<40), asset.ErrLimit, "entries in one archive file"),
		hostile("x.zip", liar(zipped, 2), asset.ErrCorrupt, "zip"),
	)
}

// bombRows become much larger than they are: 10 GB from 10 KB.
func bombRows() []hostileRow {
	return []hostileRow{
		hostile("x.tar", sparseBomb(10<<30), asset.ErrLimit, "times the size"),
		hostile("x.tgz", gzipBytes(sparseBomb(10<<30)), asset.ErrLimit, "times the size"),
		hostile("x.tar", sparseBomb(1<<50), asset.ErrLimit, "bytes of contents"),
		hostile("x.tgz", gzipBytes(make([]byte, 80<<20)), asset.ErrLimit, "times the size"), // a TAR without entries, and zeros after it
		hostile("x.zip", overlapping(500, 4<<20), asset.ErrLimit, "times the size"),
		hostile("x.zip", zipBytes(packed{name: "zeros", content: strings.Repeat("\x00", 80<<20)}), asset.ErrLimit, "times the size"),
		hostile("x.tgz", gzipBytes(tarBytes(packed{name: "zeros", content: strings.Repeat("\x00", 80<<20)})), asset.ErrLimit, "times the size"),
	}
}

// zipCentral stands for the first entry of the central directory in patched.
const zipCentral = 1 << 30

// patched changes bytes: at an offset from the end, or from the central directory.
func patched(data []byte, at int, with ...byte) []byte {
	data = bytes.Clone(data)
	switch {
	case at < 0:
		at += len(data)
	case at >= zipCentral:
		at += bytes.Index(data, []byte("PK\x01\x02")) - zipCentral
	}
	copy(data[at:], with)
	return data
}

func encrypted(data []byte) []byte { return patched(data, zipCentral+8, 9) }

// liar says in a ZIP64 record that there are so many entries.
func liar(data []byte, count uint64) []byte {
	end := bytes.Index(data, []byte("PK\x05\x06"))
	central := bytes.Index(data, []byte("PK\x01\x02"))
	le := binary.LittleEndian
	r := append([]byte("PK\x06\x06"), make([]byte, 52)...)
	le.PutUint64(r[4:], 44)
	le.PutUint64(r[24:], count)
	le.PutUint64(r[32:], count)
	le.PutUint64(r[40:], uint64(end-central))
	le.PutUint64(r[48:], uint64(central))
	l := append([]byte("PK\x06\x07"), make([]byte, 16)...)
	le.PutUint64(l[8:], uint64(end))
	le.PutUint32(l[16:], 1)
	tail := bytes.Clone(data[end:])
	le.PutUint16(tail[8:], 0xffff)
	le.PutUint16(tail[10:], 0xffff)
	return slices.Concat(data[:end], r, l, tail)
}

// sparseBomb is a TAR with one file of so many bytes, all of them a hole.
func sparseBomb(size int64) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(w.WriteHeader(&tar.Header{Name: "GNUSparseFile.0/bomb", Size: 512, Mode: 0o644, Typeflag: tar.TypeReg, PAXRecords: map[string]string{"X.y": "z"}}))
	_, err := fmt.Fprintf(w, "1\n%d\n0\n", size)
	must(err)
	_, err = w.Write(make([]byte, 512-len(fmt.Sprintf("1\n%d\n0\n", size))))
	must(err)
	must(w.Close())
	// Go writes no GNU records, so the one that it writes is made into them.
	records := paxRecord("GNU.sparse.major", "1") + paxRecord("GNU.sparse.minor", "0") +
		paxRecord("GNU.sparse.name", "bomb") + paxRecord("GNU.sparse.realsize", fmt.Sprint(size))
	data := b.Bytes()
	copy(data[512:1024], make([]byte, 512))
	copy(data[512:], records)
	copy(data[124:136], fmt.Sprintf("%011o\x00", len(records)))
	return withTARSum(data, 0)
}

func paxRecord(key, val string) string {
	n := len(key) + len(val) + 3
	for len(fmt.Sprint(n))+len(key)+len(val)+3 != n {
		n = len(fmt.Sprint(n)) + len(key) + len(val) + 3
	}
	return fmt.Sprintf("%d %s=%s\n", n, key, val)
}

// withTARSum puts the checksum of the header at an offset right.
func withTARSum(data []byte, at int) []byte {
	header := data[at : at+512]
	copy(header[148:156], "        ")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return data
}

// overlapping is a ZIP whose entries are all the same bytes of the file.
func overlapping(n, size int) []byte {
	zeros := make([]byte, size)
	var body bytes.Buffer
	fw, _ := flate.NewWriter(&body, flate.BestCompression)
	_, _ = fw.Write(zeros)
	_ = fw.Close()
	return sharing(n, body.Bytes(), zeros)
}

// sharing is a ZIP of n entries that have one body, which is deflated to a content.
func sharing(n int, body, content []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	to, err := w.CreateRaw(&zip.FileHeader{
		Name: "0000", Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(content),
		CompressedSize64: uint64(len(body)), UncompressedSize64: uint64(len(content)),
	})
	must(err)
	_, err = to.Write(body)
	must(err)
	must(w.Close())
	data := b.Bytes()
	central, end := bytes.Index(data, []byte("PK\x01\x02")), bytes.Index(data, []byte("PK\x05\x06"))
	out := bytes.Clone(data[:central])
	for i := range n {
		entry := bytes.Clone(data[central:end])
		copy(entry[46:], fmt.Sprintf("%04d", i))
		out = append(out, entry...)
	}
	tail := bytes.Clone(data[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(n))
	binary.LittleEndian.PutUint16(tail[10:], uint16(n))
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*(end-central)))
	return append(out, tail...)
}

// TestHostileArchives: a clear error each, in bounded memory.
func TestHostileArchives(t *testing.T) {
	for _, r := range hostileRows(!race.Enabled) {
		for how, c := range map[string]asset.Contents{
			"at random": {Files: asset.FS(fstest.MapFS{r.name: {Data: r.data}})},
			"as a stream": {URIs: func(context.Context, string) (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(r.data)), nil
			}},
		} {
			v := value.FileArchive(r.name)
			if how == "as a stream" {
				v = value.URIArchive("https://example.com/" + r.name)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := c.List(context.Background(), v)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, r.want) || !strings.Contains(err.Error(), r.text) || !strings.Contains(err.Error(), r.name) {
				t.Errorf("line %d, %s %s: %v, want %v and %q", r.line, r.name, how, err, r.want, r.text)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
				t.Errorf("line %d, %s: allocated %d MiB", r.line, r.name, used>>20)
			}
		}
	}
}

// TestManyEntries: 66,000 entries are too many, unless they are asked for; then they
// cost memory in proportion.
func TestManyEntries(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates, and is slow")
	}
	const n = 66_000
	entries := make([]packed, n)
	for i := range entries {
		entries[i].name = fmt.Sprintf("d%03d/e%06d", i%1000, i)
	}
	tarball := tarBytes(entries...)
	for name, data := range map[string][]byte{"x.tar": tarball, "x.tgz": gzipBytes(tarball), "x.zip": zipBytes(entries...)} {
		c := asset.Contents{Files: asset.FS(fstest.MapFS{name: {Data: data}})}
		v := value.FileArchive(name)
		used := allocated(func() {
			if _, err := c.List(context.Background(), v); !errors.Is(err, asset.ErrLimit) || !strings.Contains(err.Error(), "at most 65535 (entries in one archive file)") {
				t.Errorf("%s: %v", name, err)
			}
		})
		if used > 132<<20 {
			t.Errorf("%s: allocated %d MiB for an error", name, used>>20)
		}
		c.Limits.Packed = n
		seen := 0
		used = allocated(func() {
			for _, err := range c.Entries(context.Background(), v) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				seen++
			}
		})
		if seen != n || used > 264<<20 {
			t.Errorf("%s: %d entries, allocated %d MiB", name, seen, used>>20)
		}
		t.Logf("%s: %d KiB, %d entries, %d MiB allocated in all", name, len(data)>>10, seen, used>>20)
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestCutArchives: an archive file that ends early is never taken for a shorter one.
func TestCutArchives(t *testing.T) {
	entries := []packed{{name: "a", content: strings.Repeat("a", 700)}, {name: "b"}, {name: "c", content: strings.Repeat("\x00", 1024)}, {name: "d", content: "d"}}
	for name, data := range map[string][]byte{"x.tar": tarBytes(entries...), "x.tgz": gzipBytes(tarBytes(entries...)), "x.zip": zipBytes(entries...)} {
		list := func(data []byte) (value.Value, error) {
			c := asset.Contents{Files: asset.FS(fstest.MapFS{name: {Data: data}})}
			return c.List(context.Background(), value.FileArchive(name))
		}
		want, err := list(data)
		if err != nil || want.Len() != len(entries) {
			t.Fatal(err)
		}
		failed, step := 0, 1
		if race.Enabled {
			step = 13
		}
		for n := 0; n < len(data); n += step {
			switch got, err := list(data[:n]); {
			case errors.Is(err, asset.ErrCorrupt):
				failed++
			case err != nil || !got.Identical(want):
				t.Errorf("%s, cut to %d bytes: %v, %v", name, n, got, err)
			}
		}
		// A TAR may end after one of the two blocks of zeros.
		if kept := (len(data)+step-1)/step - failed; kept > 512 || (name != "x.tar" && kept > 0) {
			t.Errorf("%s: %d cuts were not seen", name, kept)
		}
		if name != "x.tgz" {
			continue
		}
		for i := range data {
			got, err := list(patched(data, i, data[i]^0x10))
			if err == nil && got.String() != want.String() {
				t.Errorf("%s, byte %d changed: %v", name, i, got)
			}
		}
	}
}
