package main

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// measured is one line of the tables: a peer's side of a row and ours, which ran in
// the same processes.
type measured struct {
	peer
	unit         string
	ours, theirs float64
	factors      []float64  // of each round
	allocations  [2]float64 // ours and theirs, negative where they were not counted
	bytes        [2]float64 // likewise
}

// factor is how many times our figure theirs is.
func (m measured) factor() float64 { return m.theirs / m.ours }

// measure returns the lines for peers that have results.
func (r results) measure(peers []peer) []measured {
	var all []measured
	for _, p := range peers {
		if m, found := r.line(p); found {
			all = append(all, m)
		}
	}
	return all
}

// line compares a peer with our side of the same module, in the unit that the row is
// about.
func (r results) line(p peer) (m measured, found bool) {
	for _, module := range []string{"pulumi", "peers"} {
		samples := func(side, unit string) []float64 { return r.samples[module+"/"+p.row+"/"+side+" "+unit] }
		for _, unit := range []string{"kept-B", "sec/op"} {
			ours, theirs := samples(library, unit), samples(p.name, unit)
			if len(ours) == 0 || len(theirs) == 0 {
				continue
			}
			m = measured{peer: p, unit: unit, ours: median(ours), theirs: median(theirs)}
			for i := range min(len(ours), len(theirs)) {
				m.factors = append(m.factors, theirs[i]/ours[i])
			}
			for i, side := range []string{library, p.name} {
				m.allocations[i], m.bytes[i] = -1, -1
				if counts := samples(side, "allocs/op"); len(counts) > 0 && unit != "kept-B" {
					m.allocations[i] = median(counts)
				}
				if sizes := samples(side, "B/op"); len(sizes) > 0 && unit != "kept-B" {
					m.bytes[i] = median(sizes)
				}
			}
			return m, true
		}
	}

	return measured{}, false
}

type tables struct {
	all      []measured
	lacks    map[string]string // by kind and peer, see testdata/lacks.txt of package bench
	machines []machine         // others
}

// full is the table of docs/bench.md.
func (t tables) full(r results) string {
	var b strings.Builder
	rounds := 0
	for _, m := range t.all {
		rounds = max(rounds, len(m.factors))
	}
	fmt.Fprintf(&b, "Medians of %d interleaved rounds, %s, %s/%s, %s, commit %s.\n", rounds, r.cpu, runtime.GOOS, runtime.GOARCH, r.version, r.commit)
	for _, other := range t.machines {
		fmt.Fprintf(&b, "The other machine: %s.\n", other.name)
	}
	b.WriteString("\n| work | ours | peer | theirs | factor | lowest – highest | other | target | allocations, ours : theirs | bytes, ours : theirs | the peer does not |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|\n")

	last := ""
	for _, m := range t.all {
		title := m.title
		if m.row == last {
			title = ""
		}
		last = m.row
		kind, _, _ := strings.Cut(m.row, "-")
		var elsewhere []string
		for _, other := range t.machines {
			if ratio, known := other.factors[m.row+" "+m.name]; known {
				elsewhere = append(elsewhere, factor(ratio))
			}
		}
		cells := []string{
			title, show(m.ours, m.unit), m.name, show(m.theirs, m.unit), factor(m.factor()), spread(m.factors),
			strings.Join(elsewhere, ", "), goal(m.target, m.factor()), counts(m.allocations), sizes(m.bytes), t.lacks[kind+" "+m.name],
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
				factor(m.factor()), counts(m.allocations), sizes(m.bytes))
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

func counts(both [2]float64) string {
	return pair(both, func(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) })
}

func sizes(both [2]float64) string {
	return pair(both, func(x float64) string {
		switch {
		case x >= 1e6:
			return fmt.Sprintf("%.3g MB", x/1e6)
		case x >= 1e3:
			return fmt.Sprintf("%.3g kB", x/1e3)
		default:
			return fmt.Sprintf("%.0f", x)
		}
	})
}

func pair(both [2]float64, write func(x float64) string) string {
	texts := [2]string{"–", "–"}
	for i, x := range both {
		if x >= 0 {
			texts[i] = write(x)
		}
	}
	return texts[0] + " : " + texts[1]
}

func factor(x float64) string {
	switch {
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 0, 64) + "×"
	case x >= 1:
		return strconv.FormatFloat(x, 'f', 1, 64) + "×"
	default:
		return strconv.FormatFloat(x, 'f', 2, 64) + "×"
	}
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
	if unit == "kept-B" {
		return fmt.Sprintf("%.3g MB", x/1e6)
	}

	for _, scale := range []struct {
		least float64
		name  string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if x >= scale.least {
			return fmt.Sprintf("%.3g %s", x/scale.least, scale.name)
		}
	}
	return fmt.Sprintf("%.3g ns", x*1e9)
}
