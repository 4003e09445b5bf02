package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/provider/check"
)

const rulesPage = "../../docs/checks.md"

// Every rule has a name of its own, a row in docs/checks.md, and a test of this package
// that names it; the page has no other rows.
func TestRules(t *testing.T) {
	page, err := os.ReadFile(rulesPage)
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
		if seen[r.Code] {
			t.Errorf("%s: twice", r.Code)
		}
		if !strings.Contains(tests.String(), r.Code) {
			t.Errorf("%s: no test", r.Code)
		}
		seen[r.Code] = true
	}

	want := withRows(string(page))
	if *update {
		err = os.WriteFile(rulesPage, []byte(want), 0o644)
	} else if want != string(page) {
		t.Error("docs/checks.md has other rows than there are rules; write them with -update")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withRows returns the page with a row for every rule. A rule that is new stands in the
// table of the rule before it; the texts between the tables are written by hand.
func withRows(page string) string {
	const head = "| --- | --- | --- |\n"
	parts := strings.SplitAfter(page, head)
	tables := make([]string, len(parts))
	in := 1
	for r := range check.Rules() {
		start := "| `" + r.Code + "` |"
		if i := slices.IndexFunc(parts, func(part string) bool { return strings.Contains(part, start) }); i > 0 {
			in = i
		}
		tables[in] += fmt.Sprintf("%s %s | %s |\n", start, r.Severity, r.Advice)
	}

	for i, part := range parts[1:] {
		_, after, _ := strings.Cut("\n"+part, "\n\n")
		parts[i+1] = tables[i+1] + "\n" + after
	}
	return strings.Join(parts, "")
}
