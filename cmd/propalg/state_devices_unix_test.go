//go:build unix

package main_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDevices: a pipe in a folder, which would be read without an end, is passed over, and that is
// said.
func TestDevices(t *testing.T) {
	dir := writeFiles(t, map[string]string{"s.json": stackHaving(t, "a/1")})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600); err != nil {
		t.Skip(err)
	}
	for _, args := range []string{"state ls .", "state check .", "diff --each . ."} {
		got := propalg(t, dir, "", strings.Fields(args)...)
		if got.code != 0 || !strings.Contains(got.stderr, ": pipe.json: not read, since it is no regular file\n") || got.stdout == "" {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
