package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// eachFiles writes files into a folder, by their paths.
func eachFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			var packed bytes.Buffer
			to := gzip.NewWriter(&packed)
			_, _ = to.Write([]byte(text))
			_ = to.Close()
			text = packed.String()
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestEach: files of one path are compared, a stack that one folder lacks is new or gone, and what
// cannot be read does not keep the others from being compared.
func TestEach(t *testing.T) {
	one, two := stackHaving(t, `a/1{"n":1} b/2{}`), stackHaving(t, `a/1{"n":2} c/3{}`)
	dir := eachFiles(t, map[string]string{
		"old/a.json": one, "new/a.json.gz": two,
		"old/same/deep/s.json": one, "new/same/deep/s.json": one,
		"old/gone.json": one, "new/new.json": two,
		"new/bad.json": one[:60], "new/bag.json": `{"a":1}`, "new/.hidden/x.json": "x", "new/notes.txt": "x",
	})
	got := propalg(t, dir, "", "diff", "--each", "old", "new")
	want := `# a.json
~ t:i:R "a"
    [urn=urn:pulumi:s::p::t:i:R::a]
    inputs:
        ~ n: 1 => 2
    outputs: as inputs
+ t:i:R "c"
    [urn=urn:pulumi:s::p::t:i:R::c]
- t:i:R "b"
    [urn=urn:pulumi:s::p::t:i:R::b]
Resources: 1 created, 1 deleted, 1 updated, 0 the same

`
	if !strings.HasPrefix(got.stdout, want) || got.code != 2 {
		t.Errorf("%+v", got)
	}
	table := `3 of 6 stacks changed, 2 not compared: 3 deleted, 3 created, 1 updated, 2 the same
  bad.json   new/bad.json: line 1, column 61: offset 60, after 0 resources: syntax error: expected end of string, found end of input
  bag.json   new/bag.json: neither a stack nor an update
  a.json     1 deleted, 1 created, 1 updated
  gone.json  2 deleted, no longer there
  new.json   2 created, a new stack
`
	if _, text, _ := strings.Cut(filepath.ToSlash(got.stdout), "\n\n3 of"); "3 of"+text != table {
		t.Errorf("3 of%s, want\n%s", text, table)
	}
	if strings.Count(got.stderr, "\n") != 2 || !strings.Contains(got.stderr, "bag.json: neither") {
		t.Errorf("stderr %q", got.stderr)
	}

	if got := propalg(t, dir, "", "diff", "--each", "old", "old"); got != (result{"0 of 3 stacks changed: 6 the same\n", "", 0}) {
		t.Errorf("%+v", got)
	}
	for args, want := range map[string]string{
		"old none":                   "none: no such file or directory",
		"old new/.hidden/..":         "",
		"- new":                      "--each reads folders, and no standard input",
		"old new old":                "expected [OLD] NEW, got 3 of them",
		"--detailed old new":         "--detailed is for property bags",
		"old/a.json new":             "old/a.json: ",
		"--out new/x old new":        "",
		"--out new/bag.json old new": "new/bag.json is an input of the command",
	} {
		if got := propalg(t, dir, "", append([]string{"diff", "--each"}, strings.Fields(args)...)...); got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// TestEachUpdate: updates of one folder are shown alone, and of two folders against the stacks
// that they begin with; stacks without one are no deletions.
func TestEachUpdate(t *testing.T) {
	preview := updateFile{`update a/1{"n":1} a/1{"n":2}`, `same b/2 b/2`}.preview(t, "")
	failed := updateFile{`update a/1{"n":1} a/1{"n":2}`}.preview(t, `,"diagnostics":[{"severity":"error","message":"no quota"}]`)
	dir := eachFiles(t, map[string]string{
		"new/dev/preview.json": preview, "new/prod/preview.json": failed,
		"old/dev/preview.json": stackHaving(t, `a/1{"n":1} b/2`), "old/idle/preview.json": stackHaving(t, `a/1`),
	})
	got := propalg(t, dir, "", "diff", "--each", "new")
	if got.code != 3 || got.stderr != "" || !strings.HasSuffix(got.stdout, "\n  prod/preview.json  1 updated, The preview failed: 1 error\n  dev/preview.json   1 updated\n") ||
		!strings.Contains(got.stdout, "2 of 2 stacks changed, 1 failed: 2 updated, ") {
		t.Errorf("%+v", got)
	}
	got = propalg(t, dir, "", "diff", "--each", "old", "new")
	if got.code != 3 || got.stderr != "propalg diff: old: 1 stack without an update in new\n" || strings.Contains(got.stdout, "deleted,") != strings.Contains(got.stdout, "0 deleted,") {
		t.Errorf("%+v", got)
	}
	if got := propalg(t, dir, "", "diff", "--each", "old"); got.code != 2 || !strings.Contains(got.stderr, "preview.json: expected a preview, a plan or an event log; stacks are compared with those of another folder\n") {
		t.Errorf("%+v", got)
	}
	for form, want := range map[string]string{"markdown": "| 🟥\u00a0`!` | **`prod/preview.json`** | 1 |", "html": "prod/preview.json: The preview failed: 1 error"} {
		if got := propalg(t, dir, "", "diff", "--each", "-o", form, "new"); got.code != 3 || !strings.Contains(got.stdout, want) || !strings.Contains(got.stdout, "no quota") {
			t.Errorf("%s: %+v", form, got)
		}
	}
}

// TestEachLikeOne: what each form has of a stack is what a diff of that alone has.
func TestEachLikeOne(t *testing.T) {
	files := map[string]string{}
	for i := range 5 {
		files[fmt.Sprintf("old/%d.json", i)] = stackHaving(t, fmt.Sprintf(`a/1{"n":%d} b/2{} d/4{"s":"canary"}`, i))
		files[fmt.Sprintf("new/%d.json", i)] = stackHaving(t, `a/1{"n":2} c/3{} d/4{}`)
	}
	dir := eachFiles(t, files)
	flags := []string{"--hide", "s", "--resource", "a", "--resource", "b", "--resource", "none"}
	text := propalg(t, dir, "", append([]string{"diff", "--each", "old", "new"}, flags...)...)
	rows := strings.Split(propalg(t, dir, "", append([]string{"diff", "--each", "-o", "json", "old", "new"}, flags[2:]...)...).stdout, "\n")
	for i := range 5 {
		name := fmt.Sprintf("%d.json", i)
		one := propalg(t, dir, "", append([]string{"diff", "old/" + name, "new/" + name}, flags...)...)
		if !strings.Contains(text.stdout, "# "+name+"\n"+one.stdout+"\n") {
			t.Errorf("%s is not in\n%s", one.stdout, text.stdout)
		}
		one = propalg(t, dir, "", append([]string{"diff", "-o", "json", "old/" + name, "new/" + name}, flags[2:]...)...)
		if row := `{"file":"` + name + `",` + strings.TrimPrefix(one.stdout, "{"); rows[i]+"\n" != row {
			t.Errorf("%s: %s, want %s", name, rows[i], row)
		}
	}
	if want := "5 of 5 stacks changed: 5 deleted, 4 updated, 1 the same, 10 filtered (--resource, --op, --only)\n"; !strings.Contains(text.stdout, want) {
		t.Errorf("no %q in\n%s", want, text.stdout)
	}
	if want := "propalg diff: the pattern none of --resource matches no resource\npropalg diff: the pattern s of --hide matches no change\n"; text.stderr != want {
		t.Errorf("stderr %q", text.stderr)
	}
}

// TestEachMarkdown: a comment for many stacks is below the limit, names those that matter first,
// and counts the others.
func TestEachMarkdown(t *testing.T) {
	for _, n := range []int{1, 3, 40, 300} {
		files := map[string]string{}
		for i := range n {
			old, now := manyStack(2+i%7*10, "a"), manyStack(2+i%7*10, "b")
			if i == n-1 {
				now = old[:strings.LastIndex(old, `,{"urn"`)] + "]}}" // one is deleted
			}
			files[fmt.Sprintf("old/%03d.json", i)], files[fmt.Sprintf("new/%03d.json", i)] = old, now
		}
		got := propalg(t, eachFiles(t, files), "", "diff", "--each", "-o", "markdown", "old", "new")
		if len(got.stdout) > 60_000 || got.code != 1 || got.stderr != "" {
			t.Errorf("%d stacks: exit %d, %d bytes, %s", n, got.code, len(got.stdout), got.stderr)
		}
		details := len(regexp.MustCompile("(?m)^<details><summary>.*<b><code>[0-9]+.json").FindAllString(got.stdout, -1))
		rows := len(regexp.MustCompile("(?m)^[|] .* [|] [*][*]`[0-9]+.json").FindAllString(got.stdout, -1))
		all := regexp.MustCompile(`([0-9,]+) of ([0-9,]+) stacks? changed`).FindStringSubmatch(got.stdout)
		rest, left := counted(got.stdout, `… and ([0-9,]+) more stack`), counted(got.stdout, `Left out: the details of ([0-9,]+) stack`)
		if rows+rest != n || details+left != n || details == 0 || strings.ReplaceAll(all[1], ",", "") != fmt.Sprint(n) {
			t.Errorf("%d stacks: %d rows, %d more, %d folded, %d left out, %q", n, rows, rest, details, left, all)
		}
		if opened, closed := strings.Count(got.stdout, "<details>"), strings.Count(got.stdout, "</details>"); opened != closed {
			t.Errorf("%d stacks: %d opened, %d closed", n, opened, closed)
		}
		if n == 40 && (len(got.stdout) < 55_000 || details < 35) {
			t.Errorf("%d of %d folded in %d bytes", details, n, len(got.stdout))
		}
	}
}

// counted returns the number in a text, 0 if there is none.
func counted(text, pattern string) (n int) {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
		_, _ = fmt.Sscan(strings.ReplaceAll(m[1], ",", ""), &n)
	}
	return n
}

// TestEachPage: the resources of a stack are below a row of it.
func TestEachPage(t *testing.T) {
	dir := eachFiles(t, map[string]string{
		"old/a.json": stackHaving(t, `a/1{"n":1}`), "new/a.json": stackHaving(t, `a/1{"n":2}`),
		"old/b.json": stackHaving(t, `b/1`), "new/b.json": stackHaving(t, `b/1 c/2`), "old/c.json": stackHaving(t, `a`), "new/c.json": stackHaving(t, `a`),
	})
	got := propalg(t, dir, "", "diff", "--each", "-o", "html", "old", "new")
	data := regexp.MustCompile(`id="data">(.*)</script>`).FindStringSubmatch(got.stdout)
	if data == nil {
		t.Fatalf("%+v", got)
	}
	var doc struct {
		Resources []struct {
			Name        string
			Depth, Kind int
		}
	}
	if err := json.Unmarshal([]byte(data[1]), &doc); err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(doc.Resources); text != "[{a.json 0 -1} {a 1 1} {b.json 0 -1} {c 1 0}]" || got.code != 1 {
		t.Errorf("%s, exit %d", text, got.code)
	}
}

// TestEachSecrets: no form shows a secret.
func TestEachSecrets(t *testing.T) {
	secret := func(text string) string {
		return stackHaving(t, `a/1{"p":{`+strings.ReplaceAll(signature, " ", "")+`,"plaintext":"\"canary`+text+`\""}}`)
	}
	dir := eachFiles(t, map[string]string{"old/a.json": secret("1"), "new/a.json": secret("2"), "new/b.json": secret("3"), "new/c.json": secret("4")[:250]})
	for _, form := range []string{"text", "json", "markdown", "html"} {
		if got := propalg(t, dir, "", "diff", "--each", "-o", form, "old", "new"); strings.Contains(got.stdout+got.stderr, "canary") || got.code != 2 {
			t.Errorf("%s: %+v", form, got)
		}
	}
}
