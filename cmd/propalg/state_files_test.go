package main_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyFiles are stacks, one of them in a folder, and what is none.
func manyFiles(t *testing.T) (dir string) {
	t.Helper()
	one := func(name string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::a:b:C::` + name + `","type":"a:b:C","inputs":{"k":"` + name + `"}}]}}`
	}
	dir = writeFiles(t, map[string]string{"a.json": one("a"), "bad.json": `{"a":1}`, "cut.json": one("c")[:90]})
	if err := os.MkdirAll(filepath.Join(dir, "all", "below.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, _ = to.Write([]byte(one("d")))
	_ = to.Close()
	for name, text := range map[string]string{"e.json": one("e"), "d.json.gz": packed.String(), "notes.txt": "x", "a.json.dropped.json": `{"resources":[]}`, "below.json/f.json": one("f")} {
		if err := os.WriteFile(filepath.Join(dir, "all", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestManyFiles: what is said of one of many files names it, a folder stands for its files,
// and what cannot be read does not keep the others from being read.
func TestManyFiles(t *testing.T) {
	dir := manyFiles(t)
	noStack := "propalg state %s: bad.json: neither stack export nor checkpoint\n"
	for args, want := range map[string]result{
		"ls a.json":                        {"a:b:C \"a\"  (component)\n", "", 0},
		"ls a.json all":                    {"a.json: a:b:C \"a\"  (component)\nall/d.json.gz: a:b:C \"d\"  (component)\nall/e.json: a:b:C \"e\"  (component)\n", "", 0},
		"ls all/below.json":                {"all/below.json/f.json: a:b:C \"f\"  (component)\n", "", 0},
		"ls a.json bad.json all/e.json":    {"a.json: a:b:C \"a\"  (component)\nall/e.json: a:b:C \"e\"  (component)\n", fmt.Sprintf(noStack, "ls"), 2},
		"ls bad.json":                      {"", fmt.Sprintf(noStack, "ls"), 2},
		"ls --holds e a.json all":          {"all/e.json: a:b:C \"e\"  (component)\nall/e.json:     inputs: k\n", "", 0},
		"ls --holds x a.json all":          {"", "propalg state ls: no resource holds the text outside secrets\n", 1},
		"ls --holds x a.json":              {"", "propalg state ls: a.json: no resource holds the text outside secrets\n", 1},
		"ls --holds x a.json bad.json":     {"", fmt.Sprintf(noStack, "ls"), 2},
		"ls -o json --name e a.json all":   {`{"file":"all/e.json","urn":"urn:pulumi:dev::shop::a:b:C::e","type":"a:b:C","name":"e","custom":false}` + "\n", "", 0},
		"ls -o json --name a a.json":       {`{"urn":"urn:pulumi:dev::shop::a:b:C::a","type":"a:b:C","name":"a","custom":false}` + "\n", "", 0},
		"ls - -":                           {"", "propalg state ls: only one argument can be standard input; try 'propalg state ls --help'\n", 2},
		"ls none.json a.json":              {"a.json: a:b:C \"a\"  (component)\n", "propalg state ls: none.json: no such file or directory\n", 2},
		"ls --tree all a.json --name=[ad]": {"", "propalg state ls: no resource is what the flags say\n", 1},
	} {
		got := propalg(t, dir, "", strings.Fields("state "+args)...)
		got.stdout = filepath.ToSlash(got.stdout)
		if got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}

	got := propalg(t, dir, "", "state", "stats", "a.json", "cut.json", "bad.json", "all")
	for line := range strings.Lines(got.stdout) {
		if !strings.HasPrefix(filepath.ToSlash(line), "a.json: ") && !strings.HasPrefix(filepath.ToSlash(line), "all/") && !strings.HasPrefix(line, "total: ") {
			t.Errorf("no file in %q", line)
		}
	}
	if n := strings.Count(got.stdout, "resources  1: "); n != 3 || got.code != 2 || strings.Count(got.stderr, "\n") != 2 || !strings.Contains(got.stderr, "cut.json: line 1, column ") {
		t.Errorf("stats: %+v", got)
	}
}

// TestBadResources: each malformed resource is named with its place, and the others are listed.
func TestBadResources(t *testing.T) {
	rows := []string{}
	for i := range 6 {
		rows = append(rows, fmt.Sprintf(`{"urn":"urn:pulumi:dev::shop::a:b:C::n%d","type":"a:b:C","inputs":%s}`, i, []string{"{}", "[]"}[i%2]))
	}
	dir := writeFiles(t, map[string]string{"s.json": `{"version":3,"deployment":{"resources":[` + "\n" + strings.Join(rows, ",\n") + `]}}`})
	got := propalg(t, dir, "", "state", "ls", "s.json")
	if strings.Count(got.stdout, "\n") != 3 || strings.Count(got.stderr, "\n") != 3 || got.code != 2 {
		t.Errorf("%+v", got)
	}
	for _, line := range []int{3, 5, 7} {
		if !strings.Contains(got.stderr, fmt.Sprintf("s.json: line %d, column 66: ", line)) {
			t.Errorf("no line %d in %s", line, got.stderr)
		}
	}
}
