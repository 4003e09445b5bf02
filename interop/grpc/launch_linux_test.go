package grpc_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/propalg/propalg/interop/grpc"
)

// TestLaunchEndsGroup: what a provider's program started has ended when Close returns, or soon
// after.
func TestLaunchEndsGroup(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "start")
	text := "#!/bin/sh\nsleep 600 >/dev/null 2>&1 &\necho child $! >&2\n" + childEnv + "=serve exec " + self + "\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	var messages bytes.Buffer
	plugin, err := grpc.Launch(t.Context(), script, grpc.LaunchOptions{Stderr: &messages})
	if err != nil {
		t.Fatal(err)
	}
	if err := plugin.Close(); err != nil {
		t.Fatal(err)
	}

	line, _, _ := strings.Cut(messages.String(), "\n")
	pid, ok := strings.CutPrefix(line, "child ")
	if !ok {
		t.Fatalf("messages %q", messages.String())
	}
	for range 500 {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") { // nobody may wait for it
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %s runs on", pid)
}
