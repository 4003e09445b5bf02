package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// simulate lets n targets take turns by next alone, in fake time, each turn as
// long as it was given, and returns how long each was at it. Target i stands back
// after stops[i] turns.
func simulate(t *testing.T, n, jobs int, total, slice time.Duration, stops map[int]int) (spent []time.Duration, turns int) {
	t.Helper()

	c := &campaign{config: config{jobs: jobs, slice: slice}, deadline: time.Now().Add(total)}
	for range n {
		c.targets = append(c.targets, &progressed{})
	}

	done := make(chan int)

	for range jobs {
		go func() {
			taken := 0

			for {
				target, length := c.next()
				if target == nil {
					done <- taken

					return
				}

				time.Sleep(length)
				c.mu.Lock()
				target.running = false
				target.turns++
				taken++

				for i := range c.targets {
					if limit, ok := stops[i]; ok && c.targets[i] == target && target.turns == limit {
						target.findings = []finding{{}}
					}
				}
				c.mu.Unlock()
			}
		}()
	}

	for range jobs {
		turns += <-done
	}

	for _, target := range c.targets {
		spent = append(spent, target.spent)
	}

	return spent, turns
}

// TestFairShares: all get the same, all of the time is used, and what one leaves
// that found something goes to the others.
func TestFairShares(t *testing.T) {
	for i, row := range []struct {
		targets, jobs int
		total, slice  time.Duration
		stops         map[int]int
		want          time.Duration // of each that does not stop
		turns         int
	}{
		{10, 1, 10 * time.Minute, time.Minute, nil, time.Minute, 10},
		{10, 2, 10 * time.Minute, time.Minute, nil, 2 * time.Minute, 20},
		{7, 1, 35 * time.Minute, time.Minute, nil, 5 * time.Minute, 35},
		{60, 1, 2 * time.Minute, time.Minute, nil, 2 * time.Second, 60},
		{1, 1, 10 * time.Second, time.Minute, nil, 10 * time.Second, 1},
		{3, 1, 30 * time.Minute, time.Minute, map[int]int{1: 2}, 14 * time.Minute, 30},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			spent, turns := simulate(t, row.targets, row.jobs, row.total, row.slice, row.stops)

			if took := time.Since(began); took > row.total || took < row.total-2*time.Second || turns != row.turns {
				t.Errorf("row %d: %v of %v, %d turns", i, took, row.total, turns)
			}

			for j, got := range spent {
				if _, stopped := row.stops[j]; !stopped && (got-row.want).Abs() > time.Second {
					t.Errorf("row %d: target %d had %v, not %v", i, j, got, row.want)
				}
			}
		})
	}
}

// TestEveryTarget: what has run only its seeds gets two longer turns when the time is
// up, and is a failure then; what has run or found something does not, and is none.
func TestEveryTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder

		c := &campaign{config: config{jobs: 1, slice: time.Minute, every: true}, out: &out, deadline: time.Now().Add(8 * time.Second)}
		for _, name := range []string{"FuzzStuck", "FuzzSlow", "FuzzFine", "FuzzFound"} {
			c.targets = append(c.targets, &progressed{target: target{folder: "a", name: name}})
		}

		began := time.Now()

		var order []string

		for {
			next, length := c.next()
			if next == nil {
				break
			}

			time.Sleep(length)
			next.running = false
			next.turns++

			switch order = append(order, next.name); next.name {
			case "FuzzSlow":
				next.Executions = int64(length / time.Minute)
			case "FuzzFine":
				next.Executions = 1
			case "FuzzFound":
				next.findings = []finding{{}}
			}
		}

		want := []string{"FuzzStuck", "FuzzSlow", "FuzzFine", "FuzzFound", "FuzzStuck", "FuzzStuck", "FuzzSlow"}
		if took := time.Since(began); took != 8*time.Second+3*time.Minute || !slices.Equal(order, want) {
			t.Errorf("%v: %v", took, order)
		}

		ended, cancel := context.WithCancel(context.Background())
		cancel()
		c.missed(ended)

		if c.failures != nil {
			t.Errorf("interrupted: %v", c.failures)
		}

		c.missed(context.Background())

		if want := []string{"a.FuzzStuck: no input but the seeds was run in 3 turns of 2m2s in all"}; !slices.Equal(c.failures, want) || c.code() == exitClean {
			t.Errorf("%q, exit %d", c.failures, c.code())
		}
	})
}

// TestTooLittleTime: with less than a turn each, some have none, and the time
// given is not overrun.
func TestTooLittleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		spent, turns := simulate(t, 100, 1, 20*time.Second, time.Minute, nil)

		if took := time.Since(began); took > 20*time.Second || turns != 10 || spent[0] != minTurn || spent[99] != 0 {
			t.Errorf("%v, %d turns, the first had %v, the last %v", took, turns, spent[0], spent[99])
		}
	})
}
