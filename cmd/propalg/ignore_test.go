package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIgnoreBadInput: one line of error and exit code 2.
func TestIgnoreBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("good.json", `{"a":[1,2,3]}`)
	write("masked.json", `{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","masked":true}}`)
	write("stack.json", `{"version":3,"deployment":{"resources":[]}}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"good.json", "good.json"}, "expected OLD NEW PATTERN"},
		{[]string{"good.json", "good.json", "a["}, `"a[": offset 2`},
		{[]string{"good.json", "good.json", "a", ""}, "an empty pattern would match everything"},
		{[]string{"-", "-", "a"}, "standard input"},
		{[]string{"nowhere.json", "good.json", "a"}, "nowhere.json: no such file"},
		{[]string{"good.json", "stack.json", "a"}, "stack.json is a stack export; ignore is for property bags"},
		{[]string{"good.json", "masked.json", "a"}, "masked.json: line 1, column 6: a: "},
		{[]string{"good.json", "masked.json", "a"}, "write the text again, with secrets shown"},
		{[]string{"--rules", "mine", "good.json", "good.json", "a"}, "engine or corrected"},
		{[]string{"-o", "html", "good.json", "good.json", "a"}, "text or json"},
	} {
		got := propalg(t, dir, "", append([]string{"ignore"}, c.args...)...)
		if got.code != 2 || !strings.Contains(got.stderr, c.want) || strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
			t.Errorf("%q: exit %d, %q, want %q", c.args, got.code, got.stderr, c.want)
		}
	}
}

// TestIgnorePipes: what is written with secrets shown is read again, and then
// ignoring the same changes nothing; masked values are refused.
func TestIgnorePipes(t *testing.T) {
	const old = `{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":{"k":1}},"l":[1,2]}`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.json"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"ignore", "--show-secrets", "-o", "json", "old.json", "-", "a.k", "l[*]"}
	once := propalg(t, dir, `{"a":{"k":2,"m":3},"l":[3,4]}`, args...)
	again := propalg(t, dir, once.stdout, args...)
	if once.code != 0 || again.code != 0 || once.stdout != again.stdout || !strings.Contains(once.stdout, `"value":1}`) {
		t.Errorf("once %+v\nagain %+v", once, again)
	}
	var report struct {
		Patterns []struct {
			Pattern  string
			Matched  int
			Mismatch []struct{ At, Why string }
		}
	}
	if err := json.Unmarshal([]byte(once.stderr), &report); err != nil || len(report.Patterns) != 2 || report.Patterns[1].Matched != 2 {
		t.Errorf("%v: %s", err, once.stderr)
	}
	hidden := propalg(t, dir, `{"a":{"k":2},"l":[]}`, "ignore", "old.json", "-", "a.k")
	refused := propalg(t, dir, hidden.stdout, "ignore", "old.json", "-", "a.k")
	if hidden.code != 0 || refused.code != 2 || !strings.Contains(refused.stderr, "stdin: line 1, column 11: a.k: ") {
		t.Errorf("masked %+v\nrefused %+v", hidden, refused)
	}
	for _, words := range [][]string{{"ignore", "--help"}, {"help", "ignore"}} {
		if got := propalg(t, dir, "", words...); got.code != 0 || !strings.Contains(got.stdout, "Example:\n  propalg ignore ") {
			t.Errorf("%q: %+v", words, got)
		}
	}
}
