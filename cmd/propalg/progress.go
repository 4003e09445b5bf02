package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

const (
	progressAfter = time.Second            // what is done sooner needs no progress
	progressEvery = 200 * time.Millisecond // it is told anew
)

// progress tells on standard error how far the index of two stacks is, if that is
// a terminal and it takes a while. The line is gone when end returns.
func (inv *invocation) progress(stacks ...*stack) (end func()) {
	f, ok := inv.err.(*os.File)
	if !ok || !isTerminal(f) {
		return func() {}
	}
	over := make(chan struct{})
	var gone sync.WaitGroup
	gone.Go(func() {
		said := false
		wait := time.NewTimer(progressAfter)
		defer wait.Stop()
		for {
			select {
			case <-over:
				if said {
					_, _ = fmt.Fprintf(f, "\r%*s\r", len(inv.name)+len("propalg : reading, 100 %"), "")
				}
				return
			case <-wait.C:
			}
			said = true
			_, _ = fmt.Fprintf(f, "\rpropalg %s: reading, %d %%", inv.name, percent(stacks))
			wait.Reset(progressEvery)
		}
	})
	return func() {
		close(over)
		gone.Wait()
	}
}

// percent is how much of some stacks is indexed.
func percent(stacks []*stack) int64 {
	var done, size int64
	for _, s := range stacks {
		done += s.done.Load()
		size += s.size
	}
	return 100 * done / max(size, 1)
}
