package main_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLintExplainCode: without a log, codes are explained, by the texts of docs/checks.md and
// all of them in its order.
func TestLintExplainCode(t *testing.T) {
	page, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([a-z]+) \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 60 {
		t.Fatalf("%d rows in docs/checks.md", len(rows))
	}
	lint := func(args ...string) result {
		return propalg(t, ".", "", append([]string{"lint"}, args...)...)
	}
	var all strings.Builder
	for i, row := range rows {
		want := "  " + row[2] + " " + row[1] + "\n      " + row[3] + "\n"
		all.WriteString(want)
		if got := lint("--explain", row[1]); i%10 == 0 && got != (result{stdout: want}) {
			t.Errorf("%s: %+v", row[1], got)
		}
	}
	wide := lint("--explain", "all") // the page, and then the codes of propalg test
	if own, ok := strings.CutPrefix(wide.stdout, all.String()); !ok || !strings.Contains(own, "  error crash\n") || wide.code != 0 || wide.stderr != "" {
		t.Errorf("%+v", wide)
	}
	if got := lint("--explain", "zero-replaced"); got.code != 0 || !strings.HasPrefix(got.stdout, "  warning zero-replaced\n      Check takes 0") {
		t.Errorf("a code of propalg test: %+v", got)
	}
	narrow := lint("--explain", "all", "--width", "60")
	if !slices.Equal(strings.Fields(narrow.stdout), strings.Fields(wide.stdout)) {
		t.Errorf("--width changes more than line ends: %s", narrow.stdout)
	}
	for line := range strings.Lines(narrow.stdout) {
		if utf8.RuneCountInString(line) > 61 {
			t.Errorf("more than 60 columns: %s", line)
		}
	}
	if got := lint("--explain", "secret", "--color", "always"); !strings.Contains(got.stdout, "\x1b[") {
		t.Errorf("no colours: %q", got.stdout)
	}
	for args, want := range map[string]string{
		"--explain update-equl":             `no finding has the code "update-equl" (did you mean update-equal?); --explain all lists the codes; try 'propalg lint --help'`,
		"--explain x -o json":               "--explain needs -o text",
		"":                                  "expected LOG…, got 0 of them",
		"--explain= ":                       "expected LOG…, got 0 of them",
		"--explain update-equal nowhere.js": "nowhere.js: no such file",
	} {
		if got := lint(strings.Fields(args)...); got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
	log := entry("Check", `"news":{}`, `"inputs":{}`, "")
	if got := propalg(t, ".", log, "lint", "--explain", "update-equal", "-"); got.code != 0 ||
		got.stderr != "propalg lint: no call of Diff is for a resource with \"update-equal\" in its URN; 'propalg lint --explain update-equal', without a log, explains the code\n" {
		t.Errorf("%+v", got)
	}
}
