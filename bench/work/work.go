// Package work makes a program of kernels, pieces of work whose cost is held. The
// command bench/gate builds such a program twice, with the code of two revisions, and
// compares what the kernels cost: docs/guides/benchmarks.md has an example.
//
//	func main() {
//		err := work.Run(os.Args[1:], os.Stdout, work.Kernel{Name: "diff", Make: diff})
//		if err != nil {
//			fmt.Fprintln(os.Stderr, err)
//			os.Exit(1)
//		}
//	}
package work

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/coverage"
	"strings"
	"time"
)

// Kernel is one piece of work with its input.
type Kernel struct {
	Name string
	// Make builds the input, and returns the work. One run of it should take between
	// some microseconds and some milliseconds, and do the same every time.
	Make func() (work func() error, err error)
}

type options struct {
	signal string
	dir    string
	chosen *regexp.Regexp
}

// Run measures kernels as the arguments ask, and writes a line for each to out. Their
// names differ. It has three ways to measure:
//
//	-signal time     the shortest of many turns, as benchmark lines
//	-signal marks    calls a function before and after each kernel's turns, which
//	                 makes callgrind write its count of instructions
//	-signal cover    statements executed, as coverage data in -dir; for a binary
//	                 built with -cover -covermode=atomic
//
// With -kernels it runs only those whose names match a regular expression.
func Run(args []string, out io.Writer, kernels ...Kernel) error {
	var o options
	flags := flag.NewFlagSet("work", flag.ContinueOnError)
	flags.StringVar(&o.signal, "signal", "time", "time, marks or cover")
	flags.StringVar(&o.dir, "dir", "", "where coverage data goes")
	chosen := flags.String("kernels", "", "a regular expression of names")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.chosen, err = regexp.Compile(*chosen); err != nil {
		return err
	}
	measure, known := map[string]func(options, string, func() error) (string, error){
		"time": fastest, "marks": marked, "cover": covered,
	}[o.signal]
	if !known {
		return fmt.Errorf("no signal is called %q", o.signal)
	}

	for _, k := range kernels {
		if !o.chosen.MatchString(k.Name) {
			continue
		}
		line, err := one(o, k, measure)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		fmt.Fprintln(out, line)
	}

	return nil
}

// one measures a kernel whose first run is over: that one fills what is kept
// between runs.
func one(o options, k Kernel, measure func(options, string, func() error) (string, error)) (string, error) {
	work, err := k.Make()
	if err != nil {
		return "", err
	}
	if err := work(); err != nil {
		return "", err
	}

	if o.signal == "time" {
		runtime.GC() // where work is counted the collector is off
	}
	return measure(o, strings.ReplaceAll(k.Name, " ", "-"), work)
}

// markedTime is how long a kernel runs between two marks, under callgrind, so that
// what the runtime does meanwhile weighs little.
const markedTime = 60 * time.Millisecond

// marked runs a kernel between two marks, and says how often.
func marked(_ options, name string, work func() error) (string, error) {
	start := time.Now()
	if err := work(); err != nil {
		return "", err
	}
	turns := 2 + int(markedTime/max(time.Since(start), time.Microsecond))
	mark()
	for range turns {
		if err := work(); err != nil {
			return "", err
		}
	}

	mark()
	return fmt.Sprintf("%s %d", name, turns), nil
}

// mark is where callgrind writes down and begins anew.
//
//go:noinline
func mark() {}

// A kernel is timed in turns of at least turnTime, for kernelTime in all.
const (
	turnTime   = 500 * time.Microsecond
	kernelTime = 30 * time.Millisecond
)

// fastest times turns and keeps the shortest, since what a busy machine adds is
// never negative.
func fastest(_ options, name string, work func() error) (string, error) {
	times, best := 1, time.Duration(0)
	for end := time.Now().Add(kernelTime); time.Now().Before(end); {
		start := time.Now()
		for range times {
			if err := work(); err != nil {
				return "", err
			}
		}

		took := time.Since(start)
		if took < turnTime {
			times *= 2
			best = 0
			continue
		}
		if each := took / time.Duration(times); best == 0 || each < best {
			best = max(each, 1)
		}
	}
	return fmt.Sprintf("BenchmarkKernel/%s 1 %d ns/op", name, best.Nanoseconds()), nil
}

// covered writes what one run executed into a folder of the kernel's name.
func covered(o options, name string, work func() error) (string, error) {
	dir := filepath.Join(o.dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := coverage.ClearCounters(); err != nil {
		return "", err
	}
	if err := work(); err != nil {
		return "", err
	}
	if err := coverage.WriteCountersDir(dir); err != nil {
		return "", err
	}

	return name, coverage.WriteMetaDir(dir)
}
