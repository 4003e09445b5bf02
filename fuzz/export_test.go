package fuzz

import (
	"testing"

	"pgregory.net/rapid"
)

// RunNative tries a law as a target of Native does.
func RunNative(t *testing.T, law func(*rapid.T), input []byte) {
	t.Helper()
	runNative(t, law, input)
}

// Unmatched tries the law as Run does, and returns what Run fails for.
func Unmatched(t *testing.T, p Provider) []string {
	t.Helper()

	var all []string
	for _, pattern := range p.tryAll(t).unmatched {
		all = append(all, pattern.String())
	}

	return all
}

// Ignored tries the law as Run does, and returns the names of the properties for which Check
// returned the same whatever the program said.
func Ignored(t *testing.T, p Provider) []string {
	t.Helper()

	return p.tryAll(t).ignored()
}

// Reached tries the law as Run does, and returns in how many of how many tries Diff
// answered, and what Run says if those were few.
func Reached(t *testing.T, p Provider) (reached, tries int, tooFew string) {
	t.Helper()

	all := p.tryAll(t)

	return all.reached, all.tries, all.tooFew(p)
}

// Trouble tries the law as Run does, and returns what goes wrong while resources are worked
// on at the same time.
func Trouble(t *testing.T, p Provider) string {
	t.Helper()

	return p.inParallel(t.Context(), p.tryAll(t).kept)
}
