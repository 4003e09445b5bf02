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

// Run runs kernels, whose names differ, and writes a line for each to out: its name, and how
// often it ran. It calls an empty function before and after the turns of each kernel, which
// makes callgrind write its count of instructions. These are the arguments:
//
//	-kernels REGEXP  runs only kernels of such names
//	-cover FOLDER    runs each once, and writes the statements that it executed as coverage
//	                 data into a folder of its name there; for a binary that was built with
//	                 -cover -covermode=atomic
func Run(args []string, out io.Writer, kernels ...Kernel) error {
	flags := flag.NewFlagSet("work", flag.ContinueOnError)
	dir := flags.String("cover", "", "where coverage data goes")
	chosen := flags.String("kernels", "", "a regular expression of names")
	if err := flags.Parse(args); err != nil {
		return err
	}
	names, err := regexp.Compile(*chosen)
	if err != nil {
		return err
	}

	for _, k := range kernels {
		if !names.MatchString(k.Name) {
			continue
		}
		name, turns := strings.ReplaceAll(k.Name, " ", "-"), 1
		work, err := k.Make()
		if err == nil {
			err = work() // fills what is kept between runs
		}
		switch {
		case err != nil:
		case *dir != "":
			err = covered(filepath.Join(*dir, name), work)
		default:
			turns, err = marked(work)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		fmt.Fprintln(out, name, turns)
	}

	return nil
}

// markedTime is how long a kernel runs between two marks, under callgrind, so that
// what the runtime does meanwhile weighs little.
const markedTime = 60 * time.Millisecond

// marked runs a kernel between two marks, and returns how often.
func marked(work func() error) (turns int, err error) {
	start := time.Now()
	if err := work(); err != nil {
		return 0, err
	}
	turns = 2 + int(markedTime/max(time.Since(start), time.Microsecond))
	mark()
	for range turns {
		if err := work(); err != nil {
			return 0, err
		}
	}

	mark()
	return turns, nil
}

// mark is where callgrind writes down and begins anew.
//
//go:noinline
func mark() {}

// covered writes what one run executed into a folder.
func covered(dir string, work func() error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	if err := coverage.WriteCountersDir(dir); err != nil {
		return err
	}

	return coverage.WriteMetaDir(dir)
}
