package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/interop/pulumi/internal/differential"
)

// choose finds laws by their names.
func choose(names string) ([]differential.Law, error) {
	all := differential.Laws()
	if names == "all" {
		return all, nil
	}
	var chosen []differential.Law
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(all, func(l differential.Law) bool { return l.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no law %q", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// lawRun checks the differential laws, round after round, each with a seed of its
// own: the same flags check the same inputs, as many as the time allows.
type lawRun struct {
	out      io.Writer
	laws     []differential.Law
	tallies  []differential.Tally
	first    uint64 // seed of the first round
	most     uint64 // rounds
	checks   int    // inputs of each law and round
	workers  int
	deadline time.Time
	rounds   uint64
	failed   []bool
}

// run returns how many laws failed. A law that failed is checked no more.
func (r *lawRun) run() (wrong uint64, err error) {
	r.tallies = make([]differential.Tally, len(r.laws))
	r.failed = make([]bool, len(r.laws))
	begin := time.Now()
	for r.rounds < r.most && time.Now().Before(r.deadline) {
		for name, text := range map[string]string{
			"rapid.seed": strconv.FormatUint(r.first+r.rounds, 10), "rapid.checks": strconv.Itoa(r.checks), "rapid.nofailfile": "true",
		} {
			if err := flag.Set(name, text); err != nil {
				return 0, err
			}
		}
		r.round()
		r.rounds++
		if r.rounds%100 == 0 {
			fmt.Fprintf(r.out, "%v: %d rounds\n", time.Since(begin).Round(time.Second), r.rounds)
		}
	}
	for _, f := range r.failed {
		if f {
			wrong++
		}
	}
	r.print(time.Since(begin), wrong)
	return wrong, nil
}

// round checks every law with one seed, some at once.
func (r *lawRun) round() {
	var wait sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range r.workers {
		wait.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(r.laws) {
					return
				}
				if r.failed[i] || r.one(i) {
					continue
				}
				r.failed[i] = true
			}
		})
	}
	wait.Wait()
}

// one checks one law, and reports whether it holds.
func (r *lawRun) one(i int) bool {
	law := r.laws[i]
	var t verdict
	done := make(chan struct{})
	go func() { // FailNow leaves it
		defer close(done)
		rapid.Check(&t, func(t *rapid.T) { law.Check(t, &r.tallies[i]) })
	}()
	<-done
	if !t.Failed() {
		return true
	}
	fmt.Fprintf(r.out, "DISAGREEMENT: law %s, -seed %d -checks %d\n%s\n", law.Name, r.first+r.rounds, r.checks, t.text.String())
	return false
}

func (r *lawRun) print(took time.Duration, wrong uint64) {
	fmt.Fprintf(r.out, "laws: %d rounds from seed %d, %d inputs of each law a round, in %v\n", r.rounds, r.first, r.checks, took.Round(time.Millisecond))
	for i, law := range r.laws {
		fmt.Fprintf(r.out, "%s\n", law.Name)
		for _, outcome := range r.tallies[i].Outcomes() {
			fmt.Fprintf(r.out, "%12d  %s\n", r.tallies[i].Count(outcome), outcome)
		}
	}
	fmt.Fprintf(r.out, "%12d  laws with a disagreement\n", wrong)
}
