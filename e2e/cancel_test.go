package e2e_test

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
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
		r = s.runWith(func(c *exec.Cmd) { s.signalOnce(c.Process.Pid, syscall.SIGINT, "alpha") }, "up", "--yes", "--skip-preview")
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

// signalOnce sends a signal to a process once there is a record of a name.
func (s *stack) signalOnce(pid int, signal syscall.Signal, name string) {
	cloud := store.Open(s.cloud())
	for range int(limit / (50 * time.Millisecond)) {
		if _, found, err := cloud.Load(context.Background(), name); err == nil && found {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = syscall.Kill(pid, signal) // it may have ended
}

// killed kills the CLI while a record is made, and reads its log.
func (s *stack) killed(program []string) {
	s.t.Helper()
	s.program(withSecret + resources(program...))
	s.with("DEMO_FAULT=wait", func() {
		s.runWith(func(c *exec.Cmd) { s.signalOnce(-c.Process.Pid, syscall.SIGKILL, "epsilon") }, "up", "--yes", "--skip-preview", "--event-log", s.in("out", "up.log"))
	})
	if r, code := s.report("up.log"); code != 3 || !slices.Contains(r.shown(), "unfinished e (create did not end)") {
		s.t.Errorf("killed: exit %d, %q, %v", code, r.shown(), r.Failure)
	}
}

// cut reads parts of a log, as a CLI leaves it that is killed at any time.
func (s *stack) cut() {
	s.t.Helper()
	text := s.read(s.in("out", "up.log"))
	at := strings.Index(text, `"resOutputsEvent":{"metadata":{"op":"update"`)
	for i, n := range []int{at, at + 100, strings.LastIndex(text, `{"sequence"`) - 2, len(text) / 2} {
		s.save("cut.log", text[:n])
		r, code := s.report("cut.log")
		if code != 3 || !strings.Contains(fmt.Sprint(r.Failure), "The log ends before the update does") {
			s.t.Errorf("cut at %d: exit %d, %v", n, code, r.Failure)
		}
		if shows := strings.Join(r.shown(), "; "); i < 2 && !strings.Contains(shows, "unfinished b (update did not end)") {
			s.t.Errorf("cut at %d: shows %s", n, shows)
		}
	}
}
