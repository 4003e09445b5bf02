package main_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// nested is a bag with a text at each of many levels, whose paths together are
// longer than a reader wants.
func nested(levels, key int, text string) string {
	open := `{"` + strings.Repeat("k", key) + `":`
	return strings.Repeat(open, levels) + "1" + strings.Repeat(`,"u":"`+text+`"}`, levels)
}

// TestListedPaths: a command lists paths up to a bound in bytes, and then counts.
func TestListedPaths(t *testing.T) {
	const levels, most = 400, 20 << 20 // the paths are 80 MB
	bag := func(text string) string { return nested(levels, 1000, text) }
	dir := writeFiles(t, map[string]string{
		"stack.json": `{"version":3,"deployment":{"resources":[{"urn":"u","inputs":` + bag("needle") + `},{"urn":"v","inputs":{"a":"needle"}}]}}`,
		"base.json":  bag("a"), "left.json": bag("b"), "right.json": bag("c"),
	})
	for args, count := range map[string]func(stdout, stderr string) (listed, more int){
		"state ls --holds needle stack.json": func(stdout, _ string) (listed, more int) {
			return strings.Count(stdout, "\n    inputs: "), numberAfter(t, stdout, "and at ")
		},
		"state ls -o json --holds needle stack.json": func(stdout, _ string) (listed, more int) {
			for d := json.NewDecoder(strings.NewReader(stdout)); d.More(); {
				var row struct {
					Holds []any
					More  int
				}
				if err := d.Decode(&row); err != nil {
					t.Fatal(err)
				}
				listed, more = listed+len(row.Holds), more+row.More
			}
			return listed - 1, more - 1 // of the other resource, which is there all the same
		},
		"merge -o json base.json left.json right.json": func(_, stderr string) (listed, more int) {
			var doc struct {
				Conflicts []any
				More      int
			}
			if err := json.Unmarshal([]byte(stderr), &doc); err != nil {
				t.Fatal(err)
			}
			return len(doc.Conflicts), doc.More
		},
	} {
		got := propalg(t, dir, "", strings.Fields(args)...)
		if got.code == 2 {
			t.Fatalf("%s: %s", args, got.stderr)
		}
		if n := len(got.stdout) + len(got.stderr); n > most {
			t.Errorf("%s: %d bytes", args, n)
		}
		listed, more := count(got.stdout, got.stderr)
		if listed < 15 || more < 100 || listed+more < levels-1 || listed+more > levels+1 {
			t.Errorf("%s: %d listed, %d more", args, listed, more)
		}
	}
}

// numberAfter is the number that follows some words in a text.
func numberAfter(t *testing.T, text, words string) (n int) {
	t.Helper()
	_, after, ok := strings.Cut(text, words)
	if !ok {
		t.Fatalf("no %q", words)
	}
	for _, c := range after {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}
