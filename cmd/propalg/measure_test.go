//go:build hostile && linux

package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// measurer is a program that runs another and writes what it took. What wait
// tells of a child begins with what its parent had when it was started: so the
// parent has to be a small one, which a test that made files of 200 MB is not.
const measurer = `package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = c.Run()
	took := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	if os.WriteFile(os.Args[1], fmt.Appendf(nil, "%d %d", took, peak), 0o600) != nil {
		os.Exit(99)
	}
	os.Exit(c.ProcessState.ExitCode())
}
`

// measured is one run of the tool, and what it took.
type measured struct {
	result
	cpu  time.Duration // of processors; the clock on the wall depends on who else is there
	peak int64         // of memory, in bytes
}

// measuring builds the measurer, and returns what runs the tool under it.
func measuring(t *testing.T) func(args ...string) measured {
	t.Helper()
	dir := t.TempDir()
	source, program, told := filepath.Join(dir, "main.go"), filepath.Join(dir, "measurer"), filepath.Join(dir, "told")
	if err := os.WriteFile(source, []byte(measurer), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	return func(args ...string) measured {
		c := exec.Command(program, append([]string{told, binary(t)}, args...)...)
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		_ = c.Run()
		m := measured{result: result{out.String(), errs.String(), c.ProcessState.ExitCode()}}
		text, err := os.ReadFile(told)
		var took int64
		if err == nil {
			_, err = fmt.Sscan(string(text), &took, &m.peak)
		}
		if err != nil || m.peak == 0 {
			t.Fatalf("%q: measured %q, %v", args, text, err)
		}
		m.cpu = time.Duration(took)
		_ = os.Remove(told)
		return m
	}
}
