package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/golden"
)

var update = golden.Flag()

// at is the position of the row that calls it.
func at() string {
	_, _, line, _ := runtime.Caller(1)

	return fmt.Sprintf("line %d", line)
}

func TestParse(t *testing.T) {
	t.Parallel()

	rows := []struct{ at, text, want string }{
		{at(), "", `""`},
		{at(), "only a comment", `"only a comment\n"`},
		{at(), "c\n-- a --\nx\n", `"c\n" a="x\n"`},
		{at(), "-- a --\nx", `"" a="x\n"`},
		{at(), "-- a --\n-- b --\n\n", `"" a="" b="\n"`},
		{at(), "--  a b  --\nx\n", `"" a b="x\n"`},
		{at(), "-- a --", `"" a=""`},
		{at(), "--a--\n", `"--a--\n"`},
		{at(), "-- --\n", `"-- --\n"`},
		{at(), "--  --\n", `"--  --\n"`},
		{at(), " -- a --\n", `" -- a --\n"`},
		{at(), "-- a -- \n", `"-- a -- \n"`},
		{at(), "-- a --\r\n", `"-- a --\r\n"`},
		{at(), "-- a --\nx\n-- a --\n", `golden: line 3: section "a": occurs twice`},
	}
	for _, row := range rows {
		a, err := golden.Parse([]byte(row.text))

		var got strings.Builder
		if err != nil {
			got.WriteString(err.Error())
		} else {
			fmt.Fprintf(&got, "%q", a.Comment)
		}

		for _, s := range a.Sections {
			fmt.Fprintf(&got, " %s=%q", s.Name, s.Data)
		}

		if got.String() != row.want {
			t.Errorf("%s: Parse(%q)\n got %s\nwant %s", row.at, row.text, got.String(), row.want)
		}

		if err != nil {
			if !errors.Is(err, golden.ErrFormat) {
				t.Errorf("%s: %v is not ErrFormat", row.at, err)
			}

			continue
		}

		again, err := golden.Parse(a.Bytes())
		if err != nil || !bytes.Equal(again.Bytes(), a.Bytes()) || len(again.Sections) != len(a.Sections) {
			t.Errorf("%s: %q does not read back: %v", row.at, a.Bytes(), err)
		}
	}
}

func TestSet(t *testing.T) {
	t.Parallel()

	rows := []struct{ at, name, text, want string }{
		{at(), "a", "new", "c\n-- a --\nnew\n-- b --\n2\n"},
		{at(), "a", "", "c\n-- a --\n-- b --\n2\n"},
		{at(), "z", "3\n", "c\n-- a --\n1\n-- b --\n2\n-- z --\n3\n"},
		{at(), "z", "x\n-- y --\n", `golden: line 2: section "z": holds a line that reads as a section marker`},
		{at(), "", "x", `golden: section "": not a section name`},
		{at(), " z", "x", `golden: section " z": not a section name`},
		{at(), "y --\n-- z", "x", `golden: section "y --\n-- z": not a section name`},
	}
	for _, row := range rows {
		before := "c\n-- a --\n1\n-- b --\n2\n"

		a, err := golden.Parse([]byte(before))
		if err != nil {
			t.Fatal(err)
		}

		var got string
		if err := a.Set(row.name, row.text); err != nil {
			got = err.Error()

			if string(a.Bytes()) != before {
				t.Errorf("%s: a refused Set changed the archive to %q", row.at, a.Bytes())
			}
		} else {
			got = string(a.Bytes())
		}

		if got != row.want {
			t.Errorf("%s: Set(%q, %q)\n got %q\nwant %q", row.at, row.name, row.text, got, row.want)
		}
	}
}

// recorder is a testing.TB that notes failures instead of failing.
type recorder struct {
	testing.TB
	notes    []string
	cleanups []func()
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Errorf(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *recorder) finish() string {
	for _, f := range r.cleanups {
		f()
	}

	return strings.Join(r.notes, "; ")
}

func TestWant(t *testing.T) {
	t.Parallel()

	rows := []struct{ at, name, got, want string }{
		{at(), "a", "1\n2\n", ""},
		{at(), "a", "1\n2", ""},
		{at(), "a", "1\n3\n", `line 2:` + "\n\twant \"2\"\n\tgot  \"3\""},
		{at(), "a", "1\n", `line 2:` + "\n\twant \"2\"\n\tgot  end of text"},
		{at(), "a", "1\n2\n\n", `line 3:` + "\n\twant end of text\n\tgot  \"\""},
		{at(), "a", "", `line 1:` + "\n\twant \"1\"\n\tgot  end of text"},
		{at(), "b", "1", `no section "b"`},
		{at(), "a", strings.Repeat("x", 300), `(300 bytes)`},
	}
	for _, row := range rows {
		file := filepath.Join(t.TempDir(), "x.txtar")
		before := "comment\n-- a --\n1\n2\n"
		writeFile(t, file, before)

		r := &recorder{TB: t}
		golden.Open(r, file, false).Want(row.name, row.got)
		notes := r.finish()

		if (notes == "") != (row.want == "") || !strings.Contains(notes, row.want) {
			t.Errorf("%s: Want(%q, %q) said %q, want %q in it", row.at, row.name, row.got, notes, row.want)
		}

		if readFile(t, file) != before {
			t.Errorf("%s: without update the file was rewritten", row.at)
		}
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "new.txtar")
	r := &recorder{TB: t}
	g := golden.Open(r, file, true)
	g.Want("a", "1")
	g.Want("b", "2\n")
	g.Want("c", "-- no --\n")

	if notes := r.finish(); !strings.Contains(notes, `section "c"`) {
		t.Errorf("a text that cannot be stored was reported as %q", notes)
	}

	if got, want := readFile(t, file), "-- a --\n1\n-- b --\n2\n"; got != want {
		t.Errorf("updated file is %q, want %q", got, want)
	}

	r = &recorder{TB: t}

	g = golden.Open(r, file, false)
	if !g.Has("b") || g.Has("c") || g.Section("b") != "2\n" {
		t.Errorf("what was written does not read back")
	}
}

// TestEach uses the package as its callers do, -update included.
func TestEach(t *testing.T) {
	t.Parallel()

	golden.Each(t, "testdata/*.txtar", *update, func(_ *testing.T, g *golden.Golden) {
		g.Want("upper", strings.ToUpper(g.Section("input")))
	})
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()

	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()

	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	return string(data)
}
