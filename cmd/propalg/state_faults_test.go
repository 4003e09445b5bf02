package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHoldsAll: --holds looks at IDs too, all of several have to be there, and an empty one is
// refused.
func TestHoldsAll(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": stackHaving(t, `a/vpc1{"n":80,"s":"blue-green"} b/x{"s":"vpc1","t":"blue"} c/y{"s":"green"}`)})
	const a, b = `t:i:R "a"  id "vpc1"`, `t:i:R "b"  id "x"`
	for args, want := range map[string]result{
		"--holds vpc1":                {a + "\n    id\n" + b + "\n    inputs: s\n    outputs: s\n", "", 0},
		"--holds vpc1 --holds blue":   {a + "\n    id\n    inputs: s\n    outputs: s\n" + b + "\n    inputs: s\n    inputs: t\n    outputs: s\n    outputs: t\n", "", 0},
		"--holds 80 --holds green":    {a + "\n    inputs: n\n    inputs: s\n    outputs: n\n    outputs: s\n", "", 0},
		"--holds blue --holds nobody": {"", "propalg state ls: s.json: no resource holds the text outside secrets\n", 1},
		"--holds=":                    {"", "propalg state ls: invalid value \"\" of --holds: the text is empty: each resource holds it; try 'propalg state ls --help'\n", 2},
	} {
		if got := propalg(t, dir, "", append(strings.Fields("state ls s.json"), strings.Fields(args)...)...); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
	got := propalg(t, dir, "", "state", "ls", "-o", "json", "--holds", "vpc1", "--name", "a", "s.json")
	if !strings.Contains(got.stdout, `"holds":[{"bag":"id","at":""}]`) {
		t.Errorf("%+v", got)
	}
}

// TestOnceEach: a file is read once, whatever names it has.
func TestOnceEach(t *testing.T) {
	dir := writeFiles(t, map[string]string{"a.json": stackHaving(t, "a/1"), "b.json": stackHaving(t, "a/1")})
	if err := os.Symlink("a.json", filepath.Join(dir, "link.json")); err != nil {
		t.Skip(err)
	}
	got := propalg(t, dir, "", "state", "ls", ".", "a.json")
	if got.stdout != "a.json: t:i:R \"a\"  id \"1\"\nb.json: t:i:R \"a\"  id \"1\"\n" || got.stderr != "propalg state ls: link.json: the same file as a.json\npropalg state ls: a.json: the same file as a.json\n" || got.code != 0 {
		t.Errorf("%+v", got)
	}
}

// TestStatsTotal: several files have a total, and --all lists all types.
func TestStatsTotal(t *testing.T) {
	all := ""
	for _, c := range "abcdefghijkl" {
		all += " t:i:" + string(c) + "::x/1"
	}
	dir := writeFiles(t, map[string]string{"a.json": stackHaving(t, all), "b.json": stackHaving(t, "t:i:l::x/1")})
	got := propalg(t, dir, "", "state", "stats", "a.json", "b.json")
	if !strings.Contains(got.stdout, "total: resources  13 in 2 files\ntotal: providers      13  t of no version\ntotal: types           2  t:i:l\n") || !strings.HasSuffix(got.stdout, "\ntotal: types      … 2 more types (--all)\n") && !strings.HasSuffix(got.stdout, "\ntotal:            … 2 more types (--all)\n") {
		t.Errorf("%s", got.stdout)
	}
	got = propalg(t, dir, "", "state", "stats", "--all", "a.json")
	if strings.Count(got.stdout, "t:i:") < 12 || strings.Contains(got.stdout, "more types") || strings.Contains(got.stdout, "total") {
		t.Errorf("%s", got.stdout)
	}
}

// TestNothingElseReplaced: a baseline replaces only a baseline, and an edited stack only a stack.
func TestNothingElseReplaced(t *testing.T) {
	stack := stackHaving(t, "a/1")
	dir := writeFiles(t, map[string]string{"s.json": stack, "other.json": stack, "notes.json": `{"a":1}`, "empty": ""})
	for args, want := range map[string]string{
		"check --write-baseline notes.json s.json":  "notes.json:1: expected a finding, as --write-baseline writes it; a file that is no baseline is not replaced by one",
		"check --write-baseline other.json s.json":  "other.json:1: expected a finding",
		"repair --out notes.json s.json":            "notes.json: neither stack export nor checkpoint; --out does not replace what is no stack",
		"protect --all --out notes.json s.json":     "notes.json: neither stack export nor checkpoint; --out does not replace what is no stack",
		"check --out other.json .":                  "other.json is an input of the command",
		"check --write-baseline base s.json":        "",
		"check --write-baseline ./base s.json":      "",
		"check --write-baseline empty s.json":       "",
		"protect --all --out new.json s.json":       "",
		"protect --all --out ./new.json other.json": "",
	} {
		got := propalg(t, dir, "", append([]string{"state"}, strings.Fields(args)...)...)
		if (want == "") != (got.code == 0) || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
	for name, want := range map[string]string{"notes.json": `{"a":1}`, "other.json": stack, "s.json": stack} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// TestCheckUnread: JSON lists the files that could not be read.
func TestCheckUnread(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": stackHaving(t, "a/1"), "bag.json": `{"a":1}`})
	for args, want := range map[string]string{
		"s.json bag.json": `"files":1,"unread":[{"file":"bag.json","error":"bag.json: neither stack export nor checkpoint"}],`,
		"bag.json":        `{"findings":[],"files":0,"unread":[{"file":"bag.json",`,
		"s.json":          `"files":1,"summary":`,
	} {
		got := propalg(t, dir, "", append(strings.Fields("state check -o json"), strings.Fields(args)...)...)
		if !strings.Contains(got.stdout, want) || (got.code == 2) != strings.Contains(args, "bag") {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
