package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

// shared is where real data is, beside the repository.
const shared = "../../shared/data/"

// labels is a program of one record that has labels with these keys. A key may be
// longer than YAML lets keys be that are not introduced by a question mark.
func labels(keys []string, text string) string {
	entries := make([]string, len(keys))
	for i, key := range keys {
		entries[i] = "? " + quoted(escaped(key)) + " : " + text
	}
	return resources(record("a", "name: alpha, labels: {"+strings.Join(entries, ", ")+"}, extra: [{"+strings.Join(entries, ", ")+"}]"))
}

// escaped hides from the YAML host what it takes for an expression.
func escaped(key string) string { return strings.ReplaceAll(key, "${", "$${") }

// has says whether an object holds a text at each of the keys, and nothing else.
func has(object value.Value, keys []string, text string) error {
	if object.Len() != len(keys) {
		return fmt.Errorf("%d keys, not %d", object.Len(), len(keys))
	}
	for _, key := range keys {
		if v := object.Field(key); !v.Equal(value.String(text)) {
			return fmt.Errorf("%q is not as the program says", key)
		}
	}
	return nil
}

// TestRealKeys has real keys that need quotes in a path, in a map and in an
// object in an array: they come, change and go, and the engine says of each what
// it would say itself.
func TestRealKeys(t *testing.T) {
	text, err := os.ReadFile(shared + "odd-keys.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no %sodd-keys.json here", shared)
	}
	var keys []string
	if err := errors.Join(err, json.Unmarshal(text, &keys)); err != nil || len(keys) < 100 {
		t.Fatal(err, len(keys))
	}
	s := newStack(t)
	s.walkKeys(keys, s.compareEngine)
}

// TestHostileKeys has keys that break the engine's own paths: some it cannot read
// back, which would end the preview if a detailed diff named them. (The key of a
// merge, <<, is missing: YAML takes it, quoted or not.)
func TestHostileKeys(t *testing.T) {
	s := newStack(t)
	s.walkKeys([]string{
		"", "*", `\`, `a\`, `\"`, `"`, `a"b`, `["x"]`, "[*]", "[0]", "0", "-1", "a.b", ".", "..", "a..b", "a]", "]", "[", "a[", "a[0]", "a b", " ", "\t", "a\nb",
		"ä", "日本", "\u2028", "🦉", "$", "${a.b}", "{{x}}", "<{%reset%}>", "%s", "id", "urn", "name", "__proto__", "null", "true", "~", "< <", "a:b", "#", "- x", "'", "`",
		strings.Repeat("long.", 4000), strings.Repeat(`\"`, 10000), strings.Repeat("[", 3000),
	}, func(name string, _ []planned) {
		if name != "change" {
			return
		}
		s.with("DEMO_DIFF_UNKNOWN=1", func() { // the engine, left to itself, writes keys that it cannot read, and comes upon any of them
			r := s.run("preview")
			if r.code == 0 || (!strings.Contains(r.stdout, "missing closing quote") && !strings.Contains(r.stdout, "expected property path to end with")) {
				t.Errorf("these keys are harmless: %s", r)
			}
		})
	})
}

// walkKeys lets all keys come, change, go by half, and come back; compare looks at
// each plan.
func (s *stack) walkKeys(keys []string, compare func(name string, plan []planned)) {
	s.t.Helper()
	half := keys[:len(keys)/2]
	for i, at := range []struct {
		name, text string
		keys       []string
	}{{"create", "one", keys}, {"change", "two", keys}, {"go", "two", half}, {"come back", "three", keys}, {"all go", "three", nil}} {
		s.program(labels(at.keys, at.text))
		plan := s.preview()
		if len(plan) != 1 {
			s.t.Errorf("%s: %d steps", at.name, len(plan))
		} else if entries := len(plan[0].DetailedDiff); i > 0 && entries == 0 {
			s.t.Errorf("%s: no entries", at.name)
		} else {
			s.t.Logf("%s: %d keys, %d entries", at.name, len(at.keys), entries)
		}
		compare(at.name, plan)
		s.up()
		in := s.resource("a").Inputs
		if err := errors.Join(has(in.Field("labels"), at.keys, at.text), has(in.Field("extra").Elem(0), at.keys, at.text)); err != nil {
			s.t.Errorf("%s: %v", at.name, err)
		}
	}
	s.destroy()
}
