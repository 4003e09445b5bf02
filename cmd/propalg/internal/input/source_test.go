package input_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
)

const (
	bag   = `{"a":1}`
	stack = `{"version":3,"deployment":{"resources":[]}}`
)

// large is a stack export that is longer than what is read to recognise it.
func large() string {
	return `{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z"},"resources":[{"urn":"u"}` + strings.Repeat(" ", 9<<20) + `]}}`
}

func TestOpen(t *testing.T) {
	for name, row := range map[string]struct{ text, shape, err string }{
		"bag":            {bag, "property bag", ""},
		"stack":          {stack, "stack", ""},
		"large stack":    {large(), "stack", ""},
		"empty":          {"", "", "the file is empty"},
		"not JSON":       {"x", "", "syntax error"},
		"large, not one": {"x" + strings.Repeat(" ", 9<<20), "", "offset 0: syntax error: expected a JSON object"},
		"UTF-16":         {"\xff\xfe{\x00", "", "UTF-16"},
		"plan":           {`{"manifest":{},"resourcePlans":{}}`, "plan", ""},
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(file, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}

		for shown, from := range map[string]string{file: file, "stdin": "-"} {
			s, err := input.Open(from, strings.NewReader(row.text))
			if err != nil {
				if row.err == "" || !strings.HasPrefix(err.Error(), shown+": ") || !strings.Contains(err.Error(), row.err) {
					t.Errorf("%s: %v", name, err)
				}

				continue
			}

			if shape := s.Shape(); shape != row.shape || row.err != "" {
				t.Errorf("%s: %q", name, shape)
			}

			s.Close()
		}
	}
}

func TestLoad(t *testing.T) {
	f, err := input.Load("-", strings.NewReader(bag))
	if err != nil || f.Name != "stdin" || f.Stack != nil || f.Size != len(bag) || f.Bag.String() != "{a: 1}" {
		t.Errorf("%+v, %v", f, err)
	}

	if f, err = input.Load("-", strings.NewReader(stack)); err != nil || f.Stack.Shape() != "stack export" {
		t.Errorf("%+v, %v", f, err)
	}

	if _, err = input.OpenStack("-", strings.NewReader(bag)); err == nil || err.Error() != "stdin: neither stack export nor checkpoint" {
		t.Error(err)
	}

	if _, err = input.Load(filepath.Join(t.TempDir(), "none"), nil); err == nil || !strings.Contains(err.Error(), "none: ") {
		t.Error(err)
	}
}
