package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// The files that table reads and writes, from the root of the repository.
const (
	targetsFile = "bench/gate/targets.txt"
	lacksFile   = "bench/testdata/lacks.txt"
	pageFile    = "docs/bench.md"
	readmeFile  = "README.md"
)

const (
	tableBegin = "<!-- bench:begin -->"
	tableEnd   = "<!-- bench:end -->"
)

// errMarkers reports a file that has no place for a table.
var errMarkers = errors.New("no lines " + tableBegin + " and " + tableEnd)

// Each comparison names the side of this library so, as bench.Ours does.
const library = "propalg"

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
			figures, isShort := strings.CutSuffix(text, " readme")
			p := peer{row: row, title: title, inReadme: isShort}
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

// results are the samples of each side of each row, by "module/row/side unit", and what
// the runs say about themselves.
type results struct {
	samples map[string][]float64
	head    string // processor, version of Go and commit
}

func readResults(r io.Reader, name string) (results, error) {
	all := results{samples: map[string][]float64{}}
	lines := benchfmt.NewReader(r, name)
	for lines.Scan() {
		result, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		all.head = fmt.Sprintf("%s, %s/%s, %s, commit %s", result.GetConfig("cpu"), result.GetConfig("goos"),
			result.GetConfig("goarch"), result.GetConfig("go"), result.GetConfig("commit"))

		// The modules measure our side each; a peer is compared with its own module's.
		key := strings.TrimPrefix(result.GetConfig("pkg"), "github.com/propalg/propalg/interop/")
		_, parts := result.Name.Parts()
		for _, part := range parts {
			if part[0] == '/' { // the other one is GOMAXPROCS
				key += string(part)
			}
		}
		for _, v := range result.Values {
			all.samples[key+" "+v.Unit] = append(all.samples[key+" "+v.Unit], v.Value)
		}
	}
	return all, lines.Err()
}

// table prints the table and checks the floors. With -w it puts the table, and ten lines of
// it, into the documents.
func table(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	flags.SetOutput(log)
	write := flags.Bool("w", false, "write "+pageFile+" and "+readmeFile)
	if err := flags.Parse(args); err != nil {
		return err
	}

	t, err := readTables(flags.Arg(0))
	if err != nil {
		return err
	}
	full := t.full()
	fmt.Fprint(out, full)
	if *write {
		if err := errors.Join(replace(pageFile, full), replace(readmeFile, t.short())); err != nil {
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

func readTables(name string) (tables, error) {
	var t tables
	file, err := os.Open(name)
	if err != nil {
		return t, err
	}
	defer func() { _ = file.Close() }()
	if t.results, err = readResults(file, name); err != nil {
		return t, err
	}

	targets, err := os.Open(targetsFile)
	if err != nil {
		return t, err
	}
	defer func() { _ = targets.Close() }()
	peers, err := readTargets(targets)
	if err != nil {
		return t, err
	}
	t.all = t.results.measure(peers)

	lacks, err := os.ReadFile(lacksFile)
	t.lacks = readLacks(string(lacks))
	return t, err
}

// replace puts a table between the markers of a file.
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
