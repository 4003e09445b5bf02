package fuzz_test

import (
	"context"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// What follows is linked to: with a test file in package fuzz, it and the laws would be
// compiled once more, which takes ten seconds. A *testing.T is an unsafe.Pointer here: the
// linter thelper looks at the body of whatever has one.

//go:linkname linkedNative github.com/propalg/propalg/fuzz.runNative
func linkedNative(t unsafe.Pointer, law func(*rapid.T), input []byte)

// tried begins as in tried.go.
type tried struct {
	_                 bool
	unmatched         []path.Pattern
	tries, _, reached int
	_                 []string
	kept              []value.Value
}

//go:linkname linkedTryAll github.com/propalg/propalg/fuzz.Provider.tryAll
func linkedTryAll(p fuzz.Provider, t unsafe.Pointer) *tried

//go:linkname ignoredIn github.com/propalg/propalg/fuzz.(*tried).ignored
func ignoredIn(all *tried) []string

//go:linkname tooFew github.com/propalg/propalg/fuzz.(*tried).tooFew
func tooFew(all *tried, p fuzz.Provider) string

//go:linkname inParallel github.com/propalg/propalg/fuzz.Provider.inParallel
func inParallel(p fuzz.Provider, ctx context.Context, bags []value.Value) string //nolint:revive // a method of the first

// runNative tries a law as a target of Native does.
func runNative(t *testing.T, law func(*rapid.T), input []byte) {
	t.Helper()
	linkedNative(unsafe.Pointer(t), law, input)
}

// tryAll tries the law as Run does.
func tryAll(t *testing.T, p fuzz.Provider) *tried {
	t.Helper()
	return linkedTryAll(p, unsafe.Pointer(t))
}

// unmatchedOf returns the patterns that Run fails for.
func unmatchedOf(t *testing.T, p fuzz.Provider) []string {
	t.Helper()

	var all []string
	for _, pattern := range tryAll(t, p).unmatched {
		all = append(all, pattern.String())
	}

	return all
}

// ignoredBy returns the names of the properties for which Check returned the same whatever
// the program said.
func ignoredBy(t *testing.T, p fuzz.Provider) []string {
	t.Helper()

	return ignoredIn(tryAll(t, p))
}

// reachedBy returns in how many of how many tries Diff answered, and what Run says if those
// were few.
func reachedBy(t *testing.T, p fuzz.Provider) (reached, tries int, few string) {
	t.Helper()

	all := tryAll(t, p)

	return all.reached, all.tries, tooFew(all, p)
}

// troubleOf returns what goes wrong while resources are worked on at the same time.
func troubleOf(t *testing.T, p fuzz.Provider) string {
	t.Helper()

	return inParallel(p, t.Context(), tryAll(t, p).kept)
}
