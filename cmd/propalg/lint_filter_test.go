package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// twoFindings is a log in which two resources have a finding of one kind, and one of them
// another one too.
func twoFindings() string {
	diff := func(name, kind, key string) string {
		return `{"method":"/pulumirpc.ResourceProvider/Diff","request":{"urn":"urn:pulumi:dev::shop::a:b:` + kind + `::` + name + `","olds":{"x":1},"news":{"x":2},"oldInputs":{"x":1}},` +
			`"response":{"changes":"DIFF_SOME","diffs":["x"],"detailedDiff":{"x":{"kind":"UPDATE"},` + key + `},"hasDetailedDiff":true}}` + "\n"
	}
	return diff("one", "C", `"nowhere":{"kind":"UPDATE"}`) + diff("two", "D", `"nowhere":{"kind":"UPDATE"}`) + diff("three", "C", `"a[":{"kind":"UPDATE"}`)
}

// TestLintSuppress leaves out findings by code and resource.
func TestLintSuppress(t *testing.T) {
	for name, row := range map[string]struct {
		rules, want, stderr string
		code                int
	}{
		"none":       {"", "Findings: 3 errors, 0 warnings, 0 notes\n", "", 1},
		"a code":     {"old-missing\n", "Findings: 1 error, 0 warnings, 0 notes; 2 suppressed\n", "", 1},
		"a type":     {"# known\n\nold-missing a:b:C # since 2026\r\n", "Findings: 2 errors, 0 warnings, 0 notes; 1 suppressed\n", "", 1},
		"a URN":      {"old-missing urn:pulumi:dev::shop::a:b:D::two", "Findings: 2 errors, 0 warnings, 0 notes; 1 suppressed\n", "", 1},
		"wildcards":  {"old-missing urn:*::*o*", "Findings: 1 error, 0 warnings, 0 notes; 2 suppressed\n", "", 1},
		"all":        {"old-missing *\nkey-unreadable a:b:*", "Findings: 0 errors, 0 warnings, 0 notes; 3 suppressed\n", "", 0},
		"nothing":    {"old-missing a:b:E\nkind-unknown", "Findings: 3 errors, 0 warnings, 0 notes\n", "propalg lint: rules.txt:1 suppresses nothing\npropalg lint: rules.txt:2 suppresses nothing\n", 1},
		"not all of": {"old-missing a:b\nold-missing b:C\nold-missing *x", "Findings: 3 errors", "propalg lint: rules.txt:1 suppresses nothing\npropalg lint: rules.txt:2 suppresses nothing\npropalg lint: rules.txt:3 suppresses nothing\n", 1},
		"misspelt":   {"old-mising\nkey-unread a:b:C", "Findings: 3 errors", "propalg lint: rules.txt:1 suppresses nothing (did you mean old-missing?)\npropalg lint: rules.txt:2 suppresses nothing (did you mean key-unreadable?)\n", 1},
		"a name":     {"old-missing two", "Findings: 3 errors", "propalg lint: rules.txt:1 suppresses nothing (did you mean *::two?)\n", 1},
		"no code":    {"ok-so-far\nurn:pulumi:dev::shop::a:b:C::one", "", "propalg lint: rules.txt:2: expected the code of a finding, and then a URN or a type\n", 2},
	} {
		dir := writeFiles(t, map[string]string{"log.json": twoFindings(), "rules.txt": row.rules})
		got := propalg(t, dir, "", "lint", "--suppress", "rules.txt", "log.json")
		if got.code != row.code || !strings.Contains(got.stdout, row.want) || got.stderr != row.stderr {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestLintBaseline reports what a baseline does not have, and says what it has too much.
func TestLintBaseline(t *testing.T) {
	log := twoFindings()
	note := func(news string) string {
		return entry("Diff", `"oldInputs":{"a":1,"b":1,"c":1},"olds":{},"news":`+news, `"changes":"DIFF_SOME","diffs":["d"]`, "")
	}
	dir := writeFiles(t, map[string]string{
		"log.json": log, "first.json": log[:strings.Index(log, "\n")+1], "notes.log": note(`{"a":2,"b":1,"c":1}`) + strings.Replace(note(`{"a":1,"b":2,"c":2}`), "a:b:C", "a:b:D", 1),
		"notes.json": `{"type":"a:b:D","call":"Diff","code":"unreported","in":"response","at":"c"}` + "\n", "notes.txt": "unreported a:b:C",
	})
	lint := func(args ...string) result {
		return propalg(t, dir, "", append([]string{"lint"}, args...)...)
	}
	if got := lint("--write-baseline", "known.json", "first.json"); got != (result{stderr: "propalg lint: 1 finding written to the baseline\n"}) {
		t.Fatalf("%+v", got)
	}
	known, err := os.ReadFile(filepath.Join(dir, "known.json"))
	if want := `{"type":"a:b:C","call":"Diff","code":"old-missing","in":"response","at":"nowhere"}` + "\n"; err != nil || string(known) != want {
		t.Errorf("%v %s", err, known)
	}
	if got := lint("--baseline", "known.json", "first.json"); got.code != 0 || !strings.Contains(got.stdout, "Findings: 0 errors, 0 warnings, 0 notes; 1 in the baseline\n") || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	if got := lint("--baseline", "known.json", "log.json"); got.code != 1 || !strings.Contains(got.stdout, "Findings: 2 errors, 0 warnings, 0 notes; 1 in the baseline\n") || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	if got := lint("-o", "json", "--baseline", "known.json", "log.json"); got.code != 1 || !strings.Contains(got.stdout, `"known":1`) {
		t.Errorf("%+v", got)
	}
	if got := lint("--write-baseline", "all.json", "log.json"); got != (result{stderr: "propalg lint: 3 findings written to the baseline\n"}) {
		t.Errorf("%+v", got)
	}
	if got := lint("--baseline", "all.json", "log.json"); got.code != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	if got := lint("--baseline", "all.json", "first.json"); got.code != 0 || got.stderr != "propalg lint: the baseline has 2 findings that were not found; --write-baseline writes a new one\n" {
		t.Errorf("%+v", got)
	}
	// What is below a severity is found all the same, by baseline and suppressions.
	if got := lint("--severity", "error", "--baseline", "notes.json", "--suppress", "notes.txt", "notes.log"); got.code != 0 || got.stderr != "" ||
		!strings.Contains(got.stdout, "0 notes; 1 not shown (--severity); 1 suppressed; 1 in the baseline\n") {
		t.Errorf("%+v", got)
	}
	// Another key that cannot be read is another finding.
	other := strings.ReplaceAll(log, `"a[":`, `"b[":`)
	if got := propalg(t, dir, other, "lint", "--baseline", "all.json", "-"); got.code != 1 || !strings.Contains(got.stdout, `error Diff: response: ["b["]: key-unreadable`) || !strings.Contains(got.stdout, "Findings: 1 error,") {
		t.Errorf("%+v", got)
	}
	for args, want := range map[string]string{
		"--baseline log.json log.json":                           "log.json:1: expected a finding, as --write-baseline writes it",
		"--baseline nowhere.json log.json":                       "nowhere.json: no such file",
		"--suppress nowhere.json log.json":                       "nowhere.json: no such file",
		"--baseline all.json --write-baseline new.json log.json": "leave --baseline out",
		"--write-baseline no/where.json log.json":                "no/where.json: no such file",
		"--write-baseline all.json nowhere.json":                 "nowhere.json: no such file",
		"--baseline all.json --suppress all.json log.json":       "all.json:1: expected the code",
	} {
		if got := lint(strings.Fields(args)...); got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "all.json")); err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%v: a failure changed the baseline: %s", err, text)
	}
}

// TestLintOtherFiles says what a file is that is not a log.
func TestLintOtherFiles(t *testing.T) {
	stack := `{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z"},"resources":[]}}`
	for text, want := range map[string]string{
		stack:                                   "not a log of calls: found a stack, which 'propalg diff' and 'propalg state' read",
		strings.ReplaceAll(stack, ",", ",\n  "): "found a stack",
		stepsPreview:                            "found a preview, which 'propalg diff' reads",
		stepsPlan:                               "found a plan, which 'propalg diff' reads",
		stepsEvents:                             "found an event log, which 'propalg diff' reads",
		"name: web\nruntime: go\n":              "found YAML",
		"{\n  \"a\": {\n    \"b\": 1\n  }\n}\n": "x.json: not a log of calls, which has a JSON object with a method in each line; 'propalg diff' reads property bags\n",
		`{"a":1}` + "\n":                        "x.json: not a log of calls, which has",
		entry("Check", `"news":{}`, `"inputs":{}`, "") + "{\"a\":\n": "x.json: line 2: offset 6: syntax error: expected value, found end of input\n",
	} {
		dir := writeFiles(t, map[string]string{"x.json": text})
		if got := propalg(t, dir, "", "lint", "x.json"); got.code != 2 || !strings.HasPrefix(got.stderr, "propalg lint: x.json: ") || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%.40s: exit %d, %s", text, got.code, got.stderr)
		}
	}
}

// TestLintLostSecret finds answers that hold a secret in clear.
func TestLintLostSecret(t *testing.T) {
	secret := `"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"canary"}`
	for method, response := range map[string]string{"Check": `"inputs":{"pw":"canary"}`, "Create": `"id":"i","properties":{"pw":"canary"}`} {
		field := map[string]string{"Check": "news", "Create": "properties"}[method]
		_, got := lintJSON(t, t.TempDir(), entry(method, `"`+field+`":{`+secret+`}`, response, ""), "-")
		if got.code != 1 || !strings.Contains(got.stdout, "secret") || strings.Contains(got.stdout+got.stderr, "canary") {
			t.Errorf("%s: exit %d\n%s%s", method, got.code, got.stdout, got.stderr)
		}
	}
}
