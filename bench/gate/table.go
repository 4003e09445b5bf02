package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/propalg/propalg/bench"
)

// errMarkers says that a file has no place for the table.
var errMarkers = errors.New("no lines " + tableBegin + " and " + tableEnd)

const (
	tableBegin = "<!-- bench:begin -->"
	tableEnd   = "<!-- bench:end -->"
)

// peer is one line of the table.
type peer struct {
	row, title, name string
	target, floor    float64
}

// readTargets reads a file as targets.txt explains it.
func readTargets(r io.Reader) ([]peer, error) {
	var all []peer
	var row, title string
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text := lines.Text()
		switch {
		case text == "", strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "\t"):
			p := peer{row: row, title: title}
			if _, err := fmt.Sscan(text, &p.name, &p.target, &p.floor); err != nil {
				return nil, fmt.Errorf("%q: %w", text, err)
			}
			all = append(all, p)
		default:
			row, title, _ = strings.Cut(text, ": ")
		}
	}
	return all, lines.Err()
}

// results are the samples of each side of each row, by "row/side" and unit, and what
// the runs say about themselves.
type results struct {
	samples              map[string][]float64
	cpu, commit, version string
}

func readResults(r io.Reader, name string) (results, error) {
	all := results{samples: map[string][]float64{}}
	lines := benchfmt.NewReader(r, name)
	for lines.Scan() {
		result, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		all.cpu, all.commit, all.version = result.GetConfig("cpu"), result.GetConfig("commit"), result.GetConfig("go")
		full := strings.TrimPrefix(result.Name.String(), "Row/")
		if at := strings.LastIndexByte(full, '-'); at >= 0 && strings.Trim(full[at+1:], "0123456789") == "" {
			full = full[:at] // GOMAXPROCS
		}
		// The modules measure our side each; a peer is compared with its own module's.
		key := strings.TrimPrefix(result.GetConfig("pkg"), "github.com/propalg/propalg/interop/") + "/" + full
		for _, v := range result.Values {
			all.samples[key+" "+v.Unit] = append(all.samples[key+" "+v.Unit], v.Value)
		}
	}
	return all, lines.Err()
}

// median is the middle of the samples, 0 of none.
func median(samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// figures are a peer's and ours, of one module, in the unit that the row is about.
func (r results) figures(row, name string) (ours, theirs float64, unit, module string, found bool) {
	for _, module := range []string{"pulumi", "peers"} {
		for _, unit := range []string{"kept-B", "sec/op"} {
			key := func(side string) string { return module + "/" + row + "/" + side + " " + unit }
			ours, theirs := median(r.samples[key(bench.Ours)]), median(r.samples[key(name)])
			if ours > 0 && theirs > 0 {
				return ours, theirs, unit, module, true
			}
		}
	}
	return 0, 0, "", "", false
}

// table prints the ratios, puts them into files that ask for them, and checks the
// floors.
func table(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	flags.SetOutput(log)
	targets := flags.String("targets", "targets.txt", "rows, peers, targets and floors")
	readme := flags.String("readme", "", "a file whose lines between the markers "+tableBegin+" and "+tableEnd+" become the table")
	svg := flags.String("svg", "", "where the plot goes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	f, err := os.Open(*targets)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	rows, err := readTargets(f)
	if err != nil {
		return err
	}
	in, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	all, err := readResults(in, flags.Arg(0))
	if err != nil {
		return err
	}
	text, below := all.markdown(rows)
	fmt.Fprint(out, text)
	if *readme != "" {
		if err := replace(*readme, text); err != nil {
			return err
		}
	}
	if *svg != "" {
		if err := os.WriteFile(*svg, []byte(all.plot()), 0o600); err != nil {
			return err
		}
	}
	for _, line := range below {
		fmt.Fprintln(log, "BELOW THE FLOOR:", line)
	}
	if len(below) > 0 {
		return errSlower
	}
	return nil
}

// markdown is the table, and the lines of it that are below their floor.
func (r results) markdown(rows []peer) (text string, below []string) {
	var b strings.Builder
	rounds := 0
	for _, samples := range r.samples {
		rounds = max(rounds, len(samples))
	}
	fmt.Fprintf(&b, "Medians of %d interleaved rounds, %s, %s, commit %s. The factor is theirs by ours.\n\n",
		rounds, r.cpu, r.version, r.commit)
	b.WriteString("| work | ours | peer | theirs | factor | target | allocations, ours : theirs |\n|---|---|---|---|---|---|---|\n")
	last := ""
	for _, p := range rows {
		ours, theirs, unit, module, found := r.figures(p.row, p.name)
		if !found {
			continue
		}
		ratio := theirs / ours
		title, figure := "", ""
		if p.row != last {
			title, figure, last = p.title, show(ours, unit), p.row
		}
		allocs := func(side string) string {
			samples := r.samples[module+"/"+p.row+"/"+side+" allocs/op"]
			if unit == "kept-B" || len(samples) == 0 {
				return "–"
			}
			return strconv.FormatFloat(median(samples), 'f', 0, 64)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s : %s |\n", title, figure, p.name, show(theirs, unit),
			factor(ratio), goal(p.target, ratio), allocs(bench.Ours), allocs(p.name))
		if ratio < p.floor {
			below = append(below, fmt.Sprintf("%s, %s: %s, floor %s", p.title, p.name, factor(ratio), factor(p.floor)))
		}
	}
	return b.String(), below
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

// replace puts the table between the markers of a file.
func replace(name, text string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(old), tableBegin)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		return fmt.Errorf("%s: %w", name, errMarkers)
	}
	return os.WriteFile(name, []byte(before+tableBegin+"\n"+text+tableEnd+after), 0o600)
}
