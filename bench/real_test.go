package bench_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/value"
)

func TestEach(t *testing.T) {
	var seen []int
	side := bench.Each("x", []int{1, 2, 3}, func(in int) error {
		if seen = append(seen, in); in == 2 {
			return io.ErrUnexpectedEOF
		}
		return nil
	})
	if err := side.Do(); side.Name != "x" || !errors.Is(err, io.ErrUnexpectedEOF) || len(seen) != 2 {
		t.Errorf("%q: %v after %v", side.Name, err, seen)
	}
	if err := bench.Each("x", seen, func(int) error { return nil }).Do(); err != nil {
		t.Error(err)
	}
	if bench.Must(true) != nil || !errors.Is(bench.Must(false), bench.ErrWrong) {
		t.Error("Must")
	}
}

// Real data is found from any folder of the repository, and generated where there
// is none.
func TestRealTexts(t *testing.T) {
	root := t.TempDir()
	within := filepath.Join(root, "main", "interop", "peers")
	if err := os.MkdirAll(within, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(within)
	texts := bench.RealTexts(t, os.Open, "grpc")
	if len(texts) != 5000 || bench.Read(t, texts[0]).Kind() != value.KindObject {
		t.Errorf("%d generated bags", len(texts))
	}
	data := filepath.Join(root, "shared", "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	rows := "{\"form\":\"grpc\",\"bag\":{\"a\":1}}\n{\"form\":\"state\",\"bag\":{}}\n"
	if err := os.WriteFile(filepath.Join(data, "bags.jsonl"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{within, filepath.Join(root, "main", "interop")} {
		t.Chdir(from)
		all, some := bench.RealTexts(t, os.Open, ""), bench.RealTexts(t, os.Open, "grpc")
		if len(all) != 2 || len(some) != 1 || string(some[0]) != `{"a":1}` {
			t.Errorf("from %s: %d texts, %q", from, len(all), some)
		}
	}
}
