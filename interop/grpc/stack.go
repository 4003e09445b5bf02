package grpc

import (
	"runtime"
	"strconv"
	"strings"
)

// stack returns the call stack, innermost function first, each followed by a line with
// its file and line number. [runtime/debug.Stack] shows arguments as well, which without
// optimization are what a provider was sent.
func stack() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])

	var b strings.Builder
	for {
		frame, more := frames.Next()
		b.WriteString(frame.Function + "\n\t" + frame.File + ":" + strconv.Itoa(frame.Line) + "\n")
		if !more {
			return b.String()
		}
	}
}
