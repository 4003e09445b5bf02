package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "run campaigns on a small module")

// toy is a module with a target that finds something in the blink of an eye, one
// that does not, one whose seed fails, and in a nested module one that does not
// compile.
var toy = map[string]string{
	"go.mod": "module example.com/toy\n\ngo 1.25\n",
	"a/a.go": `package a

// Bad says whether b is bad.
func Bad(b []byte) bool {
	if len(b) < 2 || b[0] != 'x' {
		return false
	}

	return b[1] == 'y'
}
`,
	"a/a_test.go": `package a_test

import (
	"os"
	"testing"

	"example.com/toy/a"
)

func FuzzBug(f *testing.F) {
	f.Add([]byte("xz seed"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if a.Bad(b) {
			t.Fatalf("planted: %q", b)
		}
	})
}

func FuzzFine(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 0 && s[0] < 0xf0 {
			return
		}

		counts, err := os.OpenFile(os.Getenv("PROPALG_FUZZ_SKIPPED"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}

		counts.WriteString(".")
		counts.Close()
		t.Skip("as fuzz.Native does")
	})
}
`,
	"b/b_test.go": `package b

import "testing"

func FuzzSeed(f *testing.F) {
	f.Add(7)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 7 {
			t.Fatal("the seed is bad")
		}
	})
}
`,
	"nested/go.mod":      "module example.com/toy/nested\n\ngo 1.25\n",
	"nested/c_test.go":   "package c\n\nimport \"testing\"\n\nfunc FuzzBroken(f *testing.F) { f.Add(nothing) }\n",
	"testdata/no/go.mod": "not a module",
	"none/none.go":       "// Package none has no targets.\npackage none\n",
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()

	err := os.MkdirAll(filepath.Dir(name), folderMode)
	if err == nil {
		err = os.WriteFile(name, []byte(text), fileMode)
	}

	if err != nil {
		t.Fatal(err)
	}
}

func writeToy(t *testing.T) (root string) {
	t.Helper()

	root = t.TempDir()
	for name, text := range toy {
		writeFile(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}

	return root
}

// runToy runs a campaign on the toy.
func runToy(t *testing.T, ctx context.Context, root, dir string, args ...string) (code int, out string) { //nolint:revive // t first, as everywhere
	t.Helper()

	var text, messages bytes.Buffer

	code = run(ctx, append([]string{"-root", root, "-dir", dir, "-workers", "1", "-minimize", "2s"}, args...), &text, &messages)

	return code, text.String() + messages.String()
}

// runUntil runs campaigns of some seconds until one has gone as wanted: how far one
// comes in its time is a matter of who else is on the machine.
func runUntil(t *testing.T, root, dir string, done func(code int, out string) bool, args ...string) (code int, out string) {
	t.Helper()

	for range 30 {
		if code, out = runToy(t, t.Context(), root, dir, append([]string{"-time", "2s"}, args...)...); done(code, out) {
			break
		}
	}

	return code, out
}

// rowOf reads the numbers of a target's row in the summary: seconds, executions,
// rate, skipped, new, corpus.
func rowOf(t *testing.T, dir, id string) []int64 {
	t.Helper()

	text, err := os.ReadFile(filepath.Join(dir, "summary.txt"))
	if err != nil {
		t.Fatal(err)
	}

	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 6 && fields[0] == id {
			var row []int64
			for _, field := range fields[1:7] {
				row = append(row, number(field))
			}

			return row
		}
	}

	t.Fatalf("%s is not in %s", id, text)

	return nil
}

// TestCampaign runs one that finds something, and after the bug is mended one
// that does not.
func TestCampaign(t *testing.T) {
	if !*long {
		t.Skip("builds and fuzzes a small module for some seconds: run it by -long")
	}

	root, dir := writeToy(t), t.TempDir()

	found := func(code int, _ string) bool { return code == exitFound }

	code, out := runUntil(t, root, dir, found, "-run", "^a[.]FuzzBug")
	if code != exitFound || !strings.Contains(out, "FOUND") || !strings.Contains(out, "a_test.go:14: planted: \"xy") {
		t.Fatalf("exit code %d:\n%s", code, out)
	}

	if input := "go test fuzz v1\n[]byte(\"xy\")\n"; !strings.Contains(out, input) {
		t.Errorf("not printed, or not minimised:\n%s", out)
	}

	inputs, err := os.ReadDir(filepath.Join(root, "a", "testdata", "fuzz", "FuzzBug"))
	if err != nil || len(inputs) != 1 {
		t.Fatalf("the finding is no test: %v, %v", inputs, err)
	}

	// It fails as a test from now on, until the bug is mended.
	if code, out = runToy(t, t.Context(), root, dir, "-time", "2s", "-run", "^a[.]FuzzBug"); code != exitFound || !strings.Contains(out, inputs[0].Name()) {
		t.Errorf("exit code %d:\n%s", code, out)
	}

	writeFile(t, filepath.Join(root, "a", "a.go"), strings.Replace(toy["a/a.go"], "b[1] == 'y'", "len(b) > 1<<40", 1))

	code, out = runUntil(t, root, dir, func(int, string) bool { return rowOf(t, dir, "a.FuzzBug")[1] > 0 }, "-run", "Fuzz(Bug|Broken)")
	if code != exitFound || strings.Contains(out, "FOUND") {
		t.Errorf("exit code %d:\n%s", code, out)
	}

	if !strings.Contains(out, "FAILED package example.com/toy/nested") || !strings.Contains(out, "undefined: nothing") {
		t.Errorf("the nested module builds:\n%s", out)
	}
}

// TestFine: a target that finds nothing, with what it skips and leaves for the next.
func TestFine(t *testing.T) {
	if !*long {
		t.Skip("builds and fuzzes a small module for some seconds: run it by -long")
	}

	root, dir := writeToy(t), t.TempDir()
	executed := func(int, string) bool { return rowOf(t, dir, "a.FuzzFine")[1] > 0 }

	code, out := runUntil(t, root, dir, executed, "-run", "^a[.]FuzzFine", "-every")

	row := rowOf(t, dir, "a.FuzzFine")
	if code != exitClean || row[1] == 0 || row[2] == 0 || row[3] == 0 || row[3] >= row[1] {
		t.Errorf("exit code %d, %v:\n%s", code, row, out)
	}

	kept, err := os.ReadDir(filepath.Join(dir, "corpus", "a", "FuzzFine"))
	if err != nil || len(kept) == 0 {
		t.Errorf("no corpus: %v, %v", kept, err)
	}

	// An interrupted campaign ends at once, with a summary.
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()

	if code, out = runToy(t, ctx, root, dir, "-time", "1h", "-run", "FuzzFine"); code != exitClean {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestSeedFails: a target that fails before it fuzzes is a finding too.
func TestSeedFails(t *testing.T) {
	if !*long {
		t.Skip("builds and fuzzes a small module for some seconds: run it by -long")
	}

	root, dir := writeToy(t), t.TempDir()

	code, out := runToy(t, t.Context(), root, dir, "-time", "2s", "-run", "FuzzSeed")
	if code != exitFound || !strings.Contains(out, "b.FuzzSeed") || !strings.Contains(out, "FuzzSeed/seed#0") || !strings.Contains(out, "the seed is bad") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestEvery: a target that runs nothing but its seeds gets more turns, and is a failure
// then, if every target has to run. The target is none of this program's, which so runs
// nothing.
func TestEvery(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}

	for i, row := range []struct {
		every, interrupted bool
		turns, failures    int
	}{{true, false, 1 + extraTurns, 1}, {false, false, 1, 0}, {true, true, 0, 0}} {
		ctx, cancel := context.WithCancel(t.Context())
		if row.interrupted {
			cancel()
		}

		var out bytes.Buffer

		c := &campaign{config: config{dir: t.TempDir(), every: row.every, minimize: "1x", workers: 1}, out: &out}
		c.turns(ctx, &target{folder: "a", name: "FuzzStuck", dir: t.TempDir(), program: self}, time.Second)
		cancel()

		turns := strings.Count(out.String(), "a.FuzzStuck  ")
		if turns != row.turns || len(c.failures) != row.failures || row.failures > 0 && !strings.Contains(out.String(), "no input but the seeds was run") {
			t.Errorf("row %d: %d turns, %q:\n%s", i, turns, c.failures, out.String())
		}
	}
}

// TestMisuse: each exits with 2 and one line that says why.
func TestMisuse(t *testing.T) {
	root := writeToy(t)

	for i, row := range []struct {
		args []string
		want string
	}{
		{[]string{"-time", "0s"}, "-time must be above 0"},
		{[]string{"-jobs", "0"}, "-jobs must be"},
		{[]string{"-run", "("}, "-run: error parsing"},
		{[]string{"-run", "nothing"}, `no target matches "nothing"`},
		{[]string{"-root", t.TempDir()}, "-root: no module here"},
		{[]string{"-none"}, "flag provided but not defined"},
		{[]string{"more"}, `unexpected argument "more"`},
	} {
		code, out := runToy(t, t.Context(), root, t.TempDir(), row.args...)
		if code != exitBad || !strings.Contains(out, row.want) {
			t.Errorf("row %d, %q: exit code %d:\n%s", i, row.args, code, out)
		}
	}

	if code, out := runToy(t, t.Context(), root, t.TempDir(), "-help"); code != exitClean || !strings.Contains(out, "-minimize") {
		t.Errorf("-help: exit code %d:\n%s", code, out)
	}
}

// TestModulesBelow: test data has no modules.
func TestModulesBelow(t *testing.T) {
	if got, err := modulesBelow(writeToy(t)); err != nil || strings.Join(got, " ") != ". nested" {
		t.Errorf("%q, %v", got, err)
	}
}
