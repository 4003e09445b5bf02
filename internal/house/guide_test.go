package house_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestGuide: each statement of the guide names tests that exist, and codes that are rules.
func TestGuide(t *testing.T) {
	t.Parallel()

	test := regexp.MustCompile("`([a-z0-9_/.]+)\\.(Test\\w+)`")
	code := regexp.MustCompile("`([a-z]+(?:-[a-z]+)*)`")
	checks := readText(t, "docs/checks.md")
	last, rows := 0, 0

	for line := range strings.Lines(readText(t, "internal/house/testdata/guide.md")) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 {
			continue
		}

		number, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err != nil {
			continue // the head of a table
		}

		if rows++; number <= last || number > 207 {
			t.Errorf("statement %d after %d", number, last)
		}

		last = number

		held := test.FindAllStringSubmatch(cells[3], -1)
		if len(held) == 0 {
			t.Errorf("statement %d has no test", number)
		}

		for _, m := range held {
			if !strings.Contains(testsOf(t, m[1]), "\nfunc "+m[2]+"(t *testing.T) {\n") {
				t.Errorf("statement %d: %s has no %s", number, m[1], m[2])
			}
		}

		for _, m := range code.FindAllStringSubmatch(cells[4], -1) {
			if !strings.Contains(checks, "\n| `"+m[1]+"` |") {
				t.Errorf("statement %d: there is no code %s", number, m[1])
			}
		}
	}

	if rows != 207 {
		t.Errorf("%d statements, not 207", rows)
	}
}

// testsOf returns the text of all test files in a folder.
func testsOf(t *testing.T, folder string) string {
	t.Helper()

	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}

	var all strings.Builder
	for _, name := range files {
		all.WriteString(readText(t, name))
	}

	return all.String()
}
