package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestLintStreams: a log of 40 MB, through a pipe, takes no more memory than a
// small one.
func TestLintStreams(t *testing.T) {
	const size, most = 40 << 20, 64 << 20
	one := entry("Diff", `"olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2,"b":["`+strings.Repeat("x", 4000)+`"]}`, `"changes":"DIFF_NONE"`, "")
	c := exec.Command(binary(t), "lint", "-")
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for range size / len(one) {
		if _, err = io.WriteString(in, one); err != nil {
			break
		}
	}
	peak := peakOf(t, c.Process.Pid) // while it waits for more
	_ = in.Close()
	_ = c.Wait()
	if err != nil || c.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), "notes") {
		t.Fatalf("%v: exit %d: %s", err, c.ProcessState.ExitCode(), out.String())
	}
	t.Logf("peak %d MB for %d MB", peak>>20, size>>20)
	if peak > most {
		t.Errorf("peak %d MB for a log of %d MB", peak>>20, size>>20)
	}
}

// peakOf is the most memory that a process had, in bytes. (What wait tells also
// counts what its parent had when it was started.)
func peakOf(t *testing.T, pid int) (bytes int64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, found := strings.Cut(string(text), "VmHWM:")
	if err != nil || !found {
		t.Skip("no /proc here that tells")
	}
	if _, err := fmt.Sscanf(after, "%d kB", &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes << 10
}
