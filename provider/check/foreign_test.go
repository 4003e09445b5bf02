package check_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/provider/check"
)

// TestForeign: the findings on logs of foreign providers are those that the table explains.
func TestForeign(t *testing.T) {
	page, err := os.ReadFile("testdata/foreign/README.md")
	if err != nil {
		t.Fatal(err)
	}

	var want []string

	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 4 && strings.HasSuffix(cells[0], ".json`") {
			want = append(want, strings.Join(cells[:3], " | "))
		}
	}

	var got []string

	for _, name := range []string{"notes.json", "shelf.json"} {
		calls := 0

		log, err := os.ReadFile(filepath.Join("testdata", "foreign", name))
		if err != nil {
			t.Fatal(err)
		}

		for c, err := range check.Log(bytes.NewReader(log), check.LogOptions{}) {
			if err != nil {
				t.Fatal(err)
			}

			calls++

			for _, f := range c.Findings {
				got = append(got, fmt.Sprintf("| %#q | %d | %s %#q at %#q", name, c.Call.Line, f.Severity, f.Code, f.At.String()))
			}
		}

		if calls < 70 {
			t.Errorf("%s: %d calls", name, calls)
		}
	}

	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nexplained\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
