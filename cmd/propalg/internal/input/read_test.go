package input_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
)

// packed is a text as gzip writes it.
func packed(t *testing.T, text string) string {
	t.Helper()

	var out bytes.Buffer

	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}

	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	return out.String()
}

// TestPackedAndMarked: compression and byte order marks are taken off, in files of any
// size and from standard input.
func TestPackedAndMarked(t *testing.T) {
	const mark = "\xef\xbb\xbf"

	for name, row := range map[string]struct{ text, plain string }{
		"marked bag":         {mark + bag, bag},
		"packed bag":         {packed(t, bag), bag},
		"packed, marked bag": {packed(t, mark+bag), bag},
		"marked stack":       {mark + stack, stack},
		"packed stack":       {packed(t, stack), stack},
		"large marked stack": {mark + large(), large()},
		"large packed stack": {packed(t, large()), large()},
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(file, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}

		for _, from := range []string{file, "-"} {
			s, err := input.Open(from, strings.NewReader(row.text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}

			if s.Stack != nil {
				read := make([]byte, s.Size+1)
				if n, _ := s.Stack.ReadAt(read, 0); string(read[:n]) != row.plain || s.Size != int64(n) {
					t.Errorf("%s: %d bytes of %d", name, n, len(row.plain))
				}
			} else if s.Bag.String() != "{a: 1}" {
				t.Errorf("%s: %v", name, s.Bag)
			}

			s.Close()

			if f, err := input.Load(from, strings.NewReader(row.text)); err != nil || f.Size != len(row.plain) || (f.Stack == nil) != (s.Stack == nil) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}

	text := packed(t, large())
	for _, cut := range []string{text[:len(text)/2], text[:12], "\x1f\x8b", text[:len(text)-4]} {
		if s, err := input.Open("-", strings.NewReader(cut)); err == nil {
			t.Errorf("%d bytes of gzip are %v", len(cut), s.Size)
		}

		if _, err := input.Load("-", strings.NewReader(cut)); err == nil {
			t.Errorf("%d bytes of gzip", len(cut))
		}
	}
}

// TestGuess: what a file is is said where something else was expected.
func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		`{"method":"/pulumirpc.ResourceProvider/Diff","request":{}}` + "\n" + `{"method":`:      "a log of calls (PULUMI_DEBUG_GRPC), which 'propalg lint' reads",
		`{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z"},"resources"`:     "a stack, which 'propalg diff' and 'propalg state' read",
		"{\n \"config\": {},\n \"steps\": [{\"op\":\"same\",\"urn\":\"urn:pulumi:s::p::t::n\"}": "a preview, which 'propalg diff' reads",
		`{"manifest":{},"resourcePlans":{"a`:                                                    "a plan, which 'propalg diff' reads",
		`{"version":1,"plan":{"manifest":{},"resourcePlans":{}}}`:                               "a plan, which 'propalg diff' reads",
		`{"sequence":0,"timestamp":1,"preludeEvent":{`:                                          "an event log, which 'propalg diff' reads",
		"name: web\nruntime: yaml\n":                                                            "YAML; it has to be JSON",
		"---\na: 1":                                                                             "YAML; it has to be JSON",
		"# a comment\na: 1":                                                                     "YAML; it has to be JSON",
		`{"a":1}`:                                                                               "",
		`{"steps":[{"op":"x"}]}`:                                                                "",
		`{"steps":[1]}`:                                                                         "",
		`{"steps":[],"a":1}`:                                                                    "",
		`{"steps":1}`:                                                                           "",
		`{"a":"\"sequence\"","sequence":1}`:                                                     "",
		`["steps"]`:                                                                             "",
		"{\"sequence":                                                                           "",
		"hello":                                                                                 "",
		"":                                                                                      "",
		`{"steps":[`:                                                                            "",
		`{"version":1,"plan":`:                                                                  "",
		`{"version":1,"plan":"\"resourcePlans\""}`:                                              "the plan of an update (preview --save-plan)",
		`{"version":1,"plan":{"a":"resourcePlans"}}`:                                            "the plan of an update (preview --save-plan)",
	} {
		if got := input.Guess(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestPlaces: errors have line and column beside the offset in bytes.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1,\n  \"b\": x\n}": "line 3, column 8: codec: decode json: b: offset 19: ",
		`{"a":1,}`:                      "line 1, column 8: ",
		"\n\n{\"version\":3,\"deployment\":{\"resources\":[{\"urn\":\"urn:pulumi:s::p::t:i:R::n\",\n\"inputs\":{\"a\":x}}]}}": "line 4, column 15: ",
	} {
		_, err := input.Load("-", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), "stdin: "+want) {
			t.Errorf("%q: %v", text, err)
		}
	}

	lines := strings.Repeat("  \n", 3<<20) + "{"
	_, err := input.Load("-", strings.NewReader(lines))
	if err == nil || !strings.Contains(err.Error(), "line 3145729, column 2: ") {
		t.Error(err)
	}

	if got := input.AtPlace(strings.NewReader(""), errors.New("x")).Error(); got != "x" {
		t.Error(got)
	}
}

// TestTwoStacks: of two stacks in one file the second one is what is wrong, however long the
// file is.
func TestTwoStacks(t *testing.T) {
	for _, more := range []int{0, 9 << 20} {
		text := stack + strings.Repeat(" ", 10) + stack + strings.Repeat(" ", more)
		if err := load("-", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "expected end of input") {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}
