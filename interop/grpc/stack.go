package grpc

import (
	"runtime"
	"strconv"
	"strings"
)

// stack returns the functions that are being called, the innermost first, each with
// its file and line on the next line. [runtime/debug.Stack] has the words of their
// arguments too, which in a program that is not optimized are what a provider was sent.
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
