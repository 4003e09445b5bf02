package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// measured is one line of the tables: a peer's side of a row and ours, which ran in
// the same processes.
type measured struct {
	peer
	unit         string
	ours, theirs float64
	factors      []float64 // of each round
	allocations  string    // ours : theirs
	bytes        string    // likewise
}

// factor is how many times our figure theirs is.
func (m measured) factor() float64 { return m.theirs / m.ours }

// measure returns the lines for peers that have results.
func (r results) measure(peers []peer) []measured {
	var all []measured
	for _, p := range peers {
		for _, module := range []string{"pulumi", "peers"} {
			if m, found := r.line(p, module); found {
				all = append(all, m)
				break
			}
		}
	}
	return all
}

// line compares a peer with our side of the same module, in the unit that the row is
// about.
func (r results) line(p peer, module string) (m measured, found bool) {
	samples := func(side, unit string) []float64 { return r.samples[module+"/"+p.row+"/"+side+" "+unit] }
	unit := "sec/op"
	if len(samples(library, "kept-B")) > 0 {
		unit = "kept-B"
	}
	ours, theirs := samples(library, unit), samples(p.name, unit)
	if len(ours) == 0 || len(theirs) == 0 {
		return measured{}, false
	}

	m = measured{peer: p, unit: unit, ours: median(ours), theirs: median(theirs)}
	for i := range min(len(ours), len(theirs)) {
		m.factors = append(m.factors, theirs[i]/ours[i])
	}
	both := func(unit string) string {
		texts := [2]string{"–", "–"}
		for i, side := range []string{library, p.name} {
			if figures := samples(side, unit); len(figures) > 0 {
				texts[i] = show(median(figures), unit)
			}
		}
		return texts[0] + " : " + texts[1]
	}
	m.allocations, m.bytes = both("allocs/op"), both("B/op")
	return m, true
}

type tables struct {
	results results
	all     []measured
	lacks   map[string]string // by kind and peer, see testdata/lacks.txt of package bench
}

// full is the table of docs/bench.md.
func (t tables) full() string {
	rounds := 0
	for _, m := range t.all {
		rounds = max(rounds, len(m.factors))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Medians of %d interleaved rounds, %s.\n\n", rounds, t.results.head)
	b.WriteString("| work | ours | peer | theirs | factor | lowest – highest | target | allocations, ours : theirs | bytes, ours : theirs | the peer does not |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")

	last := ""
	for _, m := range t.all {
		title := m.title
		if m.row == last {
			title = ""
		}
		last = m.row
		kind, _, _ := strings.Cut(m.row, "-")
		cells := []string{
			title, show(m.ours, m.unit), m.name, show(m.theirs, m.unit), factor(m.factor()), spread(m.factors),
			goal(m.target, m.factor()), m.allocations, m.bytes, t.lacks[kind+" "+m.name],
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}

// short is the table of README.md.
func (t tables) short() string {
	var b strings.Builder
	b.WriteString("| work | ours | peer | theirs | factor | allocations, ours : theirs | bytes, ours : theirs |\n|---|---|---|---|---|---|---|\n")
	for _, m := range t.all {
		if m.inReadme {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", m.title, show(m.ours, m.unit), m.name, show(m.theirs, m.unit),
				factor(m.factor()), m.allocations, m.bytes)
		}
	}
	return b.String()
}

// below are the lines that are below their floor.
func (t tables) below() []string {
	var all []string
	for _, m := range t.all {
		if m.factor() < m.floor {
			all = append(all, fmt.Sprintf("%s, %s: %s, floor %s", m.title, m.name, factor(m.factor()), factor(m.floor)))
		}
	}
	return all
}

// spread is the lowest and the highest factor of a round.
func spread(factors []float64) string {
	low, high := factor(slices.Min(factors)), factor(slices.Max(factors))
	if low == high {
		return low
	}
	return low + " – " + high
}

func factor(x float64) string {
	digits := 2
	switch {
	case x >= 10:
		digits = 0
	case x >= 1:
		digits = 1
	}
	return strconv.FormatFloat(x, 'f', digits, 64) + "×"
}

func goal(target, ratio float64) string {
	switch {
	case target == 0:
		return ""
	case ratio >= target:
		return factor(target) + " ✓"
	default:
		return factor(target)
	}
}

// show writes a figure with the unit a reader expects.
func show(x float64, unit string) string {
	if unit == "allocs/op" || (unit == "B/op" && x < 1000) {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}

	name := "B"
	if unit == "sec/op" {
		name = "s"
	}
	scale := benchunit.CommonScale([]float64{x}, benchunit.Decimal)
	return fmt.Sprintf("%.3g %s%s", x/scale.Factor, scale.Prefix, name)
}

func median(figures []float64) float64 {
	sample := benchmath.NewSample(slices.Clone(figures), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, 0.5).Center
}
