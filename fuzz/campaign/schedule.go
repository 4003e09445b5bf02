package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// extraTurns is how many turns an idle target gets after the time is up.
const extraTurns = 2

// campaign is one run of the program.
type campaign struct {
	config
	out     io.Writer
	began   time.Time
	targets []*progressed

	mu       sync.Mutex // of all below, and of the targets' figures
	failures []string   // what could not be built or listed
	earlier  summary    // of the campaigns before
	deadline time.Time
	fuzzed   time.Duration // how long targets took turns; 0 before the end
}

// progressed is a target and its progress in this campaign.
type progressed struct {
	target
	figures
	skipped  int64 // of the executions, those whose target skipped the input
	turns    int
	extra    int           // turns after the time was up
	spent    time.Duration // with the whole of a turn that runs
	running  bool
	findings []finding
	fixed    []string // findings of the past that fail no more
}

// run is the whole campaign. Its error is one of usage.
func (c *campaign) run(ctx context.Context) (code int, err error) {
	if c.earlier, err = readSummary(c.dir); err != nil {
		return exitBad, err
	}

	if err := c.find(ctx); err != nil && ctx.Err() == nil {
		return exitBad, err
	}

	switch {
	case c.list:
		for _, t := range c.targets {
			fmt.Fprintln(c.out, t.id())
		}

		return c.code(), nil
	case len(c.targets) == 0 && len(c.failures) == 0 && ctx.Err() == nil:
		return exitBad, fmt.Errorf("no target matches %q", c.match)
	}

	fmt.Fprintf(c.out, "%d targets, %v in all, %d at a time, %d workers each, in %s\n", len(c.targets), c.total, c.jobs, c.workers, c.dir)

	began := time.Now()
	c.deadline = began.Add(c.total)

	var workers sync.WaitGroup
	for range c.jobs {
		workers.Go(func() { c.takeTurns(ctx) })
	}

	workers.Wait()
	c.missed(ctx)

	c.fuzzed = time.Since(began)
	if err := c.writeSummary(ctx.Err() != nil); err != nil {
		return exitBad, err
	}

	fmt.Fprint(c.out, "\n", c.summary(ctx.Err() != nil).text())

	return c.code(), nil
}

// code is the exit code.
func (c *campaign) code() int {
	c.mu.Lock()
	defer c.mu.Unlock()

	if len(c.failures) > 0 {
		return exitFound
	}

	for _, t := range c.targets {
		if len(t.findings) > 0 {
			return exitFound
		}
	}

	return exitClean
}

// fail notes that a part of the tree cannot be fuzzed.
func (c *campaign) fail(what string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.failures = append(c.failures, what+": "+err.Error())
	fmt.Fprintf(c.out, "FAILED %s: %v\n", what, err)
}

// takeTurns gives one target after the other its turn, until time is up.
func (c *campaign) takeTurns(ctx context.Context) {
	for ctx.Err() == nil {
		t, length := c.next()
		if t == nil {
			return
		}

		c.turn(ctx, t, length)
	}
}

// next chooses the target that had the least time, and how much it gets: what it
// lacks to a fair share, or -slice. One that has found something waits.
func (c *campaign) next() (t *progressed, length time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()

	left := time.Until(c.deadline)
	if left < time.Second {
		return c.late()
	}

	live, sum := 0, time.Duration(c.jobs)*left

	for _, candidate := range c.targets {
		if len(candidate.findings) > 0 {
			continue
		}

		live++
		sum += candidate.spent

		if !candidate.running && (t == nil || candidate.spent < t.spent) {
			t = candidate
		}
	}

	if t == nil {
		return nil, 0
	}

	length = min(max(minTurn, min(sum/time.Duration(live)-t.spent, c.slice)), left)
	t.running = true
	t.spent += length

	return t, length
}

// late is next when the time is up: only for -every, and only for targets that have
// run nothing but their seeds.
func (c *campaign) late() (t *progressed, length time.Duration) {
	if !c.every {
		return nil, 0
	}

	for _, t := range c.targets {
		if t.idle() && !t.running && t.extra < extraTurns {
			t.running = true
			t.extra++
			t.spent += c.slice

			return t, c.slice
		}
	}

	return nil, 0
}

// idle says whether a target has found nothing because it has run nothing.
func (t *progressed) idle() bool { return t.Executions == 0 && len(t.findings) == 0 }

// missed notes, for -every, which targets have not been fuzzed.
func (c *campaign) missed(ctx context.Context) {
	if !c.every || ctx.Err() != nil {
		return
	}

	for _, t := range c.targets {
		if t.idle() {
			c.fail(t.id(), fmt.Errorf("no input but the seeds was run in %d turns of %v in all", t.turns, t.spent.Round(time.Second)))
		}
	}
}

// turn runs one target once.
func (c *campaign) turn(ctx context.Context, t *progressed, length time.Duration) {
	retried := c.retryFindings(t.target)
	j := job{target: t.target, corpus: c.packageCorpus(t.target), length: length, minimize: minimizeNew, workers: c.workers}
	end := j.do(ctx)
	found, isFinding := c.finding(ctx, t.target, end)

	var fixed []string
	if end.gathered && !isFinding {
		fixed = c.moveFixed(t.target, retried)
	}

	c.mu.Lock()
	defer c.mu.Unlock()

	t.running = false
	t.turns++
	t.spent += end.took - length
	t.Executions += end.Executions
	t.skipped += end.skipped
	t.Interesting += end.Interesting
	t.Corpus = max(t.Corpus, end.Corpus)
	t.fixed = append(t.fixed, fixed...)

	fmt.Fprintf(c.out, "%8v  %-44s %5.0f s %10d executions %8.0f/s %6d skipped %5d new %6d corpus\n",
		time.Since(c.began).Round(time.Second), t.id(), end.took.Seconds(), end.Executions,
		perSecond(end.Executions, end.took), end.skipped, end.Interesting, end.Corpus)

	for _, name := range fixed {
		fmt.Fprintf(c.out, "          fails no more: %s\n", name)
	}

	if isFinding {
		t.findings = append(t.findings, found)
		fmt.Fprintf(c.out, "FOUND     %s: %s\n          %s\n", t.id(), found.Why, found.Report)
	}

	if err := c.writeSummaryLocked(ctx.Err() != nil); err != nil {
		fmt.Fprintf(c.out, "FAILED    %v\n", err)
	}
}

// perSecond is a rate.
func perSecond(n int64, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}

	return float64(n) / took.Seconds()
}
