package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk: an edit for which the disk has no room leaves the file as it was, and
// nothing beside it. The disk is one in memory, which only the processes of the test have.
func TestFullDisk(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": manyResources(3000)})
	want, size := readFile(t, dir, "s.json"), len(manyResources(3000))>>10
	for more := 100; more <= size+100; more += size / 4 {
		disk := t.TempDir()
		const script = `mount -t tmpfs -o size=$1k propalg "$2" || exit 77
			cp s.json "$2" && cd "$2" || exit 78
			"$3" state set s.json urn:pulumi:a::b::c:d:e::f1 x '"z"'; code=$?
			cp s.json "$OLDPWD/after.json"; ls -A >"$OLDPWD/names"; exit $code`
		c := exec.Command("sh", "-c", script, "sh", fmt.Sprint(size+more), disk, binary(t))
		c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if id := os.Getuid(); id != 0 {
			c.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		}
		c.Dir = dir
		out, err := c.CombinedOutput()
		isFull := more < size
		switch code := c.ProcessState.ExitCode(); {
		case c.ProcessState == nil || code == 77:
			t.Skipf("no file systems of our own here: %v", err)
		case isFull != (code == 2) || (isFull && !strings.Contains(string(out), ": no space left on device")):
			t.Errorf("%d kB more: %v: %s", more, err, out)
		}
		after := readFile(t, dir, "after.json")
		if wrote := strings.Replace(want, `::f1","type":"c:d:e","inputs":{"x":"`+strings.Repeat("y", 200), `::f1","type":"c:d:e","inputs":{"x":"z`, 1); (isFull && after != want) || (!isFull && after != wrote) {
			t.Errorf("%d kB more: the file is %d bytes, was %d", more, len(after), len(want))
		}
		if names := readFile(t, dir, "names"); names != "s.json\n" {
			t.Errorf("left behind: %s", names)
		}
		_ = os.Remove(filepath.Join(dir, "after.json"))
	}
}
