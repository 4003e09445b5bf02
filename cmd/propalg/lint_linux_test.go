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

// TestLintProgress: a lint that takes longer than a second says on a terminal how
// far it is, and takes the line away before it says anything else.
func TestLintProgress(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("no script(1), which makes a terminal")
	}
	dir := writeFiles(t, map[string]string{"log.json": entry("Diff", `"olds":{"a":1},"oldInputs":{"a":1},"news":{"a":2}`, `"changes":"DIFF_NONE"`, "")})
	run := func(command string) string {
		c := exec.Command(script, "-qec", command, "/dev/null")
		c.Dir, c.Env = dir, append(os.Environ(), "TOOL="+binary(t))
		out, _ := c.Output() // of standard error: the other goes nowhere
		return string(out)
	}
	said := run(`(cat log.json; sleep 1.7; echo '{"cut') | "$TOOL" lint - >/dev/null`)
	line, after, ok := strings.Cut(said, " \r")
	if !strings.HasPrefix(line, "\rpropalg lint: reading, 0 MB") || !ok || !strings.HasPrefix(after, "propalg lint: stdin: ") {
		t.Errorf("it says %q", said)
	}
	if said := run(`(cat log.json; sleep 1.3) | "$TOOL" lint -`); !strings.HasPrefix(said, "\rpropalg lint: reading, 0 MB") || !strings.Contains(said, " \r  a:b:C") {
		t.Errorf("before the result it says %q", said)
	}
	if said := run(`"$TOOL" lint log.json >/dev/null`); strings.Contains(said, "reading") {
		t.Errorf("it says %q at once", said)
	}
	if said := run(`(cat log.json; sleep 1.3) | "$TOOL" lint - 2>&1 >/dev/null | cat`); said != "" {
		t.Errorf("in a pipe it says %q", said)
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
