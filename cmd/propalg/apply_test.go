package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const masked = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","masked":true}`

// TestApplyRoundTrip: what diff -o json writes, apply makes, in every way of
// matching elements.
func TestApplyRoundTrip(t *testing.T) {
	old, now := "../../testdata/bags/old.json", "../../testdata/bags/new.json"
	for _, how := range []string{"positional", "aligned", "set"} {
		d := propalg(t, ".", "", "diff", "-o", "json", "--show-secrets", "--arrays", how, old, now)
		if d.code != 1 || d.stderr != "" {
			t.Fatalf("diff: exit %d, %s", d.code, d.stderr)
		}
		got := propalg(t, ".", d.stdout, "apply", "--show-secrets", old, "-")
		if got.code != 0 {
			t.Fatalf("apply: exit %d, %s", got.code, got.stderr)
		}
		if same := propalg(t, ".", got.stdout, "diff", "-", now); same.code != 0 {
			t.Errorf("%s: exit %d: %s%s", how, same.code, same.stdout, same.stderr)
		}
	}
}

// TestDiffJSONOfStacks: every pair of real state files gives one document, whose
// numbers are those of the text, and whose patches are patches.
func TestDiffJSONOfStacks(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/state-files/*.json")
	if len(files) == 0 {
		t.Skip("no ../shared/data/state-files beside the repository")
	}
	for i, a := range files {
		b := files[(i+1)%len(files)]
		got := propalg(t, ".", "", "diff", "-o", "json", a, b)
		var doc struct {
			Resources []struct {
				URN, Change     string
				Inputs, Outputs struct{ Propalg string }
			}
			Summary struct{ Create, Delete, Update, Same int }
		}
		if err := json.Unmarshal([]byte(got.stdout), &doc); err != nil || got.code == 2 {
			t.Fatalf("%s %s: exit %d, %v, %s", a, b, got.code, err, got.stderr)
		}
		if n := doc.Summary.Create + doc.Summary.Delete + doc.Summary.Update; n != len(doc.Resources) {
			t.Errorf("%s %s: %d resources, of which %d count", a, b, len(doc.Resources), n)
		}
		for _, r := range doc.Resources {
			if r.URN == "" || r.Change == "" || r.Inputs.Propalg != "diff/1" || r.Outputs.Propalg != "diff/1" {
				t.Errorf("%s %s: %+v", a, b, r)
			}
		}
	}
}

// TestApplyRefuses is the table of what apply and the flags of diff refuse: one
// line each.
func TestApplyRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bag.json":     `{"a":[1,2,3]}`,
		"none.json":    `{"propalg":"diff/1"}`,
		"masked.json":  `{"propalg":"diff/1","masked":true,"diff":{"members":{"a":{"op":"update","old":1,"new":` + masked + `}}}}`,
		"misfit.json":  `{"propalg":"diff/1","diff":{"members":{"a":{"op":"update","old":1,"new":2}}}}`,
		"version.json": `{"propalg":"diff/2"}`,
		"wrong.json":   `{"propalg":"diff/1","diff":{"op":"update","old":1,"new":1}}`,
		"cut.json":     `{"propalg":"diff/1","diff":{"op":`,
		"empty.json":   "",
		"deep.json":    `{"propalg":"diff/1","diff":` + strings.Repeat(`{"members":{"a":`, 100_000),
		"now.json":     `{"a":[1,2,3],"b":1}`,
		"first.json":   `{"propalg":"diff/1","diff":{"members":{"a":{"elements":{"oldLength":3,"length":4,"changes":[{"op":"insert","index":0,"new":0}]}}}}}`,
		"ops.json":     `[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/a/3"}]`,
		"op.json":      `[{"op":"add","path":"/b"}]`,
		"file.json":    `{"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":""}}`,
		"member.json":  `{"a":{"text":"x"}}`,
		"stack.json":   `{"version":3,"deployment":{"resources":[]}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"apply", "bag.json", "none.json"}, 0, ""},
		{[]string{"apply", "bag.json", "masked.json"}, 2, "masked.json: a: offset"},
		{[]string{"apply", "bag.json", "misfit.json"}, 2, "a: does not fit"},
		{[]string{"apply", "bag.json", "version.json"}, 2, `expected "diff/1"`},
		{[]string{"apply", "bag.json", "wrong.json"}, 2, "different values"},
		{[]string{"apply", "bag.json", "cut.json"}, 2, "offset 33"},
		{[]string{"apply", "bag.json", "empty.json"}, 2, "empty.json: "},
		{[]string{"apply", "bag.json", "deep.json"}, 2, "nested beyond the limit"},
		{[]string{"apply", "bag.json", "bag.json"}, 2, "not a diff that 'propalg diff -o json' wrote: offset 1: malformed patch"},
		{[]string{"apply", "bag.json", "nowhere.json"}, 2, "nowhere.json: no such file"},
		{[]string{"apply", "bag.json", "ops.json"}, 2, "bag.json: ops.json: operation 1: a: does not fit: expected an index"},
		{[]string{"apply", "--rebase", "now.json", "first.json"}, 2, "now.json: first.json: a: the base is needed; --base names"},
		{[]string{"apply", "--rebase", "--base", "bag.json", "--arrays", "aligned", "now.json", "first.json"}, 0, ""},
		{[]string{"apply", "--rebase", "now.json", "ops.json"}, 2, "needs --base"},
		{[]string{"apply", "--any-base", "bag.json", "ops.json"}, 2, "--any-base is for a diff"},
		{[]string{"apply", "--merge", "bag.json", "op.json"}, 2, "bag.json: op.json: the result is no object, as a property bag is; it looks like a JSON Patch"},
		{[]string{"apply", "--base", "none.json", "now.json", "first.json"}, 2, "apply: none.json: first.json: a: does not fit"},
		{[]string{"apply", "bag.json", "op.json"}, 2, "apply: op.json: operation 0: malformed patch: expected a member value"},
		{[]string{"apply", "--merge", "file.json", "member.json"}, 2, "file.json: member.json: a: does not fit"},
		{[]string{"apply", "--merge", "bag.json", "cut.json"}, 2, "cut.json: offset 33: syntax error"},
		{[]string{"apply", "stack.json", "none.json"}, 2, "apply is for property bags"},
		{[]string{"apply", "bag.json"}, 2, "expected OLD DIFF"},
		{[]string{"apply", "-", "-"}, 2, "standard input"},
		{[]string{"diff", "--arrays", "sorted", "bag.json", "bag.json"}, 2, "positional or aligned or set"},
		{[]string{"diff", "--array", "a", "bag.json", "bag.json"}, 2, "=keyed:name"},
		{[]string{"diff", "--array", "a=sorted", "bag.json", "bag.json"}, 2, "=keyed:name"},
		{[]string{"diff", "--array", "a=keyed:", "bag.json", "bag.json"}, 2, "expected a property"},
		{[]string{"diff", "--array", "a[=set", "bag.json", "bag.json"}, 2, "array"},
		{[]string{"diff", "--array", "=set", "bag.json", "bag.json"}, 2, "empty pattern"},
		{[]string{"diff", "--array", "a=aligned", "--array", "b=keyed:c.d", "--array", "c=positional", "bag.json", "bag.json"}, 0, ""},
		{[]string{"diff", "--detailed", "--arrays", "set", "bag.json", "bag.json"}, 2, "index by index"},
		{[]string{"diff", "--ignore", "a[", "bag.json", "bag.json"}, 2, "ignore"},
		{[]string{"diff", "-o", "yaml", "bag.json", "bag.json"}, 2, "json"},
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

func TestApplyHelp(t *testing.T) {
	if got := propalg(t, ".", "", "apply", "--help"); got.code != 0 || !strings.Contains(got.stdout, "Example:\n  propalg diff -o json --show-secrets") {
		t.Errorf("help: exit %d, %s", got.code, got.stdout)
	}
}

// TestApplyRebase: what has not changed needs no base, and elements that moved are found.
func TestApplyRebase(t *testing.T) {
	list := func(elems string) string { return `{"r":[` + elems + `]}` + "\n" }
	const x, changed, y, w = `{"name":"x","p":1}`, `{"name":"x","p":5}`, `{"name":"y","p":2}`, `{"name":"w","p":1}`
	files := map[string]string{"old.json": list(x + "," + y), "new.json": list(changed + "," + y), "now.json": list(w + "," + x + "," + y)}
	dir := writeFiles(t, files)
	d := propalg(t, dir, "", "diff", "-o", "json", "old.json", "new.json").stdout

	for args, want := range map[string]string{"old.json -": files["new.json"], "--base old.json now.json -": list(w + "," + changed + "," + y)} {
		if got := propalg(t, dir, d, append([]string{"apply", "--rebase"}, strings.Fields(args)...)...); got.code != 0 || got.stdout != want {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
	}
	if got := propalg(t, dir, d, "apply", "--arrays", "set", "old.json", "-"); got.code != 2 || !strings.Contains(got.stderr, "--arrays and --array are for --rebase") {
		t.Errorf("%+v", got)
	}
	if got := propalg(t, dir, d, "apply", "--rebase", "now.json", "-"); got.code != 2 || !strings.Contains(got.stderr, "the base is needed") {
		t.Errorf("%+v", got)
	}
}
