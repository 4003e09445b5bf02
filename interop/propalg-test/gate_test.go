package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGate: findings are suppressed, or known from a baseline, and what files name in vain is
// said.
func TestGate(t *testing.T) {
	folder := t.TempDir()
	suppressed, baseline := filepath.Join(folder, "suppress"), filepath.Join(folder, "baseline")
	if err := os.WriteFile(suppressed, []byte("unreported x:index:Th* # known\nsecret-lost\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, messages := tested(t, "two-mistakes", "--suppress", suppressed)
	if code != exitNothing || !strings.Contains(out, "0 errors, 0 warnings, 0 notes; 2 suppressed\n") || messages != "propalg-test: "+suppressed+":2 suppresses nothing\n" {
		t.Errorf("%d %s %s", code, out, messages)
	}
	if code, out, messages := tested(t, "two-mistakes", "--write-baseline", baseline); code != exitNothing || out != "" || !strings.Contains(messages, "2 findings written to the baseline") {
		t.Errorf("%d %s %s", code, out, messages)
	}
	if code, out, messages := tested(t, "two-mistakes", "--baseline", baseline); code != exitNothing || !strings.Contains(out, "; 2 in the baseline\n") || messages != "" {
		t.Errorf("%d %s %s", code, out, messages)
	}
	if code, _, messages := tested(t, "right", "--baseline", baseline); code != exitNothing || !strings.Contains(messages, "the baseline has 2 findings that nothing showed now") {
		t.Errorf("%d %s", code, messages)
	}
	if code, out, _ := tested(t, "two-mistakes", "--severity", "error"); code != exitNothing || !strings.Contains(out, "0 errors, 0 warnings") {
		t.Errorf("%d %s", code, out)
	}
	for _, args := range [][]string{{"--severity", "bad"}, {"-o", "sarif"}, {"--baseline", suppressed}, {"--suppress", folder + "/none"}} {
		if code, out, messages := tested(t, "right", args...); code != exitBad || out != "" || strings.Count(messages, "\n") != 1 {
			t.Errorf("%q: %d %q %q", args, code, out, messages)
		}
	}
}

// TestForms: the same findings in the forms of CI systems.
func TestForms(t *testing.T) {
	_, out, _ := tested(t, "two-mistakes", "-o", "github")
	if !strings.HasPrefix(out, "::warning title=x%3Aindex%3AThing::Diff: password: unreported%0A") || strings.Count(out, "\n") != 2 {
		t.Errorf("%s", out)
	}
	_, out, _ = tested(t, "two-mistakes", "-o", "junit")
	var suite junitXML
	if err := xml.Unmarshal([]byte(out), &suite); err != nil || suite.Tests != 1 || suite.Failures != 1 || suite.Cases[0].Failures[1].Message != "Diff: size: unreported" {
		t.Errorf("%v %+v", err, suite)
	}
}

// TestReproductions: a folder gets the calls and a program for each finding.
func TestReproductions(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "repro")
	tested(t, "two-mistakes", "--repro", folder)
	var names []string
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	if want := []string{"001-diff-unreported", "001-diff-unreported.json", "002-diff-unreported", "002-diff-unreported.json"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	text, err := os.ReadFile(filepath.Join(folder, "002-diff-unreported", "Pulumi.yaml"))
	if err != nil || !strings.Contains(string(text), "# pulumi preview --diff\n") || !strings.Contains(string(text), "type: x:index:Thing") {
		t.Errorf("%v %s", err, text)
	}
}
