package main_test

import (
	"fmt"
	"os"
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
		help := propalg(t, binary(t), dir, "", append(strings.Fields(u.command), "--help")...)
		if !strings.Contains(help.stdout, "\n  --out file\n        write the result") {
			return
		}
		name := filepath.Join(dir, "result")
		if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--out", "result")
		want := propalg(t, binary(t), dir, "", args[:len(args)-2]...)
		got := propalg(t, binary(t), dir, "", args...)
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
	got := propalg(t, binary(t), dir, "", "diff", "--out", filepath.Join("none", "x"), "old.json", "new.json")
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
		if got := propalg(t, binary(t), dir, "", "diff", fmt.Sprint("--show-secrets=", isShown), "--out", name, "old.json", "new.json"); got.code != 1 {
			t.Errorf("%+v", got)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || isShown && info.Mode().Perm() != 0o600 || !isShown && info.Mode().Perm()&0o400 == 0 {
			t.Errorf("%v: %v, %v", isShown, info, err)
		}
	}
}
