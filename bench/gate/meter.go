package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// errDump reports that callgrind did not write what the marks ask for.
var errDump = errors.New("callgrind wrote no count")

// meter is a signal: how to measure, and what counts as slower.
type meter struct {
	name, unit string
	rounds     int
	threshold  float64 // smallest change that counts
	alpha      float64 // largest chance that equal sides rank as these do
	measure    func(program, kernels string) (readings, error)
}

// readings are one figure for each kernel, by its name.
type readings map[string]float64

// Rounds, thresholds and chances were set by runs on a busy machine with two
// cores; docs/notes/gate.md has the figures. With four samples a side the rank test can
// say 0.029 at best.
func counting() meter {
	return meter{"counts", "instructions", 4, 0.02, 0.05, instructions}
}

func timing() meter { return meter{"time", "ns", 20, 0.06, 0.01, times} }

// callgrind dumps before the function mark.
const mark = "github.com/propalg/propalg/bench/work.mark"

// instructions runs the kernels under callgrind, on one thread and without the
// collector, whose work depends on when it runs. On some machines valgrind does not know
// RDTSCP, with which the runtime reads the clock where the processor has it.
func instructions(program, kernels string) (readings, error) {
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	dump := filepath.Join(dir, "dump")
	cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file="+dump, "--dump-before="+mark,
		program, "-signal", "marks", "-kernels", kernels)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	names, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("valgrind: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}

	all := readings{}
	// Dump 1 ends at the first mark, before the first kernel; 2 at the mark after it.
	for i, line := range strings.Split(strings.TrimSpace(string(names)), "\n") {
		var name string
		var turns float64
		if _, err := fmt.Sscan(line, &name, &turns); err != nil {
			return nil, fmt.Errorf("line %q: %w", line, err)
		}
		total, err := totals(dump + "." + strconv.Itoa(2*i+2))
		if err != nil {
			return nil, err
		}
		all[name] = total / turns
	}
	return all, nil
}

func totals(name string) (float64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()

	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if count, found := strings.CutPrefix(lines.Text(), "totals: "); found {
			return strconv.ParseFloat(strings.TrimSpace(count), 64)
		}
	}
	return 0, errors.Join(errDump, lines.Err())
}

// times runs the kernels for their shortest turn, in nanoseconds.
func times(program, kernels string) (readings, error) {
	cmd := exec.Command(program, "-signal", "time", "-kernels", kernels)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}

	all := readings{}
	lines := benchfmt.NewReader(bytes.NewReader(out), program)
	for lines.Scan() {
		if result, ok := lines.Result().(*benchfmt.Result); ok {
			seconds, _ := result.Value("sec/op")
			all[strings.TrimPrefix(result.Name.String(), "Kernel/")] = seconds * 1e9
		}
	}
	return all, lines.Err()
}
