package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/propalg/propalg/fuzz"
)

const (
	minTurn = 2 * time.Second
	// How long a target may go on after its time, before it is interrupted: an
	// input may take 10 s before go's fuzzing gives it up, and is minimised then.
	grace = 90 * time.Second
	// How long it may go on after that, before it is killed.
	killDelay = 15 * time.Second
	// How much work an input that reached new code is worth: few executions, as
	// there are many such inputs. Findings get -minimize.
	minimizeNew = "50x"
	// What is kept of the output of one turn, of its beginning and of its end.
	outputPart = 64 << 10

	folderMode = 0o755
	fileMode   = 0o644
)

// ended is the outcome of a turn.
type ended struct {
	progress
	output  string // shortened in the middle if long
	took    time.Duration
	late    bool // it did not end by itself
	err     error
	skipped int64 // how many inputs the target skipped, if it uses fuzz.Native
}

// job is one run of a target.
type job struct {
	target
	corpus   string // the folder of its package's corpora
	length   time.Duration
	minimize string
	workers  int
}

// do runs a target and listens to what it says.
func (j job) do(ctx context.Context) ended {
	limited, cancel := context.WithTimeout(ctx, j.length+grace)
	defer cancel()

	command := exec.CommandContext(limited, j.program,
		"-test.run=^$", "-test.fuzz=^"+j.name+"$",
		"-test.fuzztime="+j.length.Round(time.Millisecond).String(),
		"-test.fuzzcachedir="+j.corpus,
		"-test.fuzzminimizetime="+j.minimize,
		fmt.Sprintf("-test.parallel=%d", j.workers),
	)
	counts, remove := skipCounts()
	defer remove()

	command.Env = append(os.Environ(), fuzz.SkippedVar+"="+counts)
	heard := &listener{lines: newLines()}
	command.Dir, command.Stdout, command.Stderr = j.dir, heard, heard
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = killDelay

	began := time.Now()
	err := command.Run()

	return ended{
		progress: heard.all(), output: heard.text(), took: time.Since(began),
		late: limited.Err() != nil && ctx.Err() == nil, err: err, skipped: sizeOf(counts),
	}
}

// skipCounts returns the name of a file for a target to count skipped inputs in;
// without one, where it cannot be made, nothing is counted.
func skipCounts() (name string, remove func()) {
	file, err := os.CreateTemp("", "skipped")
	if err != nil {
		return "", func() {}
	}

	_ = file.Close() // nothing was written

	return file.Name(), func() { _ = os.Remove(file.Name()) } // a file that is left does no harm
}

// sizeOf returns the size of a file, or 0.
func sizeOf(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}

	return info.Size()
}

// listener is the standard output and error of a target.
type listener struct {
	lines    lines
	mu       sync.Mutex
	progress progress
	rest     []byte // a line that has not ended yet
	head     []byte
	tail     []byte
}

// Write takes in whole lines.
func (l *listener) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.rest = append(l.rest, data...)

	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			break
		}

		l.keep(line)
		l.rest = rest
	}

	if len(l.rest) > outputPart { // no line is so long that means something here
		l.keep(l.rest)
		l.rest = nil
	}

	return len(data), nil
}

func (l *listener) keep(line []byte) {
	l.progress.line(l.lines, string(line))

	if bytes.HasPrefix(line, []byte("fuzz: elapsed:")) {
		return
	}

	line = append(line[:len(line):len(line)], '\n')
	if l.tail == nil && len(l.head)+len(line) <= outputPart {
		l.head = append(l.head, line...)

		return
	}

	if l.tail = append(l.tail, line...); len(l.tail) > 2*outputPart {
		l.tail = append([]byte("[...]\n"), l.tail[len(l.tail)-outputPart:]...)
	}
}

func (l *listener) all() progress {
	l.mu.Lock()
	defer l.mu.Unlock()

	if len(l.rest) > 0 {
		l.keep(l.rest)
		l.rest = nil
	}

	return l.progress
}

func (l *listener) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()

	return string(l.head) + string(l.tail)
}

// corpusOf is the folder of one target's corpus.
func (cfg config) corpusOf(t target) string {
	return filepath.Join(cfg.packageCorpus(t), t.name)
}

// packageCorpus is the folder of the corpora of a target's package.
func (cfg config) packageCorpus(t target) string {
	return filepath.Join(cfg.dir, "corpus", filepath.FromSlash(t.folder))
}
