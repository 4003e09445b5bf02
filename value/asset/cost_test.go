package asset_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// long: the sizes that are promised, 2 GiB each, and not only those of every day:
// go test ./value/asset -run Cost -long -v
var long = flag.Bool("long", false, "hash files and directories of 2 GiB")

// peak runs something and returns the largest heap seen on the way.
func peak(f func()) uint64 {
	runtime.GC()
	var stop atomic.Bool
	done := make(chan uint64)
	go func() {
		var most uint64
		var m runtime.MemStats
		for !stop.Load() {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			time.Sleep(2 * time.Millisecond)
		}
		done <- most
	}()
	f()
	stop.Store(true)
	return <-done
}

// TestCost: files and directories of any size are hashed, listed and written in
// little memory.
func TestCost(t *testing.T) {
	const most = 64 << 20
	size, files := int64(48<<20), 300
	if *long {
		size, files = 2<<30, 20_000
	}
	if race.Enabled {
		size, files = size/4, 60
	}
	dir := t.TempDir()
	big := filepath.Join(dir, "big")
	writeFile(t, big, nil)
	must(os.Truncate(big, size)) // a hole
	for i := range files {
		name := filepath.Join(dir, "tree", fmt.Sprintf("d%03d", i%100), fmt.Sprintf("f%05d", i))
		writeFile(t, name, nil)
		must(os.Truncate(name, size/int64(files)))
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	c := asset.Contents{Files: asset.Dir(dir)}
	file, tree := value.FileAsset("big"), value.FileArchive("tree")
	for _, r := range []struct {
		name string
		do   func() error
	}{
		{"file", func() error { _, err := c.Hash(context.Background(), file); return err }},
		{"directory", func() error { _, err := c.Hash(context.Background(), tree); return err }},
		{"list", func() error { _, err := c.List(context.Background(), tree); return err }},
		{"all at once", func() error {
			_, err := c.HashAll(context.Background(), value.Array(file, tree, literal(value.Member{Key: "a", Value: tree})))
			return err
		}},
		{"write", func() error {
			if *long {
				return nil // compressing takes too long
			}
			return c.Write(context.Background(), io.Discard, tree, asset.ZIP)
		}},
	} {
		start := time.Now()
		var err error
		used := peak(func() { err = r.do() })
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
		if used > most {
			t.Errorf("%s: a heap of %d MiB", r.name, used>>20)
		}
		t.Logf("%s of %d MiB: heap at most %.1f MiB, %.1f s", r.name, size>>20, float64(used)/(1<<20), time.Since(start).Seconds())
	}
}

// TestAllocs: what hashing a file allocates does not depend on its size.
func TestAllocsHash(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	dir := t.TempDir()
	c := asset.Contents{Files: asset.Dir(dir)}
	old := time.Now().Add(-time.Hour)
	measure := func(name string, size int64) float64 {
		file := filepath.Join(dir, name)
		writeFile(t, file, nil)
		must(os.Truncate(file, size))
		must(os.Chtimes(file, old, old))
		return testing.AllocsPerRun(5, func() {
			if _, err := c.Hash(context.Background(), value.FileAsset(name)); err != nil {
				t.Fatal(err)
			}
		})
	}
	small, large := measure("small", 1), measure("large", 8<<20)
	if large > small+1 || small > 80 {
		t.Errorf("%v allocations for a byte, %v for 8 MiB", small, large)
	}
}
