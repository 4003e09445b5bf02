//go:build !unix

package grpc

import "os/exec"

// grouped does nothing, since there are no process groups.
func grouped(*exec.Cmd) (end func()) { return func() {} }
