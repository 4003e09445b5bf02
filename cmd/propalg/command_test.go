package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestOut: --out writes what standard output would have, and leaves the file alone after
// an error.
func TestOut(t *testing.T) {
	dir := writeFiles(t, canaryFiles())
	everyUse(t, func(u use, args []string) {
		help := propalg(t, dir, "", append(strings.Fields(u.command), "--help")...)
		if !strings.Contains(help.stdout, "\n  --out file\n        write the result") {
			return
		}
		name := filepath.Join(dir, "result")
		if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--out", "result")
		want := propalg(t, dir, "", args[:len(args)-2]...)
		got := propalg(t, dir, "", args...)
		if want.code == 2 {
			want.stdout = "before"
		}
		text, err := os.ReadFile(name)
		if err != nil || string(text) != want.stdout || got.stdout != "" || got.code != want.code || got.stderr != want.stderr {
			t.Errorf("%q: %v, %+v, and in the file %q, want %+v", args, err, got, text, want)
		}
	})
	left, err := filepath.Glob(filepath.Join(dir, ".propalg*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	got := propalg(t, dir, "", "diff", "--out", filepath.Join("none", "x"), "old.json", "new.json")
	if got.code != 2 || !strings.Contains(got.stderr, "none") || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("no such folder: %+v", got)
	}
}

// TestOutOfSecrets: a new file with secrets in clear is for its owner only.
func TestOutOfSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such permissions there")
	}
	dir := writeFiles(t, map[string]string{"old.json": `{"a":1}`, "new.json": `{"a":2}`})
	for _, isShown := range []bool{true, false} {
		name := fmt.Sprint("out-", isShown)
		if got := propalg(t, dir, "", "diff", fmt.Sprint("--show-secrets=", isShown), "--out", name, "old.json", "new.json"); got.code != 1 {
			t.Errorf("%+v", got)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || (isShown && info.Mode().Perm() != 0o600) || (!isShown && info.Mode().Perm()&0o400 == 0) {
			t.Errorf("%v: %v, %v", isShown, info, err)
		}
	}
}

// TestOutIsInput: no command writes onto a file that it reads, by whatever name, but merge,
// apply and ignore, unless secrets would be lost.
func TestOutIsInput(t *testing.T) {
	const secret = `{"a":1,"p":{` + signature + `,"value":"x"}}`
	files := map[string]string{
		"old.json": `{"a":1}`, "new.json": `{"a":2}`, "secret.json": secret, "patch.json": `{"propalg":"diff/1"}`, "rules": "old-missing", "schema.json": "{}",
		"stack.json": bucketText, "log.json": twoFindings(), "p": "", "assets": "", // a pattern and the name of a resource are no files
	}
	const isInput, loses = " is an input of the command; write", " is an input of the command and would lose 1 secret; --show-secrets"
	for args, want := range map[string]string{
		"diff --out old.json old.json new.json":                                    isInput,
		"diff --out new.json old.json new.json":                                    isInput,
		"diff --out ../DIR/old.json old.json new.json":                             isInput,
		"diff --out link.json old.json new.json":                                   isInput,
		"diff --out hard.json old.json new.json":                                   isInput,
		"diff --out old.json new.json link.json":                                   isInput,
		"diff --out new.json path old.json h 100644 new.json h 100644":             isInput,
		"diff --out old.json - new.json":                                           isInput,
		"state show --out stack.json stack.json assets":                            isInput,
		"lint --out log.json log.json":                                             isInput,
		"lint --out log.json --suppress rules old.json log.json":                   isInput,
		"lint --out rules --suppress rules log.json":                               isInput,
		"lint --out rules --baseline rules log.json":                               isInput,
		"lint --out schema.json --schema schema.json log.json":                     isInput,
		"lint --write-baseline log.json log.json":                                  isInput,
		"lint --write-baseline rules --suppress rules log.json":                    isInput,
		"merge --out secret.json secret.json secret.json secret.json":              loses,
		"merge --out old.json old.json secret.json link.json":                      loses,
		"ignore --out secret.json secret.json secret.json a":                       loses,
		"apply --out secret.json secret.json patch.json":                           loses,
		"merge --out old.json old.json old.json new.json":                          "",
		"merge --out new.json --show-secrets old.json new.json secret.json":        "",
		"ignore --out secret.json --show-secrets old.json secret.json a":           "",
		"apply --out secret.json --show-secrets --any-base secret.json patch.json": "",
		"merge --out p old.json old.json secret.json":                              "",
		"ignore --out p secret.json secret.json p":                                 "",
		"state show --out assets stack.json assets":                                "",
		"diff -o json --out " + os.DevNull + " " + os.DevNull + " " + os.DevNull:   "",
	} {
		dir := writeFiles(t, files)
		args = strings.Replace(args, "DIR", filepath.Base(dir), 1)
		for name, link := range map[string]func(old, name string) error{"link.json": os.Symlink, "hard.json": os.Link} {
			if err := link(filepath.Join(dir, "old.json"), filepath.Join(dir, name)); err != nil {
				t.Skip(err)
			}
		}
		got := fromFile(t, dir, "old.json", strings.Fields(args)...)
		if want == "" {
			if got.code != 0 || strings.Contains(got.stderr, "input") {
				t.Errorf("%s: %+v", args, got)
			}
			continue
		}
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
		for name, text := range files {
			if now := readFile(t, dir, name); now != text {
				t.Errorf("%s: %s is now %q", args, name, now)
			}
		}
	}
}

// fromFile runs the tool with a file as standard input.
func fromFile(t *testing.T, dir, stdin string, args ...string) result {
	t.Helper()
	in, err := os.Open(filepath.Join(dir, stdin))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	var stdout, stderr strings.Builder
	c := exec.Command(binary(t), args...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, in, &stdout, &stderr
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// TestOutNames: "-" is standard output, and an empty name or that of a form is bad usage.
func TestOutNames(t *testing.T) {
	files := canaryFiles()
	dir := writeFiles(t, files)
	everyUse(t, func(u use, args []string) {
		help := propalg(t, dir, "", append(strings.Fields(u.command), "--help")...)
		if !strings.Contains(help.stdout, "  --out file\n") {
			return
		}
		for _, form := range strings.Fields("text json html markdown md github") {
			if got := propalg(t, dir, "", append(args, "--out", form)...); got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, "--out: it is a form, as for -o; for a file of this name write ./"+form+"; try") {
				t.Errorf("%q to a form: %+v", args, got)
			}
		}
		if strings.Contains(help.stdout, "and leave the one that is read") { // which is no file of this test
			return
		}
		if want, got := propalg(t, dir, "", args...), propalg(t, dir, "", append(args, "--out", "-")...); got != want {
			t.Errorf("%q to -: %+v, want %+v", args, got, want)
		}
		if got := propalg(t, dir, "", append(args, "--out", "")...); got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, "the name of the file to write is empty; try") {
			t.Errorf("%q to an empty name: %+v", args, got)
		}
	})
	dir = writeFiles(t, map[string]string{"log.json": twoFindings(), "stack.json": bucketText})
	if got := propalg(t, dir, "", "lint", "--write-baseline", "-", "log.json"); got.code != 0 || strings.Count(got.stdout, "\n") != 3 || got.stderr != "propalg lint: 3 findings written to the baseline\n" {
		t.Errorf("a baseline to -: %+v", got)
	}
	for args, want := range map[string]string{
		"lint log.json --write-baseline=":                   "the name of the file to write is empty",
		"state mv stack.json assets files --out=":           "the name of the file to write is empty",
		"state rm stack.json n --out=":                      "the name of the file to write is empty",
		"state mv stack.json assets files --out -":          "not written to standard output",
		"lint --write-baseline x -o json log.json":          "leave -o out",
		"lint --write-baseline x --out y log.json":          "leave --out out",
		"lint --write-baseline x --explain assets log.json": "leave --explain out",
		"lint log.json --explain":                           "propalg lint: --explain needs a value; try",
		"state mv stack.json assets --out":                  "propalg state mv: --out needs a value; try",
		"state rm -o json stack.json n":                     "no flag -o; --out names the file to write; try",
		"state rm --output x stack.json n":                  "no flag --output; --out names the file to write",
		"state set stack.json assets a.b[0] -5":             "no flag -5; write -- before an argument that begins with a dash",
	} {
		if got := propalg(t, dir, "", strings.Fields(args)...); got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := propalg(t, dir, "", "state", "set", "stack.json", "assets", "a.b[0]", "--", "-5"); got.code != 0 || !strings.Contains(readFile(t, dir, "stack.json"), "[-5,2]") {
		t.Errorf("-5 after --: %+v", got)
	}
	if all, _ := os.ReadDir(dir); len(all) != 2 {
		t.Errorf("left behind: %v", all)
	}
}
