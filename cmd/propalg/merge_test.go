package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMergeDriver: git merges the files of two branches with the tool, whose output is one of
// its inputs there. A file whose secrets it would lose stays as it was.
func TestMergeDriver(t *testing.T) {
	git := repository(t)
	must := func(args ...string) {
		t.Helper()
		if out, code := git.run(args...); code != 0 {
			t.Fatalf("git %q: %s", args, out)
		}
	}
	bag := func(a, b string) string {
		return `{"a":` + a + `,"b":` + b + `,"s":{` + signature + `,"value":"xSECRETx"}}`
	}
	commit := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(git.dir, "bag.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		must("add", "bag.json")
		must("commit", "-q", "-m", "change")
	}
	if err := os.WriteFile(filepath.Join(git.dir, ".gitattributes"), []byte("bag.json merge=propalg\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must("add", ".gitattributes")
	commit(bag("1", "1"))
	must("checkout", "-q", "-b", "theirs")
	commit(bag("1", "2"))
	must("checkout", "-q", "main")
	commit(bag("2", "1"))
	must("config", "merge.propalg.driver", "propalg merge --out %A %O %A %B")
	if out, code := git.run("merge", "theirs"); code == 0 || !strings.Contains(out, "would lose 1 secret") || readFile(t, git.dir, "bag.json") != bag("2", "1") {
		t.Errorf("masked: exit %d, %s; %s", code, out, readFile(t, git.dir, "bag.json"))
	}
	must("merge", "--abort")
	must("config", "merge.propalg.driver", "propalg merge --show-secrets --out %A %O %A %B")
	must("merge", "theirs")
	if got := readFile(t, git.dir, "bag.json"); got != bag("2", "2")+"\n" {
		t.Errorf("merged: %s", got)
	}
}
