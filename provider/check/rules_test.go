package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/provider/check"
)

// Every rule has a name of its own, a row in docs/checks.md, and a test of this package
// that names it; the page has no other rows.
func TestRules(t *testing.T) {
	page, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	seen := map[string]bool{}
	for r := range check.Rules() {
		row := fmt.Sprintf("| %s | %s | %s |\n", "`"+r.Code+"`", r.Severity, r.Advice)
		if seen[r.Code] || !strings.Contains(string(page), row) {
			t.Errorf("twice, or missing in docs/checks.md: %s", row)
		}
		if !strings.Contains(tests.String(), r.Code) {
			t.Errorf("%s: no test", r.Code)
		}
		seen[r.Code] = true
	}
	if rows := strings.Count(string(page), "\n| `"); rows != len(seen) {
		t.Errorf("docs/checks.md has %d rows, there are %d rules", rows, len(seen))
	}
}
