//go:build !js && !windows

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDelegate: propalg test runs propalg-test, next to it or in PATH, with its arguments, and
// ends with its exit code.
func TestDelegate(t *testing.T) {
	script := func(folder, name string) string {
		path := filepath.Join(folder, "propalg-test")
		text := "#!/bin/sh\necho " + name + " \"$@\"\nread line\necho \"$line\" >&2\nexit 7\n"
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
		return path
	}
	ran := func(path string) (stdout, stderr string, code int) {
		var out, messages strings.Builder
		cmd := exec.Command(binary(t), "test", "./foo", "--live", "a b")
		cmd.Env = append(os.Environ(), "PATH="+path)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("typed\n"), &out, &messages
		_ = cmd.Run()
		return out.String(), messages.String(), cmd.ProcessState.ExitCode()
	}

	if out, messages, code := ran(t.TempDir()); code != 2 || out != "" || !strings.HasPrefix(messages, "propalg test: no program propalg-test next to propalg or in PATH; ") {
		t.Errorf("%q %q %d", out, messages, code)
	}
	folder := t.TempDir()
	script(folder, "found")
	if out, messages, code := ran(folder); out != "found ./foo --live a b\n" || messages != "typed\n" || code != 7 {
		t.Errorf("%q %q %d", out, messages, code)
	}
	beside := script(filepath.Dir(binary(t)), "beside")
	defer func() { _ = os.Remove(beside) }()
	if out, _, code := ran(folder); out != "beside ./foo --live a b\n" || code != 7 {
		t.Errorf("%q %d", out, code)
	}
}
