package main_test

import (
	"strings"
	"testing"
)

// TestArrayKeys: a key that distinguishes no elements is named on standard error, in every
// form, and nothing is said of secrets.
func TestArrayKeys(t *testing.T) {
	bag := func(more string) string {
		return `{"rules":[{"name":"a","kind":"x","n":1,"zero":0,"meta":{"a":1},"some":1},{"name":"b","kind":"x","n":2,"zero":-0,"meta":{"a":2},"some":[2]}` + more + `],"pw":[{"k":` + secretJSON("x") + `},{"k":` + secretJSON("x") + `}` + more + `]}`
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
		"rules=keyed:meta":   "propalg diff: --array rules=keyed:meta: elements have an object or array as the key, so that those are aligned\n",
		"rules=keyed:some":   "propalg diff: --array rules=keyed:some: elements have an object or array as the key, so that those are aligned\n",
		"rules=keyed:meta.a": "",
		"rules=keyed:name":   "",
		"rules=aligned":      "",
		"pw=keyed:k":         "",
		"pw=keyed:k.deep":    "",
		"rules[0]=keyed:n.m": "propalg diff: the pattern rules[0] of --array matches no change\n",
	} {
		for _, form := range []string{"text", "json", "markdown", "html"} {
			for _, files := range []string{"old.json new.json", "old-stack.json new-stack.json"} {
				got := propalg(t, dir, "", append([]string{"diff", "-o", form, "--array", flag}, strings.Fields(files)...)...)
				if got.code != 1 || got.stderr != want {
					t.Errorf("%s -o %s %s: exit %d: %s", flag, form, files, got.code, got.stderr)
				}
			}
		}
	}
}

// TestArrayByPart: a pattern of --array may begin with a part of resources.
func TestArrayByPart(t *testing.T) {
	rules := func(of string) string { return `{"rules":[` + of + `]}` }
	old, now := rules(`{"name":"a","n":1},{"name":"b","n":2}`), rules(`{"name":"b","n":2},{"name":"a","n":9}`)
	dir := twoBags(t, old, now, old, now)
	const moved, byIndex = "order change", `~ name: "a" => "b"`
	for flags, want := range map[string]struct {
		inputs, outputs string
		stderr          string
	}{
		"--array inputs.rules=positional":                                       {byIndex, moved, ""},
		"--array outputs.rules=positional":                                      {moved, byIndex, ""},
		"--array rules=positional":                                              {byIndex, byIndex, ""},
		"--array outputs.rules=keyed:name --array rules=positional":             {byIndex, moved, ""},
		"--arrays positional --array inputs.rules=set":                          {moved, byIndex, ""},
		"--array outputs.rules=keyed:nope --array inputs.rules=keyed:name":      {moved, "- [", "propalg diff: --array outputs.rules=keyed:nope: no element has that key, so that those are aligned\n"},
		"--array state.rules=set --array inputs.rules=set --array rules=set":    {moved, moved, "propalg diff: the pattern state.rules of --array matches no change\n"},
		"--array outputs.none=set --array inputs.rules=set --ignore outputs[0]": {moved, moved, "propalg diff: the pattern outputs[0] of --ignore matches no change\npropalg diff: the pattern outputs.none of --array matches no change\n"},
		"--ignore inputs.rules[9].n":                                            {byIndex, moved, "propalg diff: the pattern inputs.rules[9].n of --ignore matches no change\n"},
	} {
		for part, text := range map[string]string{"inputs": want.inputs, "outputs": want.outputs} {
			got := propalg(t, dir, "", append(strings.Fields("diff old.json new.json --only "+part), strings.Fields(flags)...)...)
			if got.code != 1 || !strings.Contains(got.stdout, text) {
				t.Errorf("%s: %s: not %s\n%s%s", flags, part, text, got.stdout, got.stderr)
			}
		}
		if got := propalg(t, dir, "", append(strings.Fields("diff old.json new.json"), strings.Fields(flags)...)...); got.stderr != want.stderr {
			t.Errorf("%s: %s", flags, got.stderr)
		}
	}
	bags := writeFiles(t, map[string]string{"old.json": `{"inputs":` + old + `}`, "new.json": `{"inputs":` + now + `}`})
	if got := propalg(t, bags, "", "diff", "--array", "inputs.rules=positional", "old.json", "new.json"); !strings.Contains(got.stdout, byIndex) || got.stderr != "" {
		t.Errorf("a property of that name: %s%s", got.stdout, got.stderr)
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
			got := propalg(t, dir, "", "diff", "--only", "inputs", "--ignore", pattern, "old.json", "new.json")
			if dir == bags {
				got = propalg(t, dir, "", "diff", "--ignore", pattern, "old.json", "new.json")
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
