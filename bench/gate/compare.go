package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// errSignal reports a signal that is not known, or not to be had here.
var errSignal = errors.New("no such signal here")

// errRounds says that however much slower a kernel is, the rank test cannot say so.
var errRounds = errors.New("too few rounds to show that a kernel is slower")

type comparison struct {
	name       string
	base, head []float64
	change     float64 // of the smallest values, 0.1 for 10 % more
	p          float64
	slower     bool
	faster     bool
	allowed    bool
}

func compare(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(log)
	base := flags.String("base", "HEAD", "a revision, or a folder that holds a copy of the repository")
	head := flags.String("head", "", "a folder that holds the repository; the one of this command without it")
	program := flags.String("program", "bench/kernels", "the folder of the program that runs the kernels, in the repository")
	over := flags.String("over", "", "the folder with the kernels, which is laid over the base's; that of the program without it")
	signal := flags.String("signal", "auto", "counts (needs valgrind), time, or auto: counts where they can be had")
	rounds := flags.Int("rounds", 0, "how often each side runs; 0 for what the signal needs")
	threshold := flags.Float64("threshold", 0, "percents from which a kernel counts as slower; 0 for the signal's own")
	kernels := flags.String("kernels", "", "a regular expression: only kernels of such names")
	allow := flags.String("allow", "^$", "a regular expression: kernels of such names may become slower")
	if err := flags.Parse(args); err != nil {
		return err
	}
	allowed, err := regexp.Compile(*allow)
	if err != nil {
		return err
	}

	m, err := choose(*signal)
	if err != nil {
		return err
	}

	m.rounds = cmp.Or(*rounds, m.rounds)
	m.threshold = cmp.Or(*threshold/100, m.threshold)
	if needed := m.fewestRounds(); m.rounds < needed {
		return fmt.Errorf("%w: %d with the signal %s; at least %d can", errRounds, m.rounds, m.name, needed)
	}
	repository, foreign := root(cmp.Or(*head, "."))
	if foreign != nil {
		repository = *head // a copy, without git
	}
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	start := time.Now()
	built, err := source{*program, cmp.Or(*over, *program)}.buildSides(repository, *base, cmp.Or(*head, repository), dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "built in %.0f s\n", time.Since(start).Seconds())
	all, err := m.interleaved(built, *kernels, log)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].allowed = allowed.MatchString(all[i].name)
	}
	return report(out, m, all, built.ownKernels, time.Since(start))
}

func choose(signal string) (meter, error) {
	_, missing := exec.LookPath("valgrind")
	if signal == "counts" && missing != nil {
		return meter{}, fmt.Errorf("%w: %w", errSignal, missing)
	}

	countable := missing == nil
	switch {
	case signal == "counts", signal == "auto" && countable:
		return counting(), nil
	case signal == "time", signal == "auto":
		return timing(), nil
	default:
		return meter{}, fmt.Errorf("%q: %w", signal, errSignal)
	}
}

// interleaved measures base and head in turns; who is first changes every round.
func (m meter) interleaved(built sides, kernels string, log io.Writer) ([]comparison, error) {
	samples := [2]map[string][]float64{{}, {}}
	programs := [2]string{built.base, built.head}
	var names []string
	for round := range m.rounds {
		for i := range programs {
			side := (i + round) % 2
			found, err := m.measure(programs[side], kernels)
			if err != nil {
				return nil, err
			}

			for name, value := range found.values {
				samples[side][name] = append(samples[side][name], value)
			}
			if side == 1 {
				names = found.names
			}
		}
		fmt.Fprintf(log, "round %d of %d\n", round+1, m.rounds)
	}

	var all []comparison
	for _, name := range names {
		if base, both := samples[0][name]; both {
			all = append(all, m.judge(name, base, samples[1][name]))
		}
	}
	return all, nil
}

// fewestRounds returns how many rounds it takes until sides that always differ count as
// different.
func (m meter) fewestRounds() int {
	var base, head []float64
	for m.judge("", append(base, 1), append(head, 2)).p >= m.alpha {
		base, head = append(base, 1), append(head, 2)
	}
	return len(base) + 1
}

// judge compares the samples of one kernel. What disturbs a measurement only adds
// to it, so the smallest of each side is nearest to the truth; for a change that
// counts the median has to show at least half of it too, and the ranks differ.
func (m meter) judge(name string, base, head []float64) comparison {
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = m.alpha

	b, h := benchmath.NewSample(slices.Clone(base), &thresholds), benchmath.NewSample(slices.Clone(head), &thresholds)
	c := comparison{name: name, base: base, head: head}
	c.change = slices.Min(head)/slices.Min(base) - 1
	c.p = benchmath.AssumeNothing.Compare(b, h).P
	center := func(s *benchmath.Sample) float64 { return benchmath.AssumeNothing.Summary(s, 0.5).Center }
	median := center(h)/center(b) - 1
	counts := c.p < m.alpha && math.Abs(c.change) >= m.threshold && math.Abs(median) >= m.threshold/2 && median*c.change > 0
	c.slower, c.faster = counts && c.change > 0, counts && c.change < 0
	return c
}
