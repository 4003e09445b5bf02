package asset_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// TestOrder: which entries there are, in which order; and the hash is that of a TAR of
// just them.
func TestOrder(t *testing.T) {
	tarball := tarBytes(packed{name: "z", content: "1"}, packed{name: "./a//b", content: "2"}, packed{name: "d/", flag: tar.TypeDir}, packed{name: "pax", flag: tar.TypeXGlobalHeader})
	files := fstest.MapFS{
		"d/a/x": {Data: []byte("1")}, "d/a.b": {Data: []byte("2")}, "d/a-b": {Data: []byte("3")}, "d/.h": {}, "d/Z": {}, "d/e/.pulumi": {}, "d/.pulumi/x": {},
		"d/empty": {Mode: 0o755 | 1<<31}, ".pulumi/x": {}, "x.tar": {Data: tarball}, "x.tgz": {Data: gzipBytes(tarball)},
		"x.zip": {Data: zipBytes(packed{name: "z", content: "1"}, packed{name: "d/"}, packed{name: "./a", content: "2"})},
	}
	c := asset.Contents{Files: asset.FS(files)}
	dir := value.FileArchive
	member := func(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }
	one := value.TextAsset("1")
	for i, row := range []struct {
		v    value.Value
		want [][2]string
	}{
		{dir("d"), [][2]string{{".h", ""}, {"Z", ""}, {"a/x", "1"}, {"a-b", "3"}, {"a.b", "2"}}},
		{dir("./d/a/"), [][2]string{{"x", "1"}}},
		{dir(".pulumi"), nil},
		{literal(member("p", dir("x.tar"))), [][2]string{{"p/z", "1"}, {"p/a/b", "2"}}},
		{literal(member("p", dir("x.tgz"))), [][2]string{{"p/z", "1"}, {"p/a/b", "2"}}},
		{literal(member("p", dir("x.zip"))), [][2]string{{"p/z", "1"}, {"p/a", "2"}}},
		{literal(member("b", one), member("./a", one), member("a", one)), [][2]string{{"./a", "1"}, {"a", "1"}, {"b", "1"}}},
		{literal(member("a", literal(member("./x", one), member("x", value.TextAsset("seen")))), member("a/x", value.TextAsset("seen"))), [][2]string{{"a/x", "1"}}},
		{literal(member("", dir("d/a")), member(".", dir("d/a")), member("k/..", dir("d/a"))), [][2]string{{"x", "1"}}},
		{literal(member("e/", value.TextAsset(""))), [][2]string{{"e/", ""}}},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		text := ""
		for _, e := range row.want {
			must(w.WriteHeader(&tar.Header{Name: e[0], Mode: 0o600, Size: int64(len(e[1]))}))
			_, err := w.Write([]byte(e[1]))
			must(err)
			text += " " + e[0] + "=" + e[1]
		}
		must(w.Close())
		if got := names(c, row.v); got != text[min(1, len(text)):] {
			t.Errorf("row %d: got %s, want%s", i, got, text)
		}
		sum := sha256.Sum256(b.Bytes())
		if got, err := c.Hash(context.Background(), row.v); err != nil || got != hex.EncodeToString(sum[:]) {
			t.Errorf("row %d: %s, %v", i, got, err)
		}
	}
}
