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
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/perf/benchmath"
)

// errSignal reports a signal that is not known, or not to be had here.
var errSignal = errors.New("no such signal here")

// comparison is what the samples of one kernel say.
type comparison struct {
	name       string
	base, head float64 // the smallest samples
	change     float64 // 0.1 for 10 % more
	p          float64
	verdict    verdict
}

type verdict int

const (
	same verdict = iota
	faster
	slower
	allowed // slower, which -allow says is all right
)

func (v verdict) String() string {
	return [...]string{"the same", "faster", "SLOWER", "slower, allowed"}[v]
}

func compare(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(log)
	base := flags.String("base", "HEAD", "a revision, which is compared with the working tree")
	program := flags.String("program", "bench/kernels", "the folder of the program that runs the kernels, in the repository")
	over := flags.String("over", "", "the folder with the kernels, which is laid over the base's; that of the program without it")
	signal := flags.String("signal", "auto", "counts (needs valgrind), time, or auto: counts where they can be had")
	threshold := flags.Float64("threshold", 0, "percents from which a kernel counts as slower; 0 for the signal's own")
	kernels := flags.String("kernels", "", "a regular expression: only kernels of such names")
	allow := flags.String("allow", "^$", "a regular expression: kernels of such names may become slower")
	if err := flags.Parse(args); err != nil {
		return err
	}
	allowable, err := regexp.Compile(*allow)
	if err != nil {
		return err
	}
	m, err := choose(*signal)
	if err != nil {
		return err
	}

	m.threshold = cmp.Or(*threshold/100, m.threshold)

	repository, err := output(".", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	start := time.Now()
	from := source{strings.TrimSpace(string(repository)), *program, cmp.Or(*over, *program)}
	built, err := from.buildSides(*base, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "built in %.0f s\n", time.Since(start).Seconds())
	all, err := m.interleaved(built, *kernels, log)
	if err != nil {
		return err
	}
	for i, c := range all {
		if c.verdict == slower && allowable.MatchString(c.name) {
			all[i].verdict = allowed
		}
	}

	fmt.Fprintf(log, "%d rounds with %s in %.0f s\n", m.rounds, m.name, time.Since(start).Seconds())
	if built.ownKernels {
		fmt.Fprintln(out, "the base does not compile with the head's kernels and ran its own")
	}
	return m.report(out, all)
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
	for round := range m.rounds {
		for i := range programs {
			side := (i + round) % 2
			found, err := m.measure(programs[side], kernels)
			if err != nil {
				return nil, err
			}

			for name, figure := range found {
				samples[side][name] = append(samples[side][name], figure)
			}
		}
		fmt.Fprintf(log, "round %d of %d\n", round+1, m.rounds)
	}

	var all []comparison
	for name, head := range samples[1] {
		if base, both := samples[0][name]; both {
			all = append(all, m.judge(name, base, head))
		}
	}
	return all, nil
}

// judge compares the samples of one kernel. What disturbs a measurement only adds
// to it, so the smallest of each side is nearest to the truth; for a change that
// counts the median has to show at least half of it too, and the ranks differ.
func (m meter) judge(name string, base, head []float64) comparison {
	c := comparison{name: name, base: slices.Min(base), head: slices.Min(head)}
	c.change = c.head/c.base - 1
	c.p = benchmath.AssumeNothing.Compare(sample(base), sample(head)).P
	byMedian := median(head)/median(base) - 1

	agree := math.Abs(byMedian) >= m.threshold/2 && byMedian*c.change > 0
	switch {
	case c.p >= m.alpha || math.Abs(c.change) < m.threshold || !agree:
	case c.change > 0:
		c.verdict = slower
	default:
		c.verdict = faster
	}
	return c
}

func sample(figures []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(figures), &benchmath.DefaultThresholds)
}

func median(figures []float64) float64 {
	return benchmath.AssumeNothing.Summary(sample(figures), 0.5).Center
}

// report prints the verdict, then what changed, the largest change first, and one line for
// all the rest. Its error says that something is slower.
func (m meter) report(out io.Writer, all []comparison) error {
	slices.SortFunc(all, func(a, b comparison) int {
		return cmp.Or(cmp.Compare(b.change, a.change), strings.Compare(a.name, b.name))
	})
	var n [allowed + 1]int
	for _, c := range all {
		n[c.verdict]++
	}

	word, failed := "ok", error(nil)
	if n[slower] > 0 {
		word, failed = "SLOWER", errSlower
	}
	fmt.Fprintf(out, "%s: %d of %d kernels slower by %.3g %% or more, %d faster, %d allowed\n",
		word, n[slower], len(all), m.threshold*100, n[faster], n[allowed])
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if n[same] < len(all) {
		fmt.Fprintf(rows, "%s\tbase\thead\tchange\tp\t\n", m.unit)
	}

	low, high := 0.0, 0.0
	for _, c := range all {
		if c.verdict == same {
			low, high = min(low, c.change), max(high, c.change)
			continue
		}
		fmt.Fprintf(rows, "%s\t%.4g\t%.4g\t%+.1f %%\t%.3f\t  %s\n", c.name, c.base, c.head, c.change*100, c.p, c.verdict)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d kernels the same: %+.1f %% … %+.1f %% %s\n", n[same], low*100, high*100, m.unit)
	return failed
}
