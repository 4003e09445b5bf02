package main

import (
	"bytes"
	"context"
	"encoding/json"
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

func writeToy(t *testing.T) (root string) {
	t.Helper()

	root = t.TempDir()
	for name, text := range toy {
		if err := writeFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
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
func runUntil(t *testing.T, root, dir string, done func(code int) bool, args ...string) (code int, out string) {
	t.Helper()

	for range 30 {
		if code, out = runToy(t, t.Context(), root, dir, args...); done(code) {
			break
		}
	}

	return code, out
}

// rowOf reads a target's row of the summary.
func rowOf(t *testing.T, dir, id string) row {
	t.Helper()

	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}

	var s summary
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}

	for _, r := range s.Targets {
		if r.id() == id {
			return r
		}
	}

	t.Fatalf("%s is not in %s", id, data)

	return row{}
}

// TestCampaign runs one that finds something, and after the bug is mended one
// that does not.
func TestCampaign(t *testing.T) {
	if !*long {
		t.Skip("builds and fuzzes a small module for some seconds: run it by -long")
	}

	root, dir := writeToy(t), t.TempDir()

	found := func(code int) bool { return code == exitFound }

	code, out := runUntil(t, root, dir, found, "-time", "2s", "-run", "^a[.]FuzzBug", "-modules", ".")
	if code != exitFound || !strings.Contains(out, "FOUND     a.FuzzBug: a_test.go:14: planted: \"xy") {
		t.Fatalf("exit code %d:\n%s", code, out)
	}

	bug := rowOf(t, dir, "a.FuzzBug")
	if len(bug.Findings) != 1 || bug.Turns != 1 {
		t.Fatalf("%+v", bug)
	}

	checkFinding(t, bug.Findings[0])

	if _, err := os.Stat(filepath.Join(root, "a", "testdata")); !os.IsNotExist(err) {
		t.Errorf("the tree is not as it was: %v", err)
	}

	executed := func(id string) func(int) bool {
		return func(int) bool { return rowOf(t, dir, id).Executions > 0 }
	}

	_, out = runUntil(t, root, dir, executed("a.FuzzFine"), "-time", "2s", "-run", "^a[.]FuzzFine", "-modules", ".")

	fine := rowOf(t, dir, "a.FuzzFine")
	if fine.Executions == 0 || fine.Rate == 0 || fine.Skipped == 0 || fine.Skipped >= fine.Executions || len(fine.Findings) > 0 {
		t.Errorf("%+v", fine)
	}

	text, err := os.ReadFile(filepath.Join(dir, "summary.txt"))
	if err != nil || !strings.HasSuffix(out, string(text)) || !strings.Contains(out, "1 targets") {
		t.Errorf("%v: %s", err, text)
	}

	mended := strings.Replace(toy["a/a.go"], "b[1] == 'y'", "len(b) > 1<<40", 1)
	if err := writeFile(filepath.Join(root, "a", "a.go"), []byte(mended)); err != nil {
		t.Fatal(err)
	}

	code, out = runUntil(t, root, dir, func(int) bool { return len(rowOf(t, dir, "a.FuzzBug").Fixed) > 0 }, "-time", "3s", "-run", "Fuzz(Bug|Broken)")
	again := rowOf(t, dir, "a.FuzzBug")

	if code != exitFound || len(again.Findings) > 0 || len(again.Fixed) != 1 {
		t.Errorf("exit code %d, %+v:\n%s", code, again, out)
	}

	if !strings.Contains(out, "FAILED package example.com/toy/nested") || !strings.Contains(out, "undefined: nothing") {
		t.Errorf("the nested module builds:\n%s", out)
	}

	if kept := rowOf(t, dir, "a.FuzzFine"); kept.All != fine.All || kept.Turns != 0 {
		t.Errorf("what was not run is forgotten: %+v", kept)
	}

	if _, out = runUntil(t, root, dir, executed("a.FuzzFine"), "-time", "2s", "-run", "FuzzFine", "-modules", "."); rowOf(t, dir, "a.FuzzFine").All.Executions <= fine.All.Executions {
		t.Errorf("executions do not add up:\n%s", out)
	}
}

// checkFinding looks at what is kept of the toy's bug.
func checkFinding(t *testing.T, f finding) {
	t.Helper()

	if input, err := os.ReadFile(f.Input); err != nil || string(input) != "go test fuzz v1\n[]byte(\"xy\")\n" {
		t.Errorf("not minimised: %q, %v", input, err)
	}

	report, err := os.ReadFile(f.Report)
	if err != nil || !strings.Contains(string(report), "go test -run '^FuzzBug$/^"+filepath.Base(f.Input)+"$' .") {
		t.Errorf("%v\n%s", err, report)
	}
}

// TestSeedFails: a target that fails before it fuzzes is a finding too. And an
// interrupted campaign ends at once, with a summary.
func TestSeedFails(t *testing.T) {
	if !*long {
		t.Skip("builds and fuzzes a small module for some seconds: run it by -long")
	}

	root, dir := writeToy(t), t.TempDir()

	code, out := runToy(t, t.Context(), root, dir, "-time", "2s", "-run", "FuzzSeed", "-modules", ".")
	if code != exitFound || !strings.Contains(out, "FOUND     b.FuzzSeed: ") {
		t.Errorf("exit code %d:\n%s", code, out)
	}

	found := rowOf(t, dir, "b.FuzzSeed").Findings
	if len(found) != 1 || found[0].Input != "" {
		t.Fatalf("%+v", found)
	}

	report, err := os.ReadFile(found[0].Report)
	if err != nil || !strings.Contains(string(report), "go test -run '^FuzzSeed$/^seed#0$' .") || !strings.Contains(string(report), "the seed is bad") {
		t.Errorf("%v: %s", err, report)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()

	code, out = runToy(t, ctx, root, dir, "-time", "1h", "-run", "FuzzFine", "-modules", ".")
	if code != exitClean || !strings.Contains(out, endInterrupted) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestMisuse: each exits with 2 and one line that says why.
func TestMisuse(t *testing.T) {
	root, broken := writeToy(t), t.TempDir()
	if err := writeFile(filepath.Join(broken, "summary.json"), []byte("{")); err != nil {
		t.Fatal(err)
	}

	for i, row := range []struct {
		args []string
		want string
	}{
		{[]string{"-time", "0s"}, "-time must be above 0"},
		{[]string{"-slice", "1s"}, "-slice at least 2s"},
		{[]string{"-jobs", "0"}, "-jobs must be"},
		{[]string{"-run", "("}, "-run: error parsing"},
		{[]string{"-modules", "nothing"}, `no module in "nothing"; there are ., nested`},
		{[]string{"-root", t.TempDir()}, "-root: no module here"},
		{[]string{"-none"}, "flag provided but not defined"},
		{[]string{"more"}, `unexpected argument "more"`},
		{[]string{"-dir", broken}, "the summary of the campaigns before"},
	} {
		code, out := runToy(t, t.Context(), root, t.TempDir(), row.args...)
		if code != exitBad || !strings.Contains(out, row.want) {
			t.Errorf("row %d, %q: exit code %d:\n%s", i, row.args, code, out)
		}
	}

	if code, out := runToy(t, t.Context(), root, t.TempDir(), "-help"); code != exitClean || !strings.Contains(out, "-modules") {
		t.Errorf("-help: exit code %d:\n%s", code, out)
	}
}

// TestModulesBelow: test data has no modules.
func TestModulesBelow(t *testing.T) {
	if got, err := modulesBelow(writeToy(t)); err != nil || strings.Join(got, " ") != ". nested" {
		t.Errorf("%q, %v", got, err)
	}
}
