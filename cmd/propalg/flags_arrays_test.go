package main_test

import (
	"strings"
	"testing"
)

// TestArrayKeys: a key that distinguishes no elements is named on standard error, in every
// form, and nothing is said of secrets.
func TestArrayKeys(t *testing.T) {
	bag := func(more string) string {
		return `{"rules":[{"name":"a","kind":"x","n":1,"zero":0},{"name":"b","kind":"x","n":2,"zero":-0}` + more + `],"pw":[{"k":` + secretJSON("x") + `},{"k":` + secretJSON("x") + `}` + more + `]}`
	}
	stack := func(bag string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:d::s::a:b:C::n","type":"a:b:C","inputs":` + bag + `}]}}`
	}
	old, now := bag(""), bag(`,{"name":"c","kind":"y","n":3}`)
	dir := writeFiles(t, map[string]string{"old.json": old, "new.json": now, "old-stack.json": stack(old), "new-stack.json": stack(now)})
	for flag, want := range map[string]string{
		"rules=keyed:nope":   "propalg diff: --array rules=keyed:nope: no element has that key, so that those are aligned\n",
		"rules=keyed:kind":   "propalg diff: --array rules=keyed:kind: elements have the same key, so that those are aligned\n",
		"rules=keyed:zero":   "propalg diff: --array rules=keyed:zero: elements have the same key, so that those are aligned\n",
		"rules=keyed:name":   "",
		"rules=aligned":      "",
		"pw=keyed:k":         "",
		"pw=keyed:k.deep":    "",
		"rules[0]=keyed:n.m": "propalg diff: the pattern rules[0] of --array matches no change\n",
	} {
		for _, form := range []string{"text", "json", "markdown", "html"} {
			for _, files := range []string{"old.json new.json", "old-stack.json new-stack.json"} {
				got := propalg(t, binary(t), dir, "", append([]string{"diff", "-o", form, "--array", flag}, strings.Fields(files)...)...)
				if got.code != 1 || got.stderr != want {
					t.Errorf("%s -o %s %s: exit %d: %s", flag, form, files, got.code, got.stderr)
				}
			}
		}
	}
}

func secretJSON(text string) string {
	return `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"` + text + `"}`
}

// TestIgnoreByIndex: a pattern that names an element by its index leaves out what is there,
// and nothing else of an array that became longer.
func TestIgnoreByIndex(t *testing.T) {
	old, now := `{"r":[{"p":1}]}`, `{"r":[{"p":1},{"p":2,"q":3}]}`
	bags := writeFiles(t, map[string]string{"old.json": old, "new.json": now})
	stacks := twoBags(t, old, now, old, now)
	for pattern, want := range map[string]string{"r[*].p": "q", "r[1].p": "q", "r[0].p": "pq", "r[1].no": "pq", "r[1]": ""} {
		for dir, pattern := range map[string]string{bags: pattern, stacks: "inputs." + pattern} {
			got := propalg(t, binary(t), dir, "", "diff", "--only", "inputs", "--ignore", pattern, "old.json", "new.json")
			if dir == bags {
				got = propalg(t, binary(t), dir, "", "diff", "--ignore", pattern, "old.json", "new.json")
			}
			shown := ""
			for _, key := range []string{"p", "q"} {
				if strings.Contains(got.stdout, "+ "+key+": ") {
					shown += key
				}
			}
			if shown != want {
				t.Errorf("%s shows %q, not %q\n%s%s", pattern, shown, want, got.stdout, got.stderr)
			}
		}
	}
}
