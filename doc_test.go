package propalg_test

import (
	"slices"
	"strings"
	"testing"
)

// unlisted are rooms that users of the module do not import.
var unlisted = []string{"cmd/...", "internal/...", "bench/...", "examples/...", "fuzz/campaign"}

// TestPackagesAreListed finds packages that the comment of the root leaves out, or
// that the README does.
func TestPackagesAreListed(t *testing.T) {
	t.Parallel()

	sources, err := readTree(".")
	if err != nil {
		t.Fatal(err)
	}

	comment, page := readText(t, "doc.go"), readText(t, "README.md")

	var seen []string

	for _, s := range sources {
		if s.isTest || s.room == "." || covers(unlisted, s.room) || slices.Contains(seen, s.room) {
			continue
		}

		seen = append(seen, s.room)

		if !strings.Contains(comment, "["+module+"/"+s.room+"]") {
			t.Errorf("doc.go does not list %s", s.room)
		}

		if !strings.Contains(page, "]("+s.room+")") {
			t.Errorf("README.md does not list %s", s.room)
		}
	}

	if len(seen) < 8 {
		t.Errorf("only %d packages seen", len(seen))
	}
}
