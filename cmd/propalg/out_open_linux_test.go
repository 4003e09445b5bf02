package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutIsOpen: /dev/stdout and other names of open files are written to, and never
// replaced, not even if the file has no name any more; states are not written there.
func TestOutIsOpen(t *testing.T) {
	for _, isRemoved := range []bool{false, true} {
		for _, args := range []string{"diff --out link a.json b.json", "merge --out link a.json b.json a.json", "state rm --out link s.json --pending"} {
			// a link of our own stands for /dev/stdout, which a mistake would replace
			dir := writeFiles(t, map[string]string{"a.json": `{"a":1}`, "b.json": `{"a":2}`, "s.json": `{"version":3,"deployment":{"resources":[]}}`, "out": ""})
			if err := os.Symlink("/proc/self/fd/1", filepath.Join(dir, "link")); err != nil {
				t.Fatal(err)
			}
			out, err := os.OpenFile(filepath.Join(dir, "out"), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			if isRemoved {
				_ = os.Remove(out.Name())
			}
			_, _ = out.WriteString("before\n")
			c := exec.Command(binary(t), strings.Fields(args)...)
			c.Dir, c.Stdout = dir, out
			_ = c.Run()
			_, _ = out.WriteString("after\n")

			text := make([]byte, 1000)
			n, _ := out.ReadAt(text, 0)
			between, found := strings.CutPrefix(string(text[:n]), "before\n")
			between, ends := strings.CutSuffix(between, "after\n")
			isState := strings.HasPrefix(args, "state")
			if !found || !ends || isState != (between == "") || isState != (c.ProcessState.ExitCode() == 2) {
				t.Errorf("%s, removed %v: exit %d, the file has %q", args, isRemoved, c.ProcessState.ExitCode(), text[:n])
			}
			if to, err := os.Readlink(filepath.Join(dir, "link")); err != nil || to != "/proc/self/fd/1" {
				t.Errorf("%s, removed %v: the link leads to %q, %v", args, isRemoved, to, err)
			}
			if now, err := os.Stat(filepath.Join(dir, "out")); !isRemoved && err == nil {
				if was, _ := out.Stat(); !os.SameFile(was, now) {
					t.Errorf("%s: the file was replaced", args)
				}
			}
			_ = out.Close()
		}
	}
}
