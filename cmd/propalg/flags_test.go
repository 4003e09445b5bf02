package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// onTerminal runs a command of a shell in a folder, on a terminal of some columns.
func onTerminal(t *testing.T, dir string, columns, command string, env ...string) string {
	t.Helper()
	if err := exec.Command("script", "-qec", "true", os.DevNull).Run(); err != nil {
		t.Skip("no script(1), which makes a terminal")
	}
	c := exec.Command("script", "-qec", "stty cols "+columns+"; "+command, os.DevNull)
	c.Dir = dir
	c.Env = append(os.Environ(), append([]string{"PATH=" + filepath.Dir(binary(t)) + string(os.PathListSeparator) + os.Getenv("PATH"), "NO_COLOR=", "TERM=xterm", "COLUMNS=", "CLICOLOR_FORCE=", "CLICOLOR="}, env...)...)
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// TestWidthOfTerminal: no line is wider than the terminal, whose width the tool asks
// for, but those of URNs, which are whole; --width says another.
func TestWidthOfTerminal(t *testing.T) {
	diff := "propalg diff ../../testdata/samples/before.json ../../testdata/samples/after.json"
	widest := func(text string) (n int) {
		for _, line := range strings.Split(text, "\n") {
			if !strings.Contains(line, "[urn=") {
				n = max(n, utf8.RuneCountInString(line))
			}
		}
		return n
	}
	for _, row := range []struct {
		columns, flags string
		env            []string
		most           int
	}{
		{"60", "", nil, 60},
		{"100", "", nil, 100},
		{"60", " --width 90", nil, 90},
		{"60", "", []string{"COLUMNS=80"}, 80},
	} {
		text := onTerminal(t, ".", row.columns, diff+row.flags, append(row.env, "NO_COLOR=1")...)
		if n := widest(text); n > row.most || n < row.most-12 {
			t.Errorf("%+v: %d columns wide:\n%s", row, n, text)
		}
		if strings.Contains(text, "hunter2") || !strings.Contains(text, "Resources: 1 created") {
			t.Errorf("%+v: %s", row, text)
		}
	}
	for _, width := range []string{"40", "60", "80"} { // without a terminal
		got := propalg(t, ".", "", strings.Fields(strings.Replace(diff, "propalg diff", "diff --width "+width, 1))...)
		if n := strconv.Itoa(widest(got.stdout)); len(n) != 2 || n > width {
			t.Errorf("--width %s: %s columns wide:\n%s", width, n, got.stdout)
		}
		if !strings.Contains(got.stdout, "[urn=urn:pulumi:dev::shop::aws:s3/bucketObject:BucketObject::index]\n") && !strings.Contains(got.stdout, "::shop:web:Site$aws:s3/bucketObject:BucketObject::index]\n") {
			t.Errorf("--width %s: a URN is broken:\n%s", width, got.stdout)
		}
	}
}

// TestColoursOfTerminal: NO_COLOR, TERM and CLICOLOR_FORCE are obeyed, and --color
// comes first.
func TestColoursOfTerminal(t *testing.T) {
	diff := "propalg diff ../../testdata/bags/old.json ../../testdata/bags/new.json"
	for _, row := range []struct {
		command string
		env     string
		colours bool
	}{
		{diff, "A=", true},
		{diff, "NO_COLOR=1", false},
		{diff, "TERM=dumb", false},
		{diff + " --color always", "NO_COLOR=1", true},
		{diff + " --color never", "CLICOLOR_FORCE=1", false},
		{diff + " | cat", "A=", false},
		{diff + " | cat", "CLICOLOR_FORCE=1", true},
		{diff + " -o json", "CLICOLOR_FORCE=1", false},
	} {
		text := onTerminal(t, ".", "100", row.command, row.env)
		if strings.Contains(text, "\x1b[") != row.colours {
			t.Errorf("%s with %s: %q", row.command, row.env, text)
		}
	}
}
