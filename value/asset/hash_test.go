package asset_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// bags draws values with assets and archives in all places.
type bags struct{ r *rand.Rand }

func (b bags) blob(depth int) value.Value {
	switch b.r.IntN(9) {
	case 0:
		return value.TextAsset("text")
	case 1:
		return value.FileAsset([]string{"a", "d/b"}[b.r.IntN(2)])
	case 2:
		return value.FileAsset("a").WithHash("kept")
	case 3:
		return value.FileArchive("d")
	case 4:
		return value.FileArchive("missing").WithHash("not read")
	case 5:
		return value.TextAsset("").WithHash("e1").DropContent()
	}
	var members []value.Member
	for i := range b.r.IntN(3) {
		if depth > 0 {
			m := b.blob(depth - 1)
			if a, ok := m.AsAsset(); ok && a.Source() == value.SourceElided {
				continue // an archive with a hole has no hash
			}
			if a, ok := m.AsArchive(); ok && a.Source() == value.SourceFile {
				m = value.FileArchive("d")
			}
			members = append(members, value.Member{Key: string(rune('a' + i)), Value: m})
		}
	}
	return literal(members...)
}

func (b bags) bag(depth int) value.Value {
	var v value.Value
	n := b.r.IntN(4)
	switch k := b.r.IntN(6); {
	case k <= 2 || depth == 0:
		v = b.blob(2)
	case k == 3:
		v = value.Number(1)
	case k == 4:
		elems := make([]value.Value, n)
		for i := range elems {
			elems[i] = b.bag(depth - 1)
		}
		v = value.Array(elems...)
	default:
		var members []value.Member
		for i := range n {
			members = append(members, value.Member{Key: string(rune('a' + i)), Value: b.bag(depth - 1)})
		}
		v = value.Object(members...)
	}
	if b.r.IntN(5) == 0 {
		v = value.Secret(v)
	}
	if b.r.IntN(5) == 0 {
		v = v.WithDependencies("urn:a", "urn:b")
	}
	return v
}

// slowly fills in hashes one by one, each with an edit of the whole value.
func slowly(c asset.Contents, v value.Value) value.Value {
	filled := v
	for cur := range v.Walk() {
		at := cur.Value()
		if at.Kind() != value.KindAsset && at.Kind() != value.KindArchive {
			continue
		}
		fresh := slowBlob(c, at.DropSecret().DropDependencies())
		var deps []string
		for d := range at.Dependencies() {
			deps = append(deps, d)
		}
		fresh = fresh.WithDependencies(deps...)
		own, _ := ownAt(v, cur.Path())
		if own {
			fresh = value.Secret(fresh)
		}
		var err error
		filled, err = filled.With(cur.Path(), fresh)
		must(err)
	}
	return filled
}

// ownAt says whether the value at a path carries the secret mark itself.
func ownAt(v value.Value, p path.Path) (own, ok bool) {
	for s := range p.Steps() {
		v = v.DropSecret()
		v, ok = v.At(path.Of(s))
		_ = ok
	}
	return v.OwnSecret(), true
}

func slowBlob(c asset.Contents, v value.Value) value.Value {
	if a, ok := v.AsAsset(); ok {
		if _, has := a.Hash(); has {
			return v
		}
		return v.WithHash(hashOf(c, v))
	}
	a, _ := v.AsArchive()
	h, has := a.Hash()
	if !has {
		h = hashOf(c, v)
	}
	if a.Source() == value.SourceLiteral {
		var members []value.Member
		for name, m := range a.Entries() {
			members = append(members, value.Member{Key: name, Value: slowBlob(c, m)})
		}
		v = literal(members...)
	}
	if a.Source() == value.SourceElided {
		return v
	}
	return v.WithHash(h)
}

func hashOf(c asset.Contents, v value.Value) string {
	h, err := c.Hash(context.Background(), v)
	must(err)
	return h
}

func TestHashAll(t *testing.T) {
	files := fstest.MapFS{"a": {Data: []byte("a")}, "d/b": {Data: []byte("b")}, "d/c/d": {Data: []byte("d")}}
	c := asset.Contents{Files: asset.FS(files)}
	b := bags{rand.New(rand.NewPCG(1, 2))}
	changed := 0
	for i := range 1500 {
		v := b.bag(3)
		got, err := c.HashAll(context.Background(), v)
		if err != nil {
			t.Fatalf("%d: %v: %v", i, v, err)
		}
		want := slowly(c, v)
		if !got.Identical(want) {
			t.Fatalf("%d: %v: got %v, want %v", i, v, got, want)
		}
		if !got.Identical(v) {
			changed++
		} else if !value.Internal.SharesMemory(got, v) {
			t.Errorf("%d: %v was made again, for nothing", i, v)
		}
		again, err := c.HashAll(context.Background(), got)
		if err != nil || !value.Internal.SharesMemory(again, got) {
			t.Fatalf("%d: twice is not once: %v, %v", i, again, err)
		}
	}
	if changed < 500 {
		t.Errorf("only %d values had something to hash", changed)
	}
}

// gate is a file system that notes how many files are open at once.
type gate struct {
	fs.FS
	mu     sync.Mutex
	open   int
	most   int
	opened map[string]int
}

type gated struct {
	fs.File
	g *gate
}

func (g *gate) Open(name string) (fs.File, error) {
	f, err := g.FS.Open(name)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	g.open++
	g.most = max(g.most, g.open)
	g.opened[name]++
	g.mu.Unlock()
	time.Sleep(100 * time.Microsecond)
	return gated{f, g}, nil
}

func (g *gate) Stat(name string) (fs.FileInfo, error) { return fs.Stat(g.FS, name) }

func (g gated) Close() error {
	g.g.mu.Lock()
	g.g.open--
	g.g.mu.Unlock()
	return g.File.Close()
}

// TestHashAllBounded: no more files at once than allowed, each file once, and all of them
// closed.
func TestHashAllBounded(t *testing.T) {
	files := fstest.MapFS{}
	var elems []value.Value
	for i := range 60 {
		name := fmt.Sprintf("f%d", i%40)
		files[name] = &fstest.MapFile{Data: []byte(name)}
		elems = append(elems, value.FileAsset(name))
	}
	for _, parallel := range []int{1, 3} {
		g := &gate{FS: files, opened: map[string]int{}}
		c := asset.Contents{Files: asset.FS(g), Limits: asset.Limits{Parallel: parallel}}
		if _, err := c.HashAll(context.Background(), value.Array(elems...)); err != nil {
			t.Fatal(err)
		}
		if g.most > parallel || g.open != 0 || len(g.opened) != 40 || g.opened["f3"] != 1 {
			t.Errorf("%d at once: %d were, %d stayed open, %d were opened", parallel, g.most, g.open, len(g.opened))
		}
	}
}

// TestHashAllError: of several errors it is always the first one in the value.
func TestHashAllError(t *testing.T) {
	elems := make([]value.Value, 200)
	files := fstest.MapFS{}
	for i := range elems {
		name := fmt.Sprint("f", i)
		elems[i] = value.FileAsset(name)
		if i%7 != 5 {
			files[name] = &fstest.MapFile{Data: []byte(strings.Repeat(name, 1000*(i%3)))}
		}
	}
	c := asset.Contents{Files: asset.FS(files), Limits: asset.Limits{Parallel: 8}}
	for range 30 {
		v := value.Object(value.Member{Key: "k", Value: value.Array(elems...)})
		got, err := c.HashAll(context.Background(), v)
		if err == nil || err.Error() != "asset: hash all: k[5]: f5: not found: file does not exist" || !got.Identical(v) {
			t.Fatal(err)
		}
	}
}

// TestCancel: when the context ends so does the call, with all it started.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	started := make(chan struct{}, 100)
	stuck := func(context.Context, string) (io.ReadCloser, error) {
		r, w := io.Pipe()
		started <- struct{}{}
		return struct {
			io.Reader
			io.Closer
		}{r, closeBoth{r, w}}, nil
	}
	var elems []value.Value
	for i := range 10 {
		elems = append(elems, value.URIAsset(fmt.Sprint("https://example.com/", i)))
	}
	all := value.Array(elems...)
	c := asset.Contents{URIs: stuck}
	for name, call := range map[string]func(ctx context.Context) error{
		"hash all": func(ctx context.Context) error { _, err := c.HashAll(ctx, all); return err },
		"hash":     func(ctx context.Context) error { _, err := c.Hash(ctx, elems[0]); return err },
		"list": func(ctx context.Context) error {
			_, err := c.List(ctx, literal(value.Member{Key: "a", Value: elems[0]}))
			return err
		},
		"zip": func(ctx context.Context) error {
			_, err := c.List(ctx, value.URIArchive("https://example.com/a.zip"))
			return err
		},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		go func() {
			<-started
			cancel(errors.Join(context.Canceled, errors.New("enough")))
		}()
		if err := call(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, asset.ErrRead) || !strings.Contains(err.Error(), "enough") {
			t.Errorf("%s: %v", name, err)
		}
		for len(started) > 0 {
			<-started
		}
		cancel(nil)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	files := asset.Contents{Files: asset.FS(project())}
	for _, v := range []value.Value{value.FileAsset("README"), value.FileArchive("dist"), value.TextAsset("x"), literal()} {
		if _, err := files.Hash(done, v); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", v, err)
		}
	}
	for range 6_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, were %d", runtime.NumGoroutine(), before)
}

type closeBoth struct {
	r *io.PipeReader
	w *io.PipeWriter
}

func (c closeBoth) Close() error { return errors.Join(c.r.Close(), c.w.Close()) }
