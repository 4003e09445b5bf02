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
	progressAfter = time.Second            // what is done sooner needs no progress
	progressEvery = 200 * time.Millisecond // it is told anew
)

// progress is a line on standard error that says what a command is at, if that is
// a terminal and the command takes a while. It is gone once the command writes
// anything.
type progress struct {
	over  chan struct{}
	ended sync.Once
	gone  sync.WaitGroup
	stage atomic.Pointer[func() string] // nil: nothing more is known than that it works
}

// startProgress begins to tell of a command.
func startProgress(name string, to io.Writer) *progress {
	p := &progress{over: make(chan struct{})}
	if f, ok := to.(*os.File); ok && isTerminal(f) {
		p.gone.Go(func() { p.show(name, f) })
	}
	return p
}

// tell has a text told from now on, that another goroutine asks for.
func (p *progress) tell(stage func() string) { p.stage.Store(&stage) }

// end takes the line away, and shows none any more.
func (p *progress) end() {
	p.ended.Do(func() { close(p.over) })
	p.gone.Wait()
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
		text := "propalg " + name + ": working"
		if stage := p.stage.Load(); stage != nil {
			text = "propalg " + name + ": " + (*stage)()
		}
		widest = max(widest, len(text))
		_, _ = fmt.Fprintf(to, "\r%-*s", widest, text)
		wait.Reset(progressEvery)
	}
}

// afterProgress writes what comes after progress, which ends then.
type afterProgress struct {
	progress *progress
	to       io.Writer
}

// Write writes on.
func (a afterProgress) Write(text []byte) (int, error) {
	a.progress.end()
	return a.to.Write(text)
}

// percentOf says how much is read of what has a known size; else how much it is.
func percentOf(done, size int64) string {
	if size <= 0 {
		return fmt.Sprintf("reading, %d MB", done>>20)
	}
	return fmt.Sprintf("reading, %d %%", min(100*done/size, 100))
}

// counting counts the bytes that are read.
type counting struct {
	from io.Reader
	n    atomic.Int64
}

// Read reads on.
func (c *counting) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n.Add(int64(n))

	return n, err
}
