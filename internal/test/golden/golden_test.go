package golden_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/internal/test/golden"
)

// recorder counts the errors of a test.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Helper()               {}
func (r *recorder) Cleanup(func())        {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }

// TestWant: what is not in the file is an error, and -update puts it there.
func TestWant(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txtar")
	if err := os.WriteFile(file, []byte("-- a --\none\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	for _, row := range []struct {
		name, got string
		errors    int
	}{
		{"a", "one", 0},
		{"a", "one\n", 0},
		{"a", "one\n\n", 1},
		{"a", "two", 1},
		{"a", "", 1},
		{"b", "one", 1},
		{"a", "one\n-- b --\n", 1},
	} {
		r := &recorder{TB: t}
		golden.Open(r, file, false).Want(row.name, row.got)
		if r.errors != row.errors {
			t.Errorf("%s %q: %d errors", row.name, row.got, r.errors)
		}
	}

	t.Run("update", func(t *testing.T) {
		g := golden.Open(t, file, true)
		g.Want("b", "two")
		g.Want("a", "three")
	})
	if text, err := os.ReadFile(file); err != nil || string(text) != "-- a --\nthree\n-- b --\ntwo\n" {
		t.Errorf("%q, %v", text, err)
	}
}
