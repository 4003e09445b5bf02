package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	main "github.com/propalg/propalg/cmd/propalg"
	"github.com/propalg/propalg/internal/test/golden"
)

var update = golden.Flag()

// tool is where TestMain built the real tool.
var tool string

// TestMain builds the tool once for all tests.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "propalg")
	if err == nil {
		tool = filepath.Join(dir, "propalg")
		if runtime.GOOS == "windows" {
			tool += ".exe"
		}
		var out []byte
		if out, err = exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// binary is the path of the tool.
func binary(t *testing.T) string {
	t.Helper()
	return tool
}

// result is what one run of the tool gave.
type result struct {
	stdout, stderr string
	code           int
}

// propalg runs the tool in this process and in a folder, which is many times as fast as
// a process of its own.
func propalg(t *testing.T, dir, stdin string, args ...string) result {
	t.Helper()
	home, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir) //nolint:usetesting // for one call, not for the rest of the test
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chdir(home) }() //nolint:usetesting // as above

	var stdout, stderr bytes.Buffer
	code := main.Run(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{stdout.String(), stderr.String(), code}
}

// process runs the tool as a user does.
func process(t *testing.T, dir, stdin string, args ...string) result {
	t.Helper()
	c := exec.Command(binary(t), args...)
	c.Dir = dir
	c.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("propalg %q: %v", args, err)
	}
	return result{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// TestGolden runs every testdata/*.txtar: "args" holds an argument a line,
// "stdin" what is piped in; "file NAME" sections are files in its folder.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", *update, func(t *testing.T, g *golden.Golden) {
		t.Helper()
		dir := t.TempDir()
		for _, name := range []string{"old.json", "new.json", "stack.json", "base.json", "left.json", "right.json", "log.json", "promised.json"} {
			if g.Has("file " + name) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(g.Section("file "+name)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		stdin := ""
		if g.Has("stdin") {
			stdin = g.Section("stdin")
		}
		got := propalg(t, dir, stdin, strings.Split(strings.TrimSuffix(g.Section("args"), "\n"), "\n")...)
		g.Want("stdout", got.stdout)
		g.Want("stderr", got.stderr)
		g.Want("exit", fmt.Sprintln(got.code))
	})
}

// TestSamples runs the README's first command and looks for each of the things
// that it says it shows.
func TestSamples(t *testing.T) {
	got := propalg(t, "../..", "", "diff", "--replace-on", "engineVersion", "--replace-on", "ingress",
		"testdata/samples/before.json", "testdata/samples/after.json")
	if got.code != 1 || got.stderr != "" {
		t.Errorf("exit %d, stderr %q", got.code, got.stderr)
	}
	for what, text := range map[string]string{
		"create":          `+ aws:lambda/function:Function "orders"`,
		"delete":          `- aws:sqs/queue:Queue "mail"`,
		"update":          `~ aws:s3/bucketV2:BucketV2 "assets"`,
		"replacement":     `+-aws:rds/instance:Instance "db"`,
		"its reason":      `"16.4" => "17.2"  # forces replacement`,
		"secret":          "[secret] => [secret]",
		"unknown":         "[unknown]",
		"array":           "[1]",
		"asset":           "asset(file:",
		"archive":         "archive(file:",
		"odd key":         "cost-center",
		"count of stacks": "Resources: 1 created, 1 deleted, 5 updated (2 of them to be replaced), 2 the same",
	} {
		if !strings.Contains(got.stdout, text) {
			t.Errorf("%s: %q is not in the diff", what, text)
		}
	}
	for _, secret := range []string{"hunter2", "correct horse", "s3cr3t", "abc"} {
		if strings.Contains(got.stdout, secret) {
			t.Errorf("the secret %q is in the diff", secret)
		}
	}
	if t.Failed() {
		t.Log(got.stdout)
	}
}

// TestStateFiles compares every ordered pair of the real state files: no error,
// and nothing when a file meets itself; and lists the resources of each.
func TestStateFiles(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/state-files/*.json")
	if len(files) == 0 {
		t.Skip("no ../shared/data/state-files beside the repository")
	}
	for _, a := range files {
		if got := propalg(t, ".", "", "state", "ls", a); got.code != 0 || got.stdout == "" || got.stderr != "" {
			t.Errorf("state ls %s: exit %d, %s", filepath.Base(a), got.code, got.stderr)
		}
		for _, b := range files {
			got := propalg(t, ".", "", "diff", a, b)
			want := 1
			if a == b {
				want = 0
			}
			if got.code != want || got.stdout == "" {
				t.Errorf("diff %s %s: exit %d, want %d, %s", filepath.Base(a), filepath.Base(b), got.code, want, got.stderr)
			}
		}
	}
}

// TestBadInput is the table of inputs that must give one line of error, or a
// right answer: name, what is in the file, exit code, part of the line.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("good.json", `{"a":[1,2,3]}`)
	write("long-key.json", `{"`+strings.Repeat("k", 1<<20)+`":1}`)
	write("deep.json", `{"a":`+strings.Repeat("[", 1_000_000)+strings.Repeat("]", 1_000_000)+`}`)
	write("unclosed.json", strings.Repeat("[", 1_000_000))
	write("cut.json", `{"a":[1,2`)
	write("binary.json", "\x7fELF\x02\x01\x01\x00\x00\xff\xfe")
	write("empty.json", "")
	write("text.json", "hello")
	write("twice.json", `{"a":1,"a":2}`)
	write("more.json", `{"a":1} {"b":2}`)
	write("array.json", `[1]`)
	write("stack.json", `{"version":3,"deployment":{"resources":[]}}`)
	write("version.json", `{"version":99,"deployment":{"resources":[]}}`)
	write("masked.json", `{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","masked":true}}`)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"diff", "good.json", "long-key.json"}, 1, ""},
		{[]string{"diff", "good.json", "deep.json"}, 2, "deep.json: "},
		{[]string{"diff", "unclosed.json", "good.json"}, 2, "unclosed.json: "},
		{[]string{"diff", "good.json", "cut.json"}, 2, "cut.json: "},
		{[]string{"diff", "good.json", "binary.json"}, 2, "binary.json: "},
		{[]string{"diff", "good.json", "empty.json"}, 2, "empty.json: the file is empty"},
		{[]string{"diff", "good.json", "text.json"}, 2, "text.json: "},
		{[]string{"diff", "good.json", "twice.json"}, 2, "twice.json: "},
		{[]string{"diff", "good.json", "more.json"}, 2, "more.json: "},
		{[]string{"diff", "good.json", "array.json"}, 2, "array.json: "},
		{[]string{"diff", "good.json", "masked.json"}, 2, "masked"},
		{[]string{"diff", "good.json", "."}, 2, "is a directory"},
		{[]string{"diff", "good.json", "nowhere.json"}, 2, "nowhere.json: no such file"},
		{[]string{"diff", "good.json"}, 2, "expected OLD NEW"},
		{[]string{"diff", "-", "-"}, 2, "standard input"},
		{[]string{"diff", "--replace-on", "a[", "good.json", "good.json"}, 2, "replace-on"},
		{[]string{"state", "ls", "-o", "yaml", "good.json"}, 2, "text or json"},
		{[]string{"diff", "--replace-on", "", "good.json", "good.json"}, 2, "empty pattern"},
		{[]string{"diff", "good.json", "stack.json"}, 2, "good.json: property bag; stack.json: stack"},
		{[]string{"--replace-on", "a", "diff"}, 2, "the command comes first"},
		{[]string{"version", "x"}, 2, "expected no arguments"},
		{[]string{"state", "ls", "good.json"}, 2, "neither stack export nor checkpoint"},
		{[]string{"state", "ls", "version.json"}, 2, "version"},
		{[]string{"state"}, 2, "second word"},
		{[]string{"frobnicate"}, 2, "no command"},
		{[]string{"path", "parse", "a[4611686018427387904]"}, 2, "path"},
		{[]string{"path", "parse", "a[50000000]"}, 0, ""},
		{[]string{"urn", "parse", "urn:pulumi:x"}, 2, "urn"},
	} {
		got := propalg(t, dir, "", c.args...)
		if got.code != c.code || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%q: exit %d, want %d; %q, want %q in it", c.args, got.code, c.code, got.stderr, c.want)
		}
		if c.code == 2 && (strings.Count(got.stderr, "\n") != 1 || got.stdout != "" || len(got.stderr) > 400) {
			t.Errorf("%q: not one short line of error: %q and %q", c.args, got.stderr, got.stdout)
		}
	}
}

// TestBrokenPipe: a reader that has seen enough is not an error.
func TestBrokenPipe(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no pipes of that kind here")
	}
	bin := binary(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(bin, "diff", "../../testdata/bags/old.json", "../../testdata/bags/new.json")
	c.Stdout = w
	var stderr bytes.Buffer
	c.Stderr = &stderr
	_ = c.Run() // ends by a signal or an exit code, as the platform has it
	if stderr.Len() > 0 {
		t.Errorf("stderr: %q", stderr.String())
	}
}

// TestHelp: every command explains itself in lines of 80 columns, with the exit codes of
// docs/cli.md and an example, and exits with 0.
func TestHelp(t *testing.T) {
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| 1 |")
	table, _, _ = strings.Cut(table, "| 2 |")
	narrow := func(text string) {
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	}
	for _, c := range allCommands(t) {
		got := propalg(t, ".", "", append(strings.Fields(c.name), "--help")...)
		narrow(got.stdout)
		_, codes, _ := strings.Cut(got.stdout, "\nExit codes:\n  0  success\n")
		if got.code != 0 || !strings.HasPrefix(got.stdout, "Usage: propalg "+c.name) || !strings.Contains(codes, "  2  bad usage or bad input\n") || !strings.Contains(codes, "\n\nExample:\n  ") {
			t.Errorf("%s --help: exit %d\n%s%s", c.name, got.code, got.stdout, got.stderr)
		}
		if strings.Contains(codes, "\n  3  ") != (c.name == "diff") {
			t.Errorf("%s: the exit code 3: %s", c.name, codes)
		}
		if strings.HasPrefix(codes, "  1  ") != strings.Contains(table, "`"+c.name) {
			t.Errorf("%s: help and docs/cli.md disagree on the exit code 1: %s", c.name, codes)
		}
	}
	for args, want := range map[string]string{
		"help":              "Usage: propalg COMMAND [flags] arguments\n",
		"state --help":      "Usage: propalg state COMMAND [flags] arguments\n\n  state ls FILE… ",
		"diff --help":       "set (default: auto)\n",
		"lint --help":       "note, warning or error\n        (default: note)\n",
		"state set --help":  "clear (default: auto)\n",
		"path parse --help": "canonical or pulumi (default: canonical)\n",
	} {
		got := propalg(t, ".", "", strings.Fields(args)...)
		narrow(got.stdout)
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %q is not in\n%s", args, want, got.stdout)
		}
	}
	for _, args := range [][]string{{"help"}, {"--help"}, {"help", "diff"}, {"state", "--help"}, {"path", "-h"}, {"--version"}} {
		if got := propalg(t, ".", "", args...); got.code != 0 || got.stdout == "" || got.stderr != "" {
			t.Errorf("%q: exit %d, %q, %q", args, got.code, got.stdout, got.stderr)
		}
	}
	if got := propalg(t, ".", ""); got.code != 2 || !strings.Contains(got.stderr, "Usage:") {
		t.Errorf("no arguments: exit %d, %q", got.code, got.stderr)
	}
}
