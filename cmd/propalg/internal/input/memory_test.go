package input_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
)

// TestMemoryOfText: a text whose length is not known before, since it is compressed or comes
// from a pipe, is in memory once: the bytes allocated grow as the text does.
func TestMemoryOfText(t *testing.T) {
	const size = 9 << 20 // more than what is read to recognise a file

	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)

	for _, begin := range []string{`{"version":3,"deployment":{"resources":[]}`, `{"a":1`} {
		for _, from := range []string{"file", "-"} {
			for what, read := range map[string]func(name string, stdin io.Reader) error{"Load": load, "Open": open} {
				small := allocated(t, begin+strings.Repeat(" ", size)+"}", from, read)
				large := allocated(t, begin+strings.Repeat(" ", 4*size)+"}", from, read)

				if more := int64(large) - int64(small); more > 3*size*11/10 {
					t.Errorf("%s %s of %s: %d MB more for %d MB more", what, begin, from, more>>20, 3*size>>20)
				}
			}
		}
	}

	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func load(name string, stdin io.Reader) error {
	_, err := input.Load(name, stdin)

	return err
}

func open(name string, stdin io.Reader) error {
	s, err := input.Open(name, stdin)
	if err == nil {
		s.Close()
	}

	return err
}

// allocated returns the bytes that reading a text allocates, from a compressed file or from
// a pipe.
func allocated(t *testing.T, text, from string, read func(name string, stdin io.Reader) error) uint64 {
	t.Helper()

	if from == "file" {
		var packed bytes.Buffer

		to, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		if _, err := io.WriteString(to, text); err != nil || to.Close() != nil {
			t.Fatal(err)
		}

		from = filepath.Join(t.TempDir(), "f.gz")
		if err := os.WriteFile(from, packed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	var before, after runtime.MemStats

	runtime.ReadMemStats(&before)

	err := read(from, strings.NewReader(text))

	runtime.ReadMemStats(&after)

	if err != nil {
		t.Fatal(err)
	}

	return after.TotalAlloc - before.TotalAlloc
}
