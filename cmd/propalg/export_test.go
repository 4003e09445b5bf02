package main

import "io"

// Run is the tool in this process.
func Run(args []string, in io.Reader, out, err io.Writer) int {
	return run(args, streams{in: in, out: out, err: err})
}
