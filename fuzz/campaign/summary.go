package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// End says how a campaign ended.
const (
	endTime        = "time was up"
	endInterrupted = "interrupted"
)

// summary is what summary.json holds.
type summary struct {
	Began      time.Time `json:"began"`
	End        string    `json:"end"`     // endTime, endInterrupted, or "" while it runs
	Seconds    float64   `json:"seconds"` // of fuzzing, without building
	Jobs       int       `json:"jobs"`
	Workers    int       `json:"workers"` // of each job
	Go         string    `json:"go"`
	Platform   string    `json:"platform"`
	Executions int64     `json:"executions"`
	Findings   int       `json:"findings"`
	Failures   []string  `json:"failures"` // what could not be built or listed
	Targets    []row     `json:"targets"`  // in order of their names
}

// row is one target. Of one that was not run this time all but All is zero.
type row struct {
	Package string `json:"package"` // its folder
	Target  string `json:"target"`
	Turns   int    `json:"turns"`
	sums
	Rate     float64   `json:"rate"`   // executions in a second
	Corpus   int       `json:"corpus"` // inputs, seeds among them
	Findings []finding `json:"findings"`
	Fixed    []string  `json:"fixed"` // names of findings of the past that fail no more
	All      sums      `json:"all"`   // of all campaigns in this folder, this one too
}

// sums are figures that add up.
type sums struct {
	Seconds     float64 `json:"seconds"`
	Executions  int64   `json:"executions"`
	Skipped     int64   `json:"skipped"`     // of these, where the law rejected all that the input drew
	Interesting int     `json:"interesting"` // inputs that reached new code
}

func (s sums) plus(other sums) sums {
	return sums{s.Seconds + other.Seconds, s.Executions + other.Executions, s.Skipped + other.Skipped, s.Interesting + other.Interesting}
}

func (r row) id() string { return target{folder: r.Package, name: r.Target}.id() }

// readSummary reads what the campaigns before have written; without one it is
// empty.
func readSummary(dir string) (summary, error) {
	var s summary

	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}

	if err == nil {
		err = json.Unmarshal(data, &s)
	}

	if err != nil {
		return s, fmt.Errorf("the summary of the campaigns before: %w", err)
	}

	return s, nil
}

func (c *campaign) summary(interrupted bool) summary {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.summaryLocked(interrupted)
}

func (c *campaign) summaryLocked(interrupted bool) summary {
	s := summary{
		Began: c.began.UTC().Truncate(time.Second), Seconds: rounded(c.fuzzed), Jobs: c.jobs, Workers: c.workers,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Failures: append([]string{}, c.failures...),
	}

	switch {
	case interrupted:
		s.End = endInterrupted
	case c.fuzzed > 0:
		s.End = endTime
	}

	earlier := map[string]row{}
	for _, r := range c.earlier.Targets {
		earlier[r.id()] = r
	}

	for _, t := range c.targets {
		r := row{
			Package: t.folder, Target: t.name, Turns: t.turns,
			sums:   sums{rounded(t.spent), t.Executions, t.skipped, t.Interesting},
			Corpus: t.Corpus, Findings: append([]finding{}, t.findings...), Fixed: append([]string{}, t.fixed...),
		}
		if t.running { // its turn is not over
			r.Seconds = min(r.Seconds, rounded(time.Since(c.began)))
		}

		r.Rate = perSecond(r.Executions, t.spent)
		r.All = earlier[r.id()].All.plus(r.sums)
		s.Executions += r.Executions
		s.Findings += len(r.Findings)
		s.Targets = append(s.Targets, r)

		delete(earlier, r.id())
	}

	for _, r := range earlier {
		s.Targets = append(s.Targets, row{Package: r.Package, Target: r.Target, Corpus: r.Corpus, All: r.All})
	}

	slices.SortFunc(s.Targets, func(a, b row) int { return cmp.Compare(a.id(), b.id()) })

	return s
}

// rounded is seconds, to the tenth.
func rounded(d time.Duration) float64 { return d.Round(100 * time.Millisecond).Seconds() }

func (c *campaign) writeSummary(interrupted bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.writeSummaryLocked(interrupted)
}

func (c *campaign) writeSummaryLocked(interrupted bool) error {
	s := c.summaryLocked(interrupted)

	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}

	if err := writeFile(filepath.Join(c.dir, "summary.txt"), []byte(s.text())); err != nil {
		return err
	}

	return writeFile(filepath.Join(c.dir, "summary.json"), append(data, '\n'))
}

// text is the summary as a table.
func (s summary) text() string {
	var b strings.Builder

	fmt.Fprintf(&b, "Campaign of %s, %.0f s of fuzzing, %d at a time, %d workers each, %s %s: %s\n\n",
		s.Began.Format(time.RFC3339), s.Seconds, s.Jobs, s.Workers, s.Go, s.Platform, cmp.Or(s.End, "running"))
	fmt.Fprintf(&b, "%-44s %8s %12s %9s %8s %6s %7s %9s %10s %14s\n",
		"target", "seconds", "executions", "a second", "skipped", "new", "corpus", "findings", "all s", "all executions")

	var (
		all     sums
		skipped int64
	)

	for _, r := range s.Targets {
		skipped += r.Skipped

		fmt.Fprintf(&b, "%-44s %8.0f %12d %9.0f %8d %6d %7d %9d %10.0f %14d\n",
			r.id(), r.Seconds, r.Executions, r.Rate, r.Skipped, r.Interesting, r.Corpus, len(r.Findings), r.All.Seconds, r.All.Executions)

		all = all.plus(r.All)
	}

	fmt.Fprintf(&b, "%-44s %8.0f %12d %9s %8d %6s %7s %9d %10.0f %14d\n", fmt.Sprintf("%d targets", len(s.Targets)),
		s.Seconds, s.Executions, "", skipped, "", "", s.Findings, all.Seconds, all.Executions)

	for _, r := range s.Targets {
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "\nFOUND %s: %s\n  %s\n", r.id(), f.Why, f.Report)
		}

		for _, name := range r.Fixed {
			fmt.Fprintf(&b, "\nfails no more: %s, %s\n", r.id(), name)
		}
	}

	for _, f := range s.Failures {
		fmt.Fprintf(&b, "\nFAILED %s\n", f)
	}

	return b.String()
}
