// Package golden keeps what a test expects in txtar files and, when asked,
// rewrites them with what the test got. Only tests import it.
//
// A txtar file is a comment followed by sections. A section begins with a line
//
//	-- name --
//
// and holds every line up to the next such line or the end of the file. A section always
// ends in a newline, so that two texts that differ only in one final newline are stored alike.
//
// A test package declares the flag once, in a test file, and opens files with it:
//
//	var update = golden.Flag()
//
//	func TestText(t *testing.T) {
//		golden.Each(t, "testdata/text/*.txtar", *update, func(t *testing.T, g *golden.Golden) {
//			g.Want("want", render(g.Section("input")))
//		})
//	}
//
// and `go test ./thatpackage -update` rewrites its files. Read the difference
// before committing it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Flag registers -update with the flag package and returns its value. A test
// package calls it once, in a variable of a test file: flags must exist before
// the test binary parses them.
func Flag() *bool {
	return flag.Bool("update", false, "rewrite golden files with what the tests got")
}

// Golden is one open txtar file of one test. Not safe for concurrent use.
type Golden struct {
	t        testing.TB
	file     string
	update   bool
	read     string
	comment  string
	sections []section
}

type section struct{ name, text string }

// marker is the first line of a section.
var marker = regexp.MustCompile(`(?m)^-- (.*\S) --\n`)

// Open reads a txtar file and ends the test when it cannot. With update, a file
// that is not there is an empty one, and what [Golden.Want] recorded is written
// when the test ends.
func Open(t testing.TB, file string, update bool) *Golden {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && (!update || !os.IsNotExist(err)) {
		t.Fatal(err)
	}

	g := &Golden{t: t, file: file, update: update, read: string(data)}
	rest := terminated(g.read)
	markers := marker.FindAllStringSubmatchIndex(rest, -1)
	g.comment = rest
	for i, at := range markers {
		end := len(rest)
		if i+1 < len(markers) {
			end = markers[i+1][0]
		}
		if i == 0 {
			g.comment = rest[:at[0]]
		}

		name := rest[at[2]:at[3]]
		if g.Has(name) {
			t.Fatalf("%s: section %q occurs twice", file, name)
		}
		g.sections = append(g.sections, section{name, rest[at[1]:end]})
	}
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
		t.Fatalf("no file matches %s (%v)", pattern, err)
	}

	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { run(t, Open(t, file, update)) })
	}
}

func (g *Golden) index(name string) int {
	return slices.IndexFunc(g.sections, func(s section) bool { return s.name == name })
}

// Has says whether the file has a section of that name.
func (g *Golden) Has(name string) bool { return g.index(name) >= 0 }

// Section returns the text of an input section and ends the test when there is
// none.
func (g *Golden) Section(name string) string {
	g.t.Helper()
	i := g.index(name)
	if i < 0 {
		g.t.Fatalf("%s: no section %q", g.file, name)
	}
	return g.sections[i].text
}

// Want fails the test when got is not the text of the section, but for one final
// newline. With update it records got instead.
func (g *Golden) Want(name, got string) {
	g.t.Helper()
	i, got := g.index(name), terminated(got)
	switch {
	case marker.MatchString(got):
		g.t.Errorf("%s: section %q: a line of the text would begin another section", g.file, name)
	case g.update && i < 0:
		g.sections = append(g.sections, section{name, got})
	case g.update:
		g.sections[i].text = got
	case i < 0:
		g.t.Errorf("%s: no section %q; run the test with -update to record it", g.file, name)
	case g.sections[i].text != got:
		g.t.Errorf("%s: section %q (-want +got), which -update would accept:\n%s", g.file, name, cmp.Diff(g.sections[i].text, got))
	}
}

// write stores what Want recorded.
func (g *Golden) write() {
	text := g.comment
	for _, s := range g.sections {
		text += "-- " + s.name + " --\n" + s.text
	}
	if !g.update || text == g.read {
		return
	}

	if err := os.WriteFile(g.file, []byte(text), 0o600); err != nil {
		g.t.Error(err)
	}
}

// terminated makes text end in a newline, unless it is empty.
func terminated(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
