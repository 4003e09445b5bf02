package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// manyResources is a stack export with n resources, named f0 and so on.
func manyResources(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"urn":"urn:pulumi:a::b::c:d:e::f%d","type":"c:d:e","inputs":{"x":%q}}`, i, strings.Repeat("y", 200))
	}
	return `{"version":3,"deployment":{"resources":[` + strings.Join(rows, ",") + `]}}`
}

// TestEditsAtOnce: of the edits of one file at the same time, each that says it is done is
// in the file, and each other one exits with 2 and says why.
func TestEditsAtOnce(t *testing.T) {
	const n = 8
	dir := writeFiles(t, map[string]string{"s.json": manyResources(3000), "bag.json": `{}`})
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../s.json", filepath.Join(dir, "sub", "link.json")); err != nil {
		t.Skip(err)
	}
	args := func(i int) []string {
		urn := fmt.Sprintf("urn:pulumi:a::b::c:d:e::f%d", i)
		switch i % 4 {
		case 0:
			return []string{"state", "mv", "s.json", urn, fmt.Sprintf("g%d", i)}
		case 1:
			return []string{"state", "set", "s.json", urn, "x", fmt.Sprintf(`"::g%d"`, i)}
		case 2:
			return []string{"state", "mv", "--out", "sub/link.json", "./s.json", urn, fmt.Sprintf("g%d", i)}
		default:
			return []string{"state", "set", "sub/link.json", urn, "x", fmt.Sprintf(`"::g%d"`, i)}
		}
	}
	got := atOnce(t, dir, n, args)
	text := readFile(t, dir, "s.json")
	for i, r := range got {
		switch there := strings.Contains(text, fmt.Sprintf(`::g%d"`, i)); {
		case r.code == 0 && !there:
			t.Errorf("%q says %q, and the file has nothing of it", args(i), r.stdout)
		case r.code == 2 && (there || !strings.Contains(r.stderr, "another")):
			t.Errorf("%q: %+v, and in the file: %v", args(i), r, there)
		case r.code != 0 && r.code != 2:
			t.Errorf("%q: %+v", args(i), r)
		}
	}
	noneLeft(t, dir, "bag.json", "s.json", "sub")
}

// TestBagsAtOnce: commands that write onto a bag which they read lose no edit either.
func TestBagsAtOnce(t *testing.T) {
	const n = 8
	files := map[string]string{"bag.json": `{}`, "empty.json": `{}`}
	for i := range n {
		files[fmt.Sprintf("%d.json", i)] = fmt.Sprintf(`{"k%d":%d}`, i, i)
	}
	dir := writeFiles(t, files)
	got := atOnce(t, dir, n, func(i int) []string {
		return []string{"merge", "--out", "bag.json", "empty.json", "bag.json", fmt.Sprintf("%d.json", i)}
	})
	text := readFile(t, dir, "bag.json")
	for i, r := range got {
		if there := strings.Contains(text, fmt.Sprintf(`"k%d"`, i)); (r.code == 0 && !there) || (r.code == 2 && there) || r.code == 1 {
			t.Errorf("merge %d: %+v, and in the file: %v: %s", i, r, there, text)
		}
	}
}

// atOnce starts n processes, and returns what they did.
func atOnce(t *testing.T, dir string, n int, args func(i int) []string) []result {
	t.Helper()
	all := make([]result, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { all[i] = process(t, dir, "", args(i)...) })
	}
	wait.Wait()
	return all
}

// noneLeft checks the names in a folder.
func noneLeft(t *testing.T, dir string, want ...string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	var names []string
	for _, f := range all {
		names = append(names, f.Name())
	}
	if err != nil || strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the folder has %q, %v, want %q", names, err, want)
	}
}
