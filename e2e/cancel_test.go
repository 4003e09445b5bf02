package e2e_test

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/propalg/propalg/examples/provider/store"
)

// TestInterrupted interrupts the CLI while a record is made, which takes for ever: the
// engine sends Cancel, the call ends, and the next run goes on from there.
func TestInterrupted(t *testing.T) {
	s := newStack(t)
	s.program(resources(record("a", `name: alpha`)))
	var r result
	s.with("DEMO_FAULT=wait", func() {
		r = s.runWith(func(c *exec.Cmd) { s.interruptOnce(c, "alpha") }, "up", "--yes", "--skip-preview")
	})
	if r.code == 0 {
		t.Errorf("nothing was interrupted: %s", r)
	}
	ended := false
	for _, c := range s.calls() {
		if c.Method == "/pulumirpc.ResourceProvider/Create" {
			ended = ended || strings.Contains(strings.Join(c.Errors, " "), "Canceled")
		}
	}
	if !ended {
		t.Errorf("Create was not cancelled: %s", r)
	}
	s.up()
	s.holds("alpha")
	s.destroy()
}

// interruptOnce interrupts a command once there is a record of a name.
func (s *stack) interruptOnce(c *exec.Cmd, name string) {
	cloud := store.Open(s.cloud())
	for range int(limit / (50 * time.Millisecond)) {
		if _, found, err := cloud.Load(context.Background(), name); err == nil && found {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = syscall.Kill(c.Process.Pid, syscall.SIGINT) // it may have ended
}
