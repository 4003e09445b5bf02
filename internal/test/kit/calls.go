package kit

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// LoggedCall is a line of an engine's log, or of the recorded calls.
type LoggedCall struct {
	Method            string
	Request, Response json.RawMessage
	Wildcard          json.RawMessage
}

// Calls reads files of calls, one a line.
func Calls(t *testing.T, pattern string) (all []LoggedCall) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(aboveModule(t), "shared", "data", pattern))
	if err != nil || len(files) == 0 {
		t.Skipf("no shared/data/%s here", pattern)
	}

	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}

		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var c LoggedCall
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
