package main_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestFullDevice: where nothing can be written any more, no command succeeds, and
// one line says why; of what else there would be to say there is none.
func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no device here that is always full")
	}
	t.Cleanup(func() { _ = full.Close() })
	dir := writeFiles(t, canaryFiles())
	check := func(args []string) {
		whole := propalg(t, dir, "", args...)
		if whole.stdout == "" {
			return
		}
		c := exec.Command(binary(t), args...)
		var errs strings.Builder
		c.Dir, c.Stdout, c.Stderr = dir, full, &errs
		_ = c.Run()
		lines := strings.Count(errs.String(), "\n")
		small := strings.HasPrefix(args[0], "path") || strings.HasPrefix(args[0], "urn") // which say of each argument what is wrong with it
		if c.ProcessState.ExitCode() != 2 || !strings.Contains(errs.String(), "no space") || (lines != 1 && !small) {
			t.Errorf("%q: exit %d, %q", args, c.ProcessState.ExitCode(), errs.String())
		}
	}
	everyUse(t, func(_ use, args []string) { check(args) })
	for _, asked := range []string{"help", "--help", "help diff", "state --help", "diff --help", "--version"} {
		check(strings.Fields(asked))
	}
}

// oddFiles are files of which the commands do not all see the same.
func oddFiles() map[string]string {
	const head = `{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z"},"resources":[`
	const one = `"urn":"urn:pulumi:dev::shop::a:b:C::n","type":"a:b:C","custom":true`
	return map[string]string{
		"waits.json": head + `{` + one + `,"id":"live"},{` + one + `,"id":"gone","delete":true,"inputs":{"was":1}}]}}`,
		"three.json": head + `{` + one + `,"id":"live"},{` + one + `,"id":"gone","delete":true},{"urn":"urn:pulumi:dev::shop::a:b:C::m","type":"a:b:C","id":"gone"}]}}`,
		"null.json":  head + `{` + one + `,"inputs":null}]}}`,
		"none.json":  head + `{` + one + `,"inputs":{},"outputs":{}}]}}`,
		"some.json":  head + `{` + one + `,"inputs":{"a":1}}]}}`,
		"fails.json": head + `{` + one + `,"initErrors":["told the password"]}]}}`,
		"inf.json":   `{"a":1e999,"b":1}`,
		"one.json":   `{"a":1,"b":1}`,
		"log.json":   entry("Diff", `"olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2}`, `"changes":"DIFF_NONE"`, ""),
	}
}

// TestOddFiles is the table of inputs that once failed.
func TestOddFiles(t *testing.T) {
	dir := writeFiles(t, oddFiles())
	for i, c := range []struct {
		args     string
		code     int
		has, not string // on standard output or standard error
	}{
		// The ID of one that waits for deletion is its own.
		{"state show waits.json gone", 0, "was: 1", "live"},
		{"state show waits.json live", 0, `"live"`, "gone"},
		{"state show waits.json n", 0, `"live"`, "gone"},
		{"state show --only inputs waits.json gone", 0, `{"was":1}`, "live"},
		{"state show three.json gone", 2, "2 resources", ""},
		// No bag is as good as an empty one, in every form.
		{"diff null.json none.json", 0, "1 the same", "null"},
		{"diff -o json null.json none.json", 0, `"same":1`, "update\":1"},
		{"diff -o html null.json none.json", 0, "No resource changed, 1 unchanged.", ""},
		{"diff null.json some.json", 1, "+ a: 1", "null"},
		// What providers put into their errors may be anything.
		{"diff none.json fails.json", 1, "[secret]", "password"},
		{"diff -o json none.json fails.json", 1, `"masked":true`, "password"},
		{"diff -o html none.json fails.json", 1, "[secret]", "password"},
		{"diff --show-secrets none.json fails.json", 1, "told the password", "[secret]"},
		// A number that rounds to an infinity is shown, but in no data.
		{"path get inf.json a b", 0, "Infinity\n1\n", "encode"},
		{"path get -o json inf.json a", 2, "inf.json: a: ", ""},
		{"merge one.json one.json inf.json", 2, "the result: ", "conflict"},
		{"ignore inf.json one.json a", 2, "JSON has no number", "matched"},
		// Advice fits, and what cannot be explained is said.
		{"lint --width 40 log.json", 1, "old and new\n          inputs", ""},
		{"lint --width -1 log.json", 2, "--width", ""},
		{"lint --explain elsewhere log.json", 1, `no call of Diff is for a resource with "elsewhere"`, ""},
		{"lint --explain C::n log.json", 1, "DIFF_NONE", "no call of Diff"},
	} {
		got := propalg(t, dir, "", strings.Fields(c.args)...)
		all := got.stdout + got.stderr
		if got.code != c.code || !strings.Contains(all, c.has) || (c.not != "" && strings.Contains(all, c.not)) {
			t.Errorf("%d: %s: exit %d, want %d, with %q, without %q:\n%.600s", i, c.args, got.code, c.code, c.has, c.not, all)
		}
	}
	got := propalg(t, dir, "", "lint", "--width", "40", "log.json")
	for line := range strings.Lines(got.stdout) {
		if strings.HasPrefix(line, "          ") && len(line) > 40+len("\n") {
			t.Errorf("longer than 40 columns: %q", line)
		}
	}
}
