package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shownBytes bounds how much of a line a failure shows.
const shownBytes = 200

// Flag registers -update with the flag package and returns its value. A test
// package calls it once, in a variable of a test file: flags must exist before
// the test binary parses them.
func Flag() *bool {
	return flag.Bool("update", false, "rewrite golden files with what the tests got")
}

// Golden is one open txtar file of one test. Not safe for concurrent use.
type Golden struct {
	t       testing.TB
	file    string
	update  bool
	read    []byte
	archive Archive
}

// Open reads a txtar file and ends the test when it cannot. With update, a file
// that is not there is an empty one, and what [Golden.Want] recorded is written
// when the test ends.
func Open(t testing.TB, file string, update bool) *Golden {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && (!update || !os.IsNotExist(err)) {
		t.Fatalf("golden: %v", err)
	}

	archive, err := Parse(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	g := &Golden{t: t, file: file, update: update, read: data, archive: archive}
	t.Cleanup(g.write)
	return g
}

// Each opens every file that the glob pattern matches and runs one subtest on
// each, named by the file without its extension. A pattern that matches nothing
// fails the test.
func Each(t *testing.T, pattern string, update bool, run func(t *testing.T, g *Golden)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("golden: no file matches %s (%v)", pattern, err)
	}

	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { run(t, Open(t, file, update)) })
	}
}

// Section returns the text of an input section and ends the test when there is
// none.
func (g *Golden) Section(name string) string {
	g.t.Helper()
	text, ok := g.archive.Section(name)
	if !ok {
		g.t.Fatalf("%s: no section %q", g.file, name)
	}
	return text
}

// Has says whether the file has a section of that name.
func (g *Golden) Has(name string) bool {
	_, ok := g.archive.Section(name)
	return ok
}

// Want fails the test when got is not the text of the section, but for one final
// newline. With update it records got instead.
func (g *Golden) Want(name, got string) {
	g.t.Helper()
	if g.update {
		if err := g.archive.Set(name, got); err != nil {
			g.t.Errorf("%s: %v", g.file, err)
		}
		return
	}

	want, ok := g.archive.Section(name)
	if !ok {
		g.t.Errorf("%s: no section %q; run the test with -update to record it", g.file, name)
		return
	}
	if text := string(terminated([]byte(got))); text != want {
		g.t.Errorf("%s: section %q: %s\nrun the test with -update to accept it", g.file, name, firstDifference(want, text))
	}
}

// write stores what Want recorded.
func (g *Golden) write() {
	out := g.archive.Bytes()
	if !g.update || bytes.Equal(out, g.read) {
		return
	}

	if err := os.WriteFile(g.file, out, 0o644); err != nil {
		g.t.Errorf("golden: %v", err)
	}
}

// firstDifference tells the first line at which two different texts part.
func firstDifference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(wants), len(gots)) {
		w, g := lineOrEnd(wants, i), lineOrEnd(gots, i)
		if w != g {
			return fmt.Sprintf("line %d:\n\twant %s\n\tgot  %s", i+1, w, g)
		}
	}

	return "no difference"
}

// lineOrEnd quotes line i as far as a failure shows it. The last element of the
// split is what follows the final newline: the end of the text.
func lineOrEnd(lines []string, i int) string {
	if i >= len(lines)-1 {
		return "end of text"
	}

	line := lines[i]
	if len(line) > shownBytes {
		return fmt.Sprintf("%q… (%d bytes)", line[:shownBytes], len(line))
	}
	return fmt.Sprintf("%q", line)
}
