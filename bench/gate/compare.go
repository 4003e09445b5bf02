package main

import (
	"cmp"
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
)

// What the runtime does meanwhile only adds to a count, so the smallest of some rounds
// counts. docs/notes/gate.md has how far those of equal sides are apart.
const rounds = 4

// comparison is what the counts of one kernel say.
type comparison struct {
	name       string
	base, head float64 // instructions, the smallest of all rounds
	verdict    verdict
}

// change is 0.1 for 10 % more.
func (c comparison) change() float64 { return c.head/c.base - 1 }

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
	threshold := flags.Float64("threshold", 2, "percents from which a kernel counts as slower")
	kernels := flags.String("kernels", "", "a regular expression: only kernels of such names")
	allow := flags.String("allow", "^$", "a regular expression: kernels of such names may become slower")
	if err := flags.Parse(args); err != nil {
		return err
	}
	allowable, err := regexp.Compile(*allow)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return err
	}

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
	all, err := interleaved(built, *kernels, log)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].judge(*threshold/100, allowable)
	}

	fmt.Fprintf(log, "%d rounds in %.0f s\n", rounds, time.Since(start).Seconds())
	if built.ownKernels {
		fmt.Fprintln(out, "the base does not compile with the head's kernels and ran its own")
	}
	return report(out, all, *threshold)
}

// interleaved counts both sides in turns, and returns the kernels that both have.
func interleaved(built sides, kernels string, log io.Writer) ([]comparison, error) {
	least := [2]map[string]float64{{}, {}}
	programs := [2]string{built.base, built.head}
	for round := range rounds {
		for side, program := range programs {
			found, err := instructions(program, kernels)
			if err != nil {
				return nil, err
			}
			for name, n := range found {
				least[side][name] = min(n, cmp.Or(least[side][name], n))
			}
		}
		fmt.Fprintf(log, "round %d of %d\n", round+1, rounds)
	}

	var all []comparison
	for name, head := range least[1] {
		if base, both := least[0][name]; both {
			all = append(all, comparison{name: name, base: base, head: head})
		}
	}
	return all, nil
}

func (c *comparison) judge(threshold float64, allowable *regexp.Regexp) {
	change := c.change()
	switch {
	case math.Abs(change) < threshold:
		c.verdict = same
	case change < 0:
		c.verdict = faster
	case allowable.MatchString(c.name):
		c.verdict = allowed
	default:
		c.verdict = slower
	}
}

// report prints the verdict, then what changed, the largest change first, and one line for
// all the rest. Its error says that something is slower.
func report(out io.Writer, all []comparison, threshold float64) error {
	slices.SortFunc(all, func(a, b comparison) int {
		return cmp.Or(cmp.Compare(b.change(), a.change()), strings.Compare(a.name, b.name))
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
		word, n[slower], len(all), threshold, n[faster], n[allowed])
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if n[same] < len(all) {
		fmt.Fprintln(rows, "instructions\tbase\thead\tchange\t")
	}

	low, high := 0.0, 0.0
	for _, c := range all {
		if c.verdict == same {
			low, high = min(low, c.change()), max(high, c.change())
			continue
		}
		fmt.Fprintf(rows, "%s\t%.4g\t%.4g\t%+.1f %%\t  %s\n", c.name, c.base, c.head, c.change()*100, c.verdict)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d kernels the same: %+.1f %% … %+.1f %% instructions\n", n[same], low*100, high*100)
	return failed
}
