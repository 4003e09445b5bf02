package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "write testdata/work.txt")
	long   = flag.Bool("long", false, "count the work on bags of a million nodes too")
)

const workFile = "testdata/work.txt"

// counted builds the kernels with coverage counters in this library and in what it
// sorts and scans with, and returns how many statements one run of each executes:
// work that does not depend on the machine. names has them in order.
func counted(t *testing.T, args ...string) (work map[string]float64, names []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds everything with counters")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "work")
	const packages = "github.com/propalg/propalg/...,slices,sort,strings,bytes,unicode/utf8,strconv"
	if _, err := output("../..", "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+packages, "-o", program, "./bench/kernels"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(args, "-cover", dir)...)
	// On one thread, what a pool holds depends on the collector alone.
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	work = map[string]float64{}
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, name)
		text, err := output(".", "go", "tool", "covdata", "textfmt", "-i="+filepath.Join(dir, name), "-o=/dev/stdout")
		if err != nil {
			t.Fatal(err)
		}
		work[name] = executed(t, text)
	}
	return work, names
}

// executed adds up "file:from,to statements count".
func executed(t *testing.T, profile []byte) float64 {
	t.Helper()
	total := 0.0
	lines := bufio.NewScanner(bytes.NewReader(profile))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 { // the mode
			continue
		}
		statements, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		count, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		total += statements * count
	}
	if total == 0 {
		t.Fatal("nothing counted")
	}
	return total
}

// maxExponent bounds how counted work grows with size (promise 4).
const maxExponent = 1.12

// Counted work grows about linearly from 100 nodes to 100,000, or a million with
// -long: as a power of the size no greater than maxExponent, both over all and from
// each size to the next, where small sizes have what is fixed to carry.
func TestScale(t *testing.T) {
	sizes := []string{"100", "1000", "10000", "100000"}
	if *long {
		sizes = append(sizes, "1000000")
	}
	work, _ := counted(t, "-scale", "-kernels", " ("+strings.Join(sizes, "|")+")$")
	for _, kind := range []string{"decode", "encode", "equal", "diff", "align", "hash", "decode-careful", "decode-deep", "refuse-deep"} {
		first, last := work[kind+"-"+sizes[0]], work[kind+"-"+sizes[len(sizes)-1]]
		exponent := math.Log10(last/first) / float64(len(sizes)-1)
		line := fmt.Sprintf("%s: exponent %.3f;", kind, exponent)
		for i, size := range sizes {
			nodes, _ := strconv.ParseFloat(size, 64)
			line += fmt.Sprintf(" %.1f", work[kind+"-"+size]/nodes)
			if i > 0 && work[kind+"-"+size] > 30*work[kind+"-"+sizes[i-1]] {
				t.Errorf("%s: %s nodes take more than three times the work for each of a tenth", kind, size)
			}
		}
		t.Log(line, "statements a node")
		if math.IsNaN(exponent) || exponent > maxExponent {
			t.Errorf("%s: work grows with exponent %.3f, at most %.2f is promised", kind, exponent, maxExponent)
		}
	}

	// Arrays that are hard to align take the more for each element the longer they are,
	// up to some thousand elements (internal/align, maxEdits). Values end at MaxDepth, and
	// what is looked at again on every level is noticed only in deep ones.
	for kind, sizes := range map[string][2]float64{
		"align-reversed": {10_000, 100_000}, "align-permuted": {10_000, 100_000},
		"align-two-values": {10_000, 100_000}, "align-few-values": {10_000, 100_000},
		"set-few-values": {10_000, 100_000}, "align-deep": {1_000, 10_000},
		"diff-deep": {1_000, 10_000},
	} {
		first, last := work[fmt.Sprintf("%s-%.0f", kind, sizes[0])], work[fmt.Sprintf("%s-%.0f", kind, sizes[1])]
		exponent := math.Log10(last / first)
		t.Logf("%s: exponent %.3f; %.1f, then %.1f statements a node", kind, exponent, first/sizes[0], last/sizes[1])
		if math.IsNaN(exponent) || exponent > maxExponent {
			t.Errorf("%s: work grows with exponent %.3f, at most %.2f is promised", kind, exponent, maxExponent)
		}
	}
}

// Counted work differs between runs: by slack, as seeds of hashes are random and pools
// are emptied, and by noise, since what names and writes the counters is itself counted
// (3,105 to 3,132 statements in 60 runs of one kernel).
const (
	slack = 1.005
	noise = 40
)

// The statements that each hot path executes, nodes visited among them, may shrink
// and not grow.
func TestWork(t *testing.T) {
	work, names := counted(t)
	if *update {
		var b strings.Builder
		b.WriteString("# Statements that one run of each kernel executes; see scale_test.go.\n")
		for _, k := range names {
			fmt.Fprintf(&b, "%s %.0f\n", k, work[k])
		}
		if err := os.WriteFile(workFile, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(workFile)
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]float64{}
	for line := range strings.Lines(string(file)) {
		if name, figure, found := strings.Cut(strings.TrimSpace(line), " "); found && name != "#" {
			if held[name], err = strconv.ParseFloat(figure, 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range names {
		switch budget, known := held[name]; {
		case !known:
			t.Errorf("%s: no line in %s", name, workFile)
		case work[name] > budget*slack+noise:
			t.Errorf("%s: %.0f statements, the budget is %.0f", name, work[name], budget)
		case work[name] < budget/slack-noise:
			t.Logf("%s: %.0f statements, the budget of %.0f can shrink", name, work[name], budget)
		}
	}
	if len(held) != len(names) {
		t.Errorf("%s has %d lines for %d kernels", workFile, len(held), len(names))
	}
}
