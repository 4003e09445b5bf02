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
)

// errDump reports that callgrind did not write what the marks ask for.
var errDump = errors.New("callgrind wrote no count")

// callgrind dumps before the function mark.
const mark = "github.com/propalg/propalg/bench/work.mark"

// instructions runs the kernels under callgrind, on one thread and without the collector,
// whose work depends on when it runs, and returns what each of them takes. On some machines valgrind does not know
// RDTSCP, with which the runtime reads the clock where the processor has it.
func instructions(program, kernels string) (map[string]float64, error) {
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	dump := filepath.Join(dir, "dump")
	cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file="+dump, "--dump-before="+mark,
		program, "-kernels", kernels)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	names, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("valgrind: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}

	all := map[string]float64{}
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
