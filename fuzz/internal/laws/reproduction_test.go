package laws_test

import (
	"regexp"
	"testing"

	"github.com/propalg/propalg/fuzz/internal/laws"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"

	"pgregory.net/rapid"
)

// TestLawsPrintReproductions: a law that fails has said by then what it tried, as
// lines of Go that can be pasted: assignments, or if there are no values in it what
// rapid says of its draws.
func TestLawsPrintReproductions(t *testing.T) {
	if race.Enabled {
		t.Skip("says nothing of races")
	}

	assignment := regexp.MustCompile(`(?m)^(\w+ := |\[rapid\] draw [^:]+: ([\[\]\w]+\.?\w*[{(]|"))`)
	pasted := regexp.MustCompile(`(?m)^\w+ := `)
	hidden := regexp.MustCompile(`(?m)^\[rapid\] draw .*\[secret\]`)

	for _, l := range laws.Laws() {
		said, failed := kit.CheckRecorded(1, false, func(t *rapid.T) {
			l.Check(t)
			t.Fatalf("asked for")
		})

		if !failed || !assignment.MatchString(said) || (hidden.MatchString(said) && !pasted.MatchString(said)) {
			t.Errorf("%s prints no data as Go:\n%.1200s", l.String(), said)
		}
	}
}
