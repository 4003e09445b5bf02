package asset_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// web answers URIs, and notes what was not closed.
type web struct {
	pages  map[string][]byte
	open   int
	opened int
	sized  bool // answers with files
}

type page struct {
	io.Reader
	w *web
}

func (p page) Close() error {
	p.w.open--
	return nil
}

type sizedPage struct {
	fs.File
	w *web
}

func (p sizedPage) Close() error {
	p.w.open--
	return p.File.Close()
}

func (w *web) get(_ context.Context, uri string) (io.ReadCloser, error) {
	data, ok := w.pages[uri]
	if !ok {
		return nil, errors.New("404")
	}
	w.open++
	w.opened++
	if w.sized {
		f, err := fstest.MapFS{"f": {Data: data}}.Open("f")
		return sizedPage{f, w}, err
	}
	return page{bytes.NewReader(data), w}, nil
}

// TestURIs: assets and archives from an opener are what they are as files; all that
// was opened is closed, and temporary files are removed.
func TestURIs(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	big := strings.Repeat("big", 1<<20)
	entries := []packed{{name: "a", content: "1"}, {name: "b/c", content: big}}
	files := map[string][]byte{"x.tar": tarBytes(entries...), "x.tgz": gzipBytes(tarBytes(entries...)), "x.zip": append(bytes.Repeat([]byte("sfx"), 1<<19), zipBytes(entries...)...), "x.bin": []byte(big), "cut.zip": []byte("PK")}
	for _, sized := range []bool{false, true} {
		w := &web{pages: map[string][]byte{}, sized: sized}
		disk := fstest.MapFS{}
		for name, data := range files {
			w.pages["https://example.com/"+name+"?v=1"] = data
			disk[name] = &fstest.MapFile{Data: data}
		}
		c := asset.Contents{Files: asset.FS(disk), URIs: w.get}
		ctx := context.Background()
		for name := range files {
			uri := "https://example.com/" + name + "?v=1"
			v, there := value.URIArchive(uri), value.FileArchive(name)
			if name == "x.bin" {
				v, there = literal(value.Member{Key: "k", Value: value.URIAsset(uri)}), literal(value.Member{Key: "k", Value: value.FileAsset(name)})
			}
			got, err := c.Hash(ctx, v)
			want, err2 := c.Hash(ctx, there)
			if err != nil || err2 != nil || got != want {
				t.Errorf("%s: %s, %v, want %s, %v", name, got, err, want, err2)
			}
			l, err := c.List(ctx, v)
			l2, err2 := c.List(ctx, there)
			if !l.Identical(l2) || (err == nil) != (err2 == nil) || (err != nil) != (name == "cut.zip") {
				t.Errorf("%s: %v, %v, want %v, %v", name, l, err, l2, err2)
			}
		}
		if w.open != 0 || w.opened < len(files) {
			t.Errorf("%d of %d are still open", w.open, w.opened)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// TestOpenerAccidents: what an opener returns may be nothing, or less or more than
// it said, or fail on the way.
func TestOpenerAccidents(t *testing.T) {
	v := value.URIAsset("https://example.com/a")
	fail := errors.New("connection reset")
	for name, row := range map[string]struct {
		body io.ReadCloser
		want error
	}{
		"nothing":    {nil, asset.ErrURI},
		"fails":      {io.NopCloser(io.MultiReader(strings.NewReader("abc"), failing{fail})), fail},
		"with bytes": {io.NopCloser(&lastWords{err: fail}), fail},
		"negative":   {io.NopCloser(negative{}), asset.ErrRead},
		"shorter":    {sizedBody{strings.NewReader("abc"), 4}, asset.ErrChanged},
		"longer":     {sizedBody{strings.NewReader("abc"), 2}, asset.ErrChanged},
		"as long":    {sizedBody{strings.NewReader("abc"), 3}, nil},
	} {
		c := asset.Contents{URIs: func(context.Context, string) (io.ReadCloser, error) { return row.body, nil }}
		if _, err := c.Hash(context.Background(), v); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", name, err, row.want)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// lastWords fails together with its last bytes, once.
type lastWords struct{ err error }

func (l *lastWords) Read(p []byte) (int, error) {
	err := l.err
	if l.err = io.EOF; err == io.EOF { //nolint:errorlint // our own
		return 0, err
	}
	return copy(p, "abc"), err
}

type negative struct{}

func (negative) Read([]byte) (int, error) { return -1, nil }

// sizedBody is a file that says how long it is.
type sizedBody struct {
	io.Reader
	size int64
}

func (sizedBody) Close() error { return nil }

func (b sizedBody) Stat() (fs.FileInfo, error) {
	info, err := fs.Stat(fstest.MapFS{"f": {}}, "f")
	return sizedInfo{info, b.size}, err
}

type sizedInfo struct {
	fs.FileInfo
	size int64
}

func (i sizedInfo) Size() int64 { return i.size }
