package fuzz_test

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
)

// TestLawsPrintReproductions: a law that fails has said by then what it tried, as
// lines of Go that can be pasted: assignments, or if there are no values in it what
// rapid says of its draws.
func TestLawsPrintReproductions(t *testing.T) {
	if raceOn {
		t.Skip("says nothing of races")
	}

	assignment := regexp.MustCompile(`(?m)^(\w+ := |\[rapid\] draw [^:]+: ([\[\]\w]+\.?\w*[{(]|"))`)
	pasted := regexp.MustCompile(`(?m)^\w+ := `)
	hidden := regexp.MustCompile(`(?m)^\[rapid\] draw .*\[secret\]`)

	for _, l := range fuzz.Laws() {
		said, failed := triedFor(1, 0, func(t *rapid.T) {
			l.Check(t)
			t.Fatalf("asked for")
		})

		if !failed || !assignment.MatchString(said) || hidden.MatchString(said) && !pasted.MatchString(said) {
			t.Errorf("%s prints no data as Go:\n%.1200s", lawName(l), said)
		}
	}
}
