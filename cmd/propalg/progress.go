package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	progressAfter = time.Second            // shorter commands show no progress
	progressEvery = 200 * time.Millisecond // between updates
)

// progress is a line on standard error that says how long a command has been working, if
// that is a terminal and the command takes a while. It is erased when the command writes
// anything.
type progress struct {
	over  chan struct{}
	ended sync.Once
	shown sync.WaitGroup
}

// startProgress starts to show the progress of a command.
func startProgress(name string, to io.Writer) *progress {
	p := &progress{over: make(chan struct{})}
	if f, ok := to.(*os.File); ok && isTerminal(f) {
		p.shown.Go(func() { p.show(name, f) })
	}
	return p
}

func (p *progress) end() {
	p.ended.Do(func() { close(p.over) })
	p.shown.Wait()
}

func (p *progress) show(name string, to io.Writer) {
	widest, began := 0, time.Now()
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

		text := fmt.Sprintf("propalg %s: working, %d s", name, int(time.Since(began).Seconds()))
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
