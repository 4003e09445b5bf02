package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// errMarkers reports a file that has no place for a table.
var errMarkers = errors.New("no lines " + tableBegin + " and " + tableEnd)

// Each comparison names the side of this library so, as bench.Ours does.
const library = "propalg"

const (
	tableBegin = "<!-- bench:begin -->"
	tableEnd   = "<!-- bench:end -->"
)

type peer struct {
	row, title, name string
	target, floor    float64
	inReadme         bool
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
			figures, isShort := strings.CutSuffix(text, " readme")
			p.inReadme = isShort
			if _, err := fmt.Sscan(figures, &p.name, &p.target, &p.floor); err != nil {
				return nil, fmt.Errorf("%q: %w", text, err)
			}
			all = append(all, p)
		default:
			row, title, _ = strings.Cut(text, ": ")
		}
	}
	return all, lines.Err()
}

// readLacks reads bench/testdata/lacks.txt: by "kind peer", what the peer does not do.
func readLacks(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if name, what, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(name, "#") {
			all[name] = what
		}
	}
	return all
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

func median(samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// table prints the table, puts it and what is made of the same figures into files, and
// checks the floors.
func table(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	flags.SetOutput(log)
	targets := flags.String("targets", "targets.txt", "rows, peers, targets and floors")
	doc := flags.String("doc", "", "a file whose lines between the markers "+tableBegin+" and "+tableEnd+" become the table")
	readme := flags.String("readme", "", "such a file for the rows that the targets mark with readme")
	svg := flags.String("svg", "", "where the plot goes")
	lacks := flags.String("lacks", "../testdata/lacks.txt", "what peers do not do")
	machines := flags.String("machines", "machines", "a folder with the factors of other machines")
	save := flags.Bool("save", false, "write the factors of this run to that folder")
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
	t := tables{all: all.measure(rows)}
	missing, err := os.ReadFile(*lacks)
	if err != nil {
		return err
	}
	t.lacks = readLacks(string(missing))
	if t.machines, err = readMachines(*machines, all.cpu); err != nil {
		return err
	}
	full := t.full(all)
	fmt.Fprint(out, full)
	if *doc != "" {
		if err := replace(*doc, full); err != nil {
			return err
		}
	}
	if *readme != "" {
		if err := replace(*readme, t.short()); err != nil {
			return err
		}
	}
	if *save {
		if err := saveMachine(*machines, all, t.all); err != nil {
			return err
		}
	}
	if *svg != "" {
		if err := os.WriteFile(*svg, []byte(all.plot()), 0o600); err != nil {
			return err
		}
	}
	below := t.below()
	for _, line := range below {
		fmt.Fprintln(log, "BELOW THE FLOOR:", line)
	}
	if len(below) > 0 {
		return errSlower
	}
	return nil
}

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
