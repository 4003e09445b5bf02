package terminal_test

import (
	"os"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/terminal"
)

// env returns a lookup in pairs of names and values.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}

		return ""
	}
}

func TestColours(t *testing.T) {
	for i, row := range []struct {
		env                []string
		onTerminal, onPipe bool
	}{
		{nil, true, false},
		{[]string{"NO_COLOR", "1"}, false, false},
		{[]string{"NO_COLOR", ""}, true, false}, // only a value counts
		{[]string{"TERM", "dumb"}, false, false},
		{[]string{"TERM", "xterm-256color"}, true, false},
		{[]string{"CLICOLOR", "0"}, false, false},
		{[]string{"CLICOLOR", "1"}, true, false},
		{[]string{"CLICOLOR_FORCE", "1"}, true, true},
		{[]string{"CLICOLOR_FORCE", "0"}, true, false},
		{[]string{"CLICOLOR_FORCE", "1", "TERM", "dumb"}, true, true},
		{[]string{"CLICOLOR_FORCE", "1", "NO_COLOR", "1"}, false, false},
	} {
		if got := terminal.Colours(true, env(row.env...)); got != row.onTerminal {
			t.Errorf("row %d, on a terminal: %v", i, got)
		}

		if got := terminal.Colours(false, env(row.env...)); got != row.onPipe {
			t.Errorf("row %d, in a pipe: %v", i, got)
		}
	}
}

func TestColumns(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()

	for text, want := range map[string]int{"": 0, "80": 80, "x": 0, "-1": 0, "0": 0} {
		if got := terminal.Columns(f, env("COLUMNS", text)); got != want {
			t.Errorf("COLUMNS=%q: %d", text, got)
		}
	}
}
