package stack_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tally counts outcomes: what both sides did, and which entries of
// docs/differences.md explain what they did not do alike.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (y *tally) count(outcome string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.counts == nil {
		y.counts = map[string]int{}
	}
	y.counts[outcome]++
}

// log logs the counts.
func (y *tally) log(t *testing.T) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(y.counts)) {
		t.Logf("%7d %s", y.counts[name], name)
	}
}

// enough is how many bags have some of every kind in them.
const enough = 2000

// report logs the counts, and fails for an entry that is not on the page, where
// nothing was alike, and where of many bags none had parts of some kind.
func (y *tally) report(t *testing.T, alike string) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("^[a-z0-9]+(-[a-z0-9]+)+$")
	y.log(t)
	for name := range y.counts {
		if entry.MatchString(name) && !strings.Contains(string(page), "\n### "+name+"\n") {
			t.Errorf("docs/differences.md has no %s", name)
		}
	}
	for _, outcome := range []string{
		alike, "(bags with a secret inside a secret)", "(bags with NaN or an infinity)", "(bags with an unknown)", "(bags with a reference)",
		"(bags with an asset or archive)", "(bags with a string that is a sentinel)",
	} {
		if y.counts[outcome] == 0 && (outcome == alike || y.counts[alike] >= enough) {
			t.Error("none: " + outcome)
		}
	}
}
