package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	progressAfter = time.Second            // shorter commands show no progress
	progressEvery = 200 * time.Millisecond // between updates
)

// progress is a line on standard error that says what a command is doing, if that is
// a terminal and the command takes a while. It is erased when the command writes
// anything.
type progress struct {
	over  chan struct{}
	ended sync.Once
	shown sync.WaitGroup
	stage atomic.Pointer[func() string]
}

// startProgress starts to show the progress of a command.
func startProgress(name string, to io.Writer) *progress {
	p := &progress{over: make(chan struct{})}
	p.report(func() string { return "working" })
	if f, ok := to.(*os.File); ok && isTerminal(f) {
		p.shown.Go(func() { p.show(name, f) })
	}
	return p
}

// report shows a text from now on, which another goroutine asks for.
func (p *progress) report(stage func() string) { p.stage.Store(&stage) }

func (p *progress) end() {
	p.ended.Do(func() { close(p.over) })
	p.shown.Wait()
}

func (p *progress) show(name string, to io.Writer) {
	widest := 0
	wait := time.NewTimer(progressAfter)
	defer wait.Stop()

	for {
		select {
		case <-p.over:
			if widest > 0 {
				_, _ = fmt.Fprintf(to, "\r%*s\r", widest, "")
			}
			return
		case <-wait.C:
		}

		text := "propalg " + name + ": " + (*p.stage.Load())()
		widest = max(widest, len(text))
		_, _ = fmt.Fprintf(to, "\r%-*s", widest, text)
		wait.Reset(progressEvery)
	}
}

// afterProgress ends the progress before it writes.
type afterProgress struct {
	progress *progress
	to       io.Writer
}

// Write ends the progress and writes.
func (a afterProgress) Write(text []byte) (int, error) {
	a.progress.end()
	return a.to.Write(text)
}

// percentOf says how much of an input was read, in percent if its size is known.
func percentOf(done, size int64) string {
	if size <= 0 {
		return fmt.Sprintf("reading, %d MB", done>>20)
	}
	return fmt.Sprintf("reading, %d %%", min(100*done/size, 100))
}

// counter counts the bytes that are written to it.
type counter struct{ atomic.Int64 }

// Write counts.
func (c *counter) Write(p []byte) (int, error) {
	c.Add(int64(len(p)))
	return len(p), nil
}
