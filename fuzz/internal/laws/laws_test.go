package laws_test

import (
	"flag"
	"strconv"
	"testing"

	"github.com/propalg/propalg/fuzz/internal/laws"
	"github.com/propalg/propalg/internal/test/race"

	"pgregory.net/rapid"
)

// How many times each law is tried, and from which seed, unless the flags
// -rapid.checks and -rapid.seed say otherwise: the same on every run, so that a
// test that fails, fails for everyone. Exploring is what fuzzing is for.
const (
	lawChecks = 1000
	lawSeed   = 20_240_913
)

// checks lists laws whose tries cost much more than others', or find more.
var checks = map[string]int{
	"Law01RoundTrip":       2000,
	"Law01Arrays":          9000, // they are short, and there are 112 ways to compare
	"Law01Misfit":          2000,
	"Law02Equivalence":     400,
	"Law02EmptyMeansEqual": 2000,
	"Law06NoPlaintext":     3200, // each of them four of some 950 probes; .ci/run tries more
	"Law06BecomesSecret":   300,
	"Law09Total":           1800,
	"Law11PatternsTotal":   300,
	"Law17WideObjects":     300,
	"Law19Changes":         2000,
}

// underRace lists those that cost too much under the race detector; of all others
// there a third is tried.
var underRace = map[string]int{"Law06NoPlaintext": 1200, "Law09Total": 900}

// TestLaws tries every law on generated data.
func TestLaws(t *testing.T) {
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })

	for _, l := range laws.Laws() {
		t.Run(l.String(), func(t *testing.T) {
			n, ok := checks[l.String()]
			if !ok {
				n = lawChecks
			}

			if few, ok := underRace[l.String()]; race.Enabled && ok {
				n = few
			} else if race.Enabled {
				n /= 3
			}

			setFlag(t, given, "rapid.checks", strconv.Itoa(n))
			setFlag(t, given, "rapid.seed", strconv.Itoa(lawSeed))
			rapid.Check(t, l.Check)
		})
	}
}

// setFlag sets a flag of rapid for one test, unless it was given.
func setFlag(t *testing.T, given map[string]bool, name, text string) {
	t.Helper()

	if given[name] {
		return
	}

	f := flag.Lookup(name)
	before := f.Value.String()

	if err := flag.Set(name, text); err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := flag.Set(name, before); err != nil {
			t.Fatal(err)
		}
	})
}

// TestChecksNameLaws keeps the table above true.
func TestChecksNameLaws(t *testing.T) {
	names := map[string]bool{}
	for _, l := range laws.Laws() {
		names[l.String()] = true
	}

	for _, table := range []map[string]int{checks, underRace} {
		for name := range table {
			if !names[name] {
				t.Errorf("no law is called %s", name)
			}
		}
	}
}
