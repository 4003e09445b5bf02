package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/propalg/propalg/fuzz"
)

const (
	// How long a target may go on after its time, before it is interrupted: an
	// input may take 10 s before go's fuzzing gives it up, and is minimised then.
	grace = 90 * time.Second
	// How long it may go on after that, before it is killed.
	killDelay = 15 * time.Second
	// How much of its output is printed when it has found something.
	outputPart = 32 << 10
)

// turn runs a target once, for a while.
func (c *campaign) turn(ctx context.Context, t *target, length time.Duration) {
	limited, cancel := context.WithTimeout(ctx, length+grace)
	defer cancel()

	log, counts := t.log(c.dir), t.log(c.dir)+".skipped"
	began := time.Now()
	err := c.execute(limited, t, length, log, counts)

	c.mu.Lock()
	defer c.mu.Unlock()

	text, readErr := os.ReadFile(log)
	if err == nil {
		err = readErr
	}

	p := parse(string(text))
	t.took += time.Since(began)
	t.Executions += p.Executions
	t.Interesting += p.Interesting
	t.Corpus = p.Corpus
	t.skipped += sizeOf(counts)
	t.found = t.found || found(p, err, limited.Err() != nil && ctx.Err() == nil, ctx.Err() != nil)

	fmt.Fprintln(c.out, t.line())

	if t.found {
		fmt.Fprintf(c.out, "in %s: %v\n%s", t.folder, err, excerpt(text))

		if input, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(p.input))); p.input != "" && err == nil {
			fmt.Fprintf(c.out, "%s\n", input)
		}
	}
}

// execute runs a target's program. What it says goes to a file, and so does a byte
// for each input that it skips, if it uses fuzz.Native.
func (c *campaign) execute(ctx context.Context, t *target, length time.Duration, log, counts string) error {
	if err := os.MkdirAll(filepath.Dir(log), folderMode); err != nil {
		return err
	}

	file, err := os.Create(log)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // what was not written is missing from the log

	if err := os.WriteFile(counts, nil, fileMode); err != nil {
		return err
	}

	command := exec.CommandContext(ctx, t.program,
		"-test.run=^$", "-test.fuzz=^"+t.name+"$",
		"-test.fuzztime="+length.Round(time.Millisecond).String(),
		"-test.fuzzcachedir="+filepath.Join(c.dir, "corpus", filepath.FromSlash(t.folder)),
		"-test.fuzzminimizetime="+c.minimize,
		fmt.Sprintf("-test.parallel=%d", c.workers),
	)
	command.Env = append(os.Environ(), fuzz.SkippedVar+"="+counts)
	command.Dir, command.Stdout, command.Stderr = t.dir, file, file
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = killDelay

	return command.Run()
}

// found says whether a turn that ended so has found something: by itself with an
// error, or late, but not because the campaign was interrupted or time ran out.
func found(p progress, err error, late, interrupted bool) bool {
	if p.input != "" || p.seed != "" || late {
		return true
	}

	return !p.ranOut() && (p.failed || err != nil && !interrupted)
}

// excerpt is the beginning and the end of an output, without lines of progress.
func excerpt(text []byte) []byte {
	var kept []byte

	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("fuzz: elapsed:")) {
			kept = append(kept, line...)
		}
	}

	if len(kept) > 2*outputPart {
		tail := bytes.Clone(kept[len(kept)-outputPart:])
		kept = append(append(kept[:outputPart], "\n[...]\n"...), tail...)
	}

	return kept
}

// log is the file of a target's output.
func (t *target) log(dir string) string {
	return filepath.Join(dir, "logs", strings.ReplaceAll(t.id(), "/", "_")+".txt")
}

// line is a target's row of the table.
func (t *target) line() string {
	line := fmt.Sprintf("%-44s %8.0f %12d %9.0f %8d %6d %7d", t.id(), t.took.Seconds(), t.Executions,
		float64(t.Executions)/max(t.took.Seconds(), 1), t.skipped, t.Interesting, t.Corpus)
	if t.found {
		line += "  FOUND"
	}

	return line
}

// idle says whether a target has found nothing because it has run nothing.
func (t *target) idle() bool { return t.Executions == 0 && !t.found }

// sizeOf returns the size of a file, or 0.
func sizeOf(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}

	return info.Size()
}
