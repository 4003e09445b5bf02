//go:build unix

package grpc

import (
	"os/exec"
	"syscall"
)

// grouped has a command start as the first of a process group. The function that it returns
// ends what is left of the group.
func grouped(cmd *exec.Cmd) (end func()) {
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = kill
	return func() { _ = kill() }
}
