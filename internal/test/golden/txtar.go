// Package golden keeps what a test expects in txtar files and, when asked,
// rewrites them with what the test got. Only tests import it.
//
// A txtar file is a comment followed by sections. A section begins with a line
//
//	-- name --
//
// and holds every line up to the next such line or the end of the file. Such a line
// cannot be escaped, so a section cannot hold one. A section always ends in a newline, so
// that two texts that differ only in one final newline are stored alike.
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
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrFormat is what every parse and edit error of this package unwraps to.
var ErrFormat = errors.New("golden: not a txtar text")

// Error says which section or line of a txtar text cannot be.
type Error struct {
	Line    int    // 1-based line of the text, 0 where there is none
	Section string // name of the section at fault
	Why     string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("golden: line %d: section %q: %s", e.Line, e.Section, e.Why)
	}
	return fmt.Sprintf("golden: section %q: %s", e.Section, e.Why)
}

// Unwrap returns [ErrFormat].
func (e *Error) Unwrap() error { return ErrFormat }

// Section is one named part of an [Archive].
type Section struct {
	Name string
	Data []byte // empty, or ends in a newline
}

// Archive is a parsed txtar text: sections in file order, no name twice.
type Archive struct {
	Comment  []byte // everything before the first section
	Sections []Section
}

// Parse reads a txtar text. The result shares no memory with data. The only
// error is a name that occurs twice, an [*Error].
func Parse(data []byte) (Archive, error) {
	var a Archive
	seen := map[string]bool{}
	current := &a.Comment
	for number, line := range lines(data) {
		name, ok := marker(line)
		if !ok {
			*current = append(*current, line...)
			continue
		}

		if seen[name] {
			return Archive{}, &Error{Line: number, Section: name, Why: "occurs twice"}
		}
		seen[name] = true
		a.Sections = append(a.Sections, Section{Name: name})
		current = &a.Sections[len(a.Sections)-1].Data
	}

	a.Comment = terminated(a.Comment)
	for i := range a.Sections {
		a.Sections[i].Data = terminated(a.Sections[i].Data)
	}
	return a, nil
}

// Bytes writes the archive as Parse reads it.
func (a *Archive) Bytes() []byte {
	var out bytes.Buffer
	out.Write(terminated(a.Comment))
	for _, s := range a.Sections {
		fmt.Fprintf(&out, "-- %s --\n", s.Name)
		out.Write(terminated(s.Data))
	}

	return out.Bytes()
}

// Section returns the text of a section and whether there is one of that name.
func (a *Archive) Section(name string) (string, bool) {
	for _, s := range a.Sections {
		if s.Name == name {
			return string(s.Data), true
		}
	}
	return "", false
}

// Set replaces a section, or appends it. It refuses, with an [*Error] and
// nothing changed, what Parse would not read back: a name that a marker
// line cannot have, or text that holds a marker line.
func (a *Archive) Set(name, text string) error {
	if got, ok := marker("-- " + name + " --\n"); !ok || got != name || strings.Contains(name, "\n") {
		return &Error{Section: name, Why: "not a section name"}
	}
	for number, line := range lines([]byte(text)) {
		if _, ok := marker(line); ok {
			return &Error{Line: number, Section: name, Why: "holds a line that reads as a section marker"}
		}
	}

	data := terminated([]byte(text))
	for i := range a.Sections {
		if a.Sections[i].Name == name {
			a.Sections[i].Data = data
			return nil
		}
	}
	a.Sections = append(a.Sections, Section{Name: name, Data: data})
	return nil
}

// lines yields every line with its newline, numbered from 1.
func lines(data []byte) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range bytes.Lines(data) {
			number++

			if !yield(number, string(line)) {
				return
			}
		}
	}
}

// marker reads a section's first line, `-- name --`.
func marker(line string) (string, bool) {
	body, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
	if !ok {
		return "", false
	}

	body, ok = strings.CutSuffix(body, " --")
	name := strings.TrimSpace(body)
	return name, ok && name != ""
}

// terminated makes text end in a newline, unless it is empty.
func terminated(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(bytes.Clone(text), '\n')
}
