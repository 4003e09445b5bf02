package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// testCommand is the command that another program runs, since that has more requirements than
// this one: tester, next to this program or in PATH.
const (
	testCommand = "test"
	tester      = "propalg-test"
)

// delegate runs that program, which answers signals and flags.
func (s streams) delegate(args []string) int {
	path, err := findTester()
	if err == nil {
		cmd := exec.Command(path, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = s.in, s.out, s.err
		ended := passSignals()
		err = cmd.Run()
		ended()
	}

	failed := (*exec.ExitError)(nil)
	switch {
	case err == nil:
		return exitSame
	case errors.As(err, &failed) && failed.ExitCode() >= 0:
		return failed.ExitCode()
	}
	fmt.Fprintf(s.err, "propalg test: %s\n", printable.Line(err.Error()))
	return exitBad
}

// findTester returns where the program is.
func findTester() (string, error) {
	name := tester
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, nil
		}
	}

	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("no program %s next to propalg or in PATH; docs/guides/any-provider.md says how to get it", tester)
	}
	return path, nil
}

// passSignals has this process go on after signals until the function that it returns is
// called: terminals send them to the other program too.
func passSignals() (ended func()) {
	passed := make(chan os.Signal, 1)
	signal.Notify(passed, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(passed) }
}
