package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// report prints what a reviewer needs: the verdict, then what changed, the largest
// change first, and one line for all the rest. Its error says that something is
// slower.
func report(out io.Writer, m meter, all []comparison, ownKernels bool, took time.Duration) error {
	slices.SortStableFunc(all, func(a, b comparison) int { return cmp.Compare(b.change, a.change) })
	var slower, faster, allowed, same int
	for _, c := range all {
		switch {
		case c.slower && c.allowed:
			allowed++
		case c.slower:
			slower++
		case c.faster:
			faster++
		default:
			same++
		}
	}

	verdict := "ok"
	if slower > 0 {
		verdict = "SLOWER"
	}
	fmt.Fprintf(out, "%s: %d of %d kernels slower by %.3g %% or more, %d faster, %d allowed (%s, %d rounds, %.0f s)\n",
		verdict, slower, len(all), m.threshold*100, faster, allowed, m.name, m.rounds, took.Seconds())
	if ownKernels {
		fmt.Fprintln(out, "the base does not compile with the head's kernels and ran its own")
	}
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "\tbase\thead\tchange\tp\t\n"
	low, high := 0.0, 0.0
	for _, c := range all {
		if !c.slower && !c.faster {
			low, high = min(low, c.change), max(high, c.change)
			continue
		}

		note := "faster"
		switch {
		case c.slower && c.allowed:
			note = "slower, allowed"
		case c.slower:
			note = "SLOWER"
		}
		fmt.Fprint(rows, head)
		head = ""
		fmt.Fprintf(rows, "%s\t%.4g\t%.4g\t%+.1f %%\t%.3f\t  %s\n",
			c.name, slices.Min(c.base), slices.Min(c.head), c.change*100, c.p, note)
	}
	if err := rows.Flush(); err != nil {
		return err
	}

	fmt.Fprintf(out, "%d kernels the same: %+.1f %% … %+.1f %% %s\n", same, low*100, high*100, m.unit)
	if slower > 0 {
		return errSlower
	}
	return nil
}
