// Command gate holds the speed of Go code. It has two commands, of which the first
// serves any repository (docs/guides/benchmarks.md), and the other this one:
//
//	gate compare -base REV    base against head, kernel by kernel; exit code 1 with a
//	                          slowdown
//	gate table FILE           ratios to other libraries; exit code 1 below a floor
//
// compare builds a program of kernels (package bench/work) twice, with the code of REV
// and with that of the working tree; the kernels are the working tree's on both sides,
// where the base compiles with them. valgrind's callgrind counts their instructions, which do
// not depend on what else the machine does. Times are compared by benchstat.
//
// table reads benchmark lines by the packages that benchstat is made of. What benchstat has
// not is here: counts, a verdict that ends a job of CI, and ratios of sides that ran in turns.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// errSlower ends the command with exit code 1: the measurement worked, and found
// what it is there to find.
var errSlower = errors.New("slower than allowed")

// errUsage says what commands there are.
var errUsage = errors.New("usage: gate compare | table [flags]; gate COMMAND -h lists them")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errSlower):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(2)
	}
}

func run(args []string, out, log io.Writer) error {
	switch {
	case len(args) > 0 && args[0] == "compare":
		return compare(args[1:], out, log)
	case len(args) > 0 && args[0] == "table":
		return table(args[1:], out, log)
	default:
		return errUsage
	}
}
