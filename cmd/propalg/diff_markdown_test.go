package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMarkdownSamples: the sample as Markdown has its resources in the table, what is
// deleted or replaced first, and no secret.
func TestMarkdownSamples(t *testing.T) {
	got := propalg(t, "../..", "", "diff", "-o", "markdown", "--replace-on", "engineVersion", "--label", "old=main", "--label", "new=this branch",
		"testdata/samples/before.json", "testdata/samples/after.json")
	if got.code != 1 || got.stderr != "" {
		t.Errorf("exit %d, stderr %q", got.code, got.stderr)
	}
	for _, want := range []string{
		"### `main` → `this branch`\n", "\n**1 deleted · 1 replaced · 1 created · 4 updated** · 2 unchanged. Left out: 2 changes of internal names (--all).\n",
		"|---|---|---|\n| 🟥\u00a0`-` | `aws:sqs/queue:Queue` **`mail`** | deleted |\n| 🟪\u00a0`+-` | `aws:rds/instance:Instance` **`db`** | replaced: `engineVersion` forces replacement",
		"\n! password        : [secret] => [secret]\n", "\n@@ inputs @@\n", "\n! engineVersion   : \"16.4\" => \"17.2\"  # forces replacement\n",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is not in\n%s", want, got.stdout)
		}
	}
	for _, secret := range []string{"hunter2", "correct horse", "s3cr3t", "abc"} {
		if strings.Contains(got.stdout, secret) {
			t.Errorf("the secret %q is in the document", secret)
		}
	}
	open := propalg(t, "../..", "", "diff", "-o", "markdown", "--show-secrets", "testdata/samples/before.json", "testdata/samples/after.json")
	if !strings.Contains(open.stdout, "Secrets are shown in clear.") || strings.Contains(got.stdout, "in clear") {
		t.Error("it does not say that secrets are in clear, or says it although they are not")
	}
}

// TestMarkdownEqual: equal files make a document that says so.
func TestMarkdownEqual(t *testing.T) {
	for file, want := range map[string]string{"samples/before.json": "**No resource changed** · 8 unchanged.", "bags/old.json": "The two property bags are equal."} {
		got := propalg(t, "../../testdata", "", "diff", "-o", "markdown", file, file)
		if got.code != 0 || got.stderr != "" || !strings.HasSuffix(got.stdout, "\n\n"+want+"\n") {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// manyStack is a stack of resources that all differ, if the value does: the first ones
// in many properties.
func manyStack(n int, value string) string {
	var b strings.Builder
	b.WriteString(`{"version":3,"deployment":{"resources":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"urn":"urn:pulumi:dev::shop::aws:ec2/instance:Instance::web-%s%d","custom":true,"id":"i","type":"aws:ec2/instance:Instance","inputs":{"name":"%s%d"`, map[bool]string{true: value}[i%5 == 0], i, value, i)
		for k := range 200 / (i + 1) {
			fmt.Fprintf(&b, `,"k%d":"%s"`, k, value)
		}
		b.WriteString(`}}`)
	}
	return b.String() + `]}}`
}

// TestMarkdownMany: a large diff is cut below the limit, and says what is left out.
func TestMarkdownMany(t *testing.T) {
	for _, n := range []int{10, 200, 3000} {
		dir := writeFiles(t, map[string]string{"old.json": manyStack(n, "a"), "new.json": manyStack(n, "b")})
		got := propalg(t, dir, "", "diff", "-o", "markdown", "old.json", "new.json")
		if utf8.RuneCountInString(got.stdout) > 60_000 || got.code != 1 || got.stderr != "" {
			t.Errorf("%d resources: exit %d, %d characters", n, got.code, utf8.RuneCountInString(got.stdout))
		}
		details := len(regexp.MustCompile("(?m)^<details>").FindAllString(got.stdout, -1))
		left := regexp.MustCompile(`\nLeft out, for a comment has a limit: the details of ([0-9,]+) resources`).FindStringSubmatch(got.stdout)
		want := n + n/5 // one of five has another name: it is deleted, and one created
		if (len(left) == 0 && details != want) || (len(left) > 0 && strings.ReplaceAll(left[1], ",", "") != fmt.Sprint(want-details)) {
			t.Errorf("%d resources: %d are shown, %q left out", n, details, left)
		}
	}
}

// TestMarkdownInjection: markup in names, types, keys, values and file names stays
// text.
func TestMarkdownInjection(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a|b`c<img>.json")
	if err := os.WriteFile(name, []byte(injection("1")), 0o600); err != nil {
		t.Skip(err) // where files have no such names
	}
	if err := os.WriteFile(filepath.Join(dir, "new.json"), []byte(injection("2")), 0o600); err != nil {
		t.Fatal(err)
	}
	got := propalg(t, dir, "", "diff", "-o", "markdown", name, "new.json")
	fenced := regexp.MustCompile("(?ms)^(````*)diff\n(.*?)\n````*$").FindStringSubmatch(got.stdout)
	if len(fenced) == 0 || !strings.Contains(fenced[2], "<img onerror=pwned=1 src=x>") {
		t.Fatalf("%s", got.stdout)
	}
	rest := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(strings.Replace(got.stdout, fenced[0], "", 1), "")
	if bad := regexp.MustCompile(`</?(script|img)`).FindString(rest); bad != "" {
		t.Errorf("%q is markup in\n%s", bad, rest)
	}
}

// TestMarkdownInjectedRun: what a file says of a run is no markup either, and mentions nobody.
func TestMarkdownInjectedRun(t *testing.T) {
	const bad = `![x](http://e) @me <b>`
	same := `"urn":"urn:pulumi:s::p::t:i:R::a","oldState":{"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R"},"newState":{"urn":"urn:pulumi:s::p::t:i:R::a","type":"t:i:R","inputs":{"a":1}}}`
	dir := writeFiles(t, map[string]string{
		"summary.json": `{"steps":[{"op":"same",` + same + `],"changeSummary":{"` + bad + `":3,"same":1}}`,
		"op.json":      `{"steps":[{"op":"` + bad + `",` + same + `],"changeSummary":{"same":1}}`,
		"failed.json":  `{"sequence":1,"timestamp":1,"resourcePreEvent":{"metadata":{"op":"` + bad + `",` + strings.NewReplacer("oldState", "old", "newState", "new").Replace(same) + `}}` + "\n",
	})
	for _, file := range []string{"summary.json", "op.json", "failed.json"} {
		got := propalg(t, dir, "", "diff", "-o", "markdown", file)
		if got.code > 3 || got.code == 2 || strings.Contains(got.stdout, "](") || strings.Contains(got.stdout, "@me") || !strings.Contains(got.stdout, "x") {
			t.Errorf("%s: exit %d, %s\n%s", file, got.code, got.stderr, got.stdout)
		}
	}
}
