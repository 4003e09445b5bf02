package asset_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

const canary = "c4n4ry"

// everyVerb is what fmt makes of a thing, as it is, and in a field.
func everyVerb(x any) string {
	var b strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p"} {
		fmt.Fprintf(&b, verb+"\n", x)
		fmt.Fprintf(&b, verb+"\n", struct{ hidden any }{x})
		fmt.Fprintf(&b, verb+"\n", &struct{ hidden any }{x})
	}
	return b.String()
}

// TestSecrets: nothing of a secret is in any error or text: no content, no name of a
// file or entry, no URI, no hash.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, canary, canary), []byte(canary))
	writeFile(t, filepath.Join(dir, canary+".zip"), zipBytes(packed{name: canary, content: canary}, packed{name: canary}))
	writeFile(t, filepath.Join(dir, canary+".tgz"), []byte(canary))
	failing := func(context.Context, string) (io.ReadCloser, error) { return nil, errors.New(canary) }
	text := value.Member{Key: canary, Value: value.TextAsset(canary)}
	hash, err := asset.Contents{}.Hash(context.Background(), value.TextAsset(canary))
	if err != nil {
		t.Fatal(err)
	}
	blobs := []value.Value{
		value.TextAsset(canary), literal(text), literal(value.Member{Key: canary, Value: literal(text)}), literal(value.Member{Key: "../" + canary, Value: text.Value}),
		literal(value.Member{Key: canary, Value: value.TextAsset("").WithHash(canary).DropContent()}), literal(value.Member{Key: canary + "/", Value: text.Value}),
		value.FileAsset(canary), value.FileAsset("no" + canary), value.FileAsset("../" + canary), value.FileAsset(canary + "\x00"),
		value.FileArchive(canary), value.FileArchive(canary + ".zip"), value.FileArchive(canary + ".tgz"), value.FileArchive(canary + "2"),
		value.URIAsset("https://" + canary), value.URIArchive("https://" + canary + "/a.zip"), value.URIArchive(canary), value.URIAsset("%zz" + canary),
		value.URIAsset("file:///" + canary + "?" + canary),
	}
	errs := 0
	check := func(what string, xs ...any) {
		for _, x := range xs {
			if err, ok := x.(error); ok && err != nil {
				errs++
				for _, cause := range []error{errors.Unwrap(err)} {
					xs = append(xs, cause)
				}
			}
			if s := everyVerb(x); strings.Contains(s, canary) || strings.Contains(s, fmt.Sprintf("%x", canary)) || strings.Contains(s, hash[:7]) {
				t.Errorf("%s: %.300s", what, s)
			}
		}
	}
	ctx := context.Background()
	for i, blob := range blobs {
		v := value.Secret(blob)
		for _, limits := range []asset.Limits{{}, {Bytes: 1}, {Entries: 1}, {Depth: 1}} {
			c := asset.Contents{Files: asset.Dir(dir), URIs: failing, Limits: limits}
			what := fmt.Sprint("blob ", i)
			_, err := c.Hash(ctx, v)
			b, err2 := c.Open(ctx, v)
			l, err3 := c.List(ctx, v)
			_, err4 := c.HashAll(ctx, value.Object(value.Member{Key: "o", Value: v}))
			_, err5 := c.HashAll(ctx, value.Secret(value.Object(value.Member{Key: canary, Value: blob})))
			_, err6 := c.OpenEntry(ctx, v, "none"+canary)
			err7 := c.Write(ctx, brokenWriter{}, v, asset.ZIP)
			check(what, err, err2, err3, err4, err5, err6, err7, b, l)
			for e, err := range c.Entries(ctx, v) {
				check(what, e, &e, err)
				content, _ := io.ReadAll(e)
				if err == nil && len(content) > 0 && string(content) != canary {
					t.Errorf("%s: the content is %q", what, content)
				}
			}
			if b != nil {
				must(b.Close())
			}
		}
	}
	if errs < 100 {
		t.Errorf("only %d errors were looked at", errs)
	}
}

// brokenWriter writes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestTextsOfOpen: also what is not secret shows no content of files, and of a URI
// neither password nor query.
func TestErrorsShowNoContent(t *testing.T) {
	c := asset.Contents{
		Files: asset.FS(fstest.MapFS{"a.zip": {Data: []byte(canary)}, "b.tar": {Data: []byte(strings.Repeat(canary, 200))}}),
		URIs:  func(context.Context, string) (io.ReadCloser, error) { return nil, errors.New("404") },
	}
	for _, v := range []value.Value{
		value.FileArchive("a.zip"), value.FileArchive("b.tar"), literal(value.Member{Key: "/", Value: value.TextAsset(canary)}),
		value.URIAsset("https://user:" + canary + "@example.com/a?token=" + canary + "#" + canary),
	} {
		_, err := c.List(context.Background(), literal(value.Member{Key: "k", Value: v}))
		if err == nil || strings.Contains(everyVerb(err), canary) {
			t.Errorf("%v: %v", v, err)
		}
	}
	_, err := c.Hash(context.Background(), value.URIAsset("https://u:p@example.com/a%20b?token=1"))
	if want := "asset: hash: https://example.com/a%20b: cannot open URI: 404"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
