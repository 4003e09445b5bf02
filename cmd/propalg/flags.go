package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/lines"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
)

// choice is a flag with a closed set of values, the first of which is the default.
type choice struct {
	value string
	of    []string
}

func newChoice(of ...string) *choice { return &choice{value: of[0], of: of} }

func (c *choice) values() []string { return c.of }

// String returns the value chosen.
func (c *choice) String() string { return c.value }

// Set sets one of the values.
func (c *choice) Set(s string) error {
	if s == "md" && slices.Contains(c.of, "markdown") {
		s = "markdown"
	}
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("expected %s%s", strings.Join(c.of, " or "), meant(s, c.of, ""))
	}

	c.value = s
	return nil
}

// choices is a repeatable flag of values of a closed set, separated by commas.
type choices struct{ list, of []string }

func (c *choices) values() []string { return c.of }

// String returns the values chosen, joined by commas.
func (c *choices) String() string { return strings.Join(c.list, ",") }

// Set adds values.
func (c *choices) Set(s string) error {
	for each := range strings.SplitSeq(s, ",") {
		if err := newChoice(c.of...).Set(each); err != nil {
			return err
		}
		c.list = append(c.list, each)
	}

	return nil
}

func (inv *invocation) isSet(name string) (found bool) {
	inv.flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// appendTo returns what a repeatable flag of texts does with each.
func appendTo(list *[]string) func(string) error {
	return func(text string) error {
		*list = append(*list, text)
		return nil
	}
}

// patterns is a repeatable flag of path patterns, in the Pulumi dialect.
type patterns struct{ list []path.Pattern }

// Set adds a pattern.
func (p *patterns) Set(text string) error {
	pattern, err := parsePattern(text)
	if err != nil {
		return errors.New(plain(err)) // package flag takes the text
	}
	if pattern.IsRoot() {
		return errors.New("an empty pattern would match everything")
	}

	p.list = append(p.list, pattern)
	return nil
}

// parsePattern parses a pattern in Pulumi's dialect, or one with [**], which the dialect does
// not have, in the canonical one.
func parsePattern(text string) (path.Pattern, error) {
	pattern, err := path.ParsePulumiPattern(text)
	if err != nil && strings.Contains(text, "[**]") {
		return path.ParsePattern(text)
	}
	return pattern, err
}

// labels is a repeatable flag of names for the old and the new side.
type labels struct{ old, now string }

// Set sets one of the names.
func (l *labels) Set(text string) error {
	side, name, _ := strings.Cut(text, "=")
	switch {
	case name == "":
	case side == "old":
		l.old = name
		return nil
	case side == "new":
		l.now = name
		return nil
	}

	return errors.New("expected old=NAME or new=NAME")
}

// names returns the labels of the two sides, or else the names of the files.
func (f *diffFlags) names(oldName, newName string) (before, after string) {
	return printable.Text(cmp.Or(f.labels.old, oldName)), printable.Text(cmp.Or(f.labels.now, newName))
}

// output adds the flag -o; the first of the forms is the default.
func (inv *invocation) output(forms ...string) {
	inv.form = newChoice(forms...)
	inv.flags.Var(inv.form, "o", "`form` of the result: "+strings.Join(forms, " or "))
}

func (inv *invocation) reportForm() {
	inv.output("text", "json")
	inv.flags.Lookup("o").Usage = "`form` of the report on standard error: text or json"
}

func (inv *invocation) isJSON() bool { return inv.form.value == "json" }

// dialect adds the flag --dialect; the first of the dialects is the default.
func (inv *invocation) dialect(of ...string) *choice {
	c := newChoice(of...)
	inv.flags.Var(c, "dialect", "`name` of the path grammar: "+strings.Join(of, " or "))
	return c
}

func (inv *invocation) colour() {
	inv.when = newChoice("auto", "always", "never")
	inv.flags.Var(inv.when, "color", "`when` to colour the text: auto (on a terminal, as NO_COLOR and CLICOLOR_FORCE say), always or never")
}

// ansi reports what the flag --color means for standard output.
func (inv *invocation) ansi() bool {
	return inv.when.value == "always" || (inv.when.value == "auto" && inv.colours)
}

// onceStdin returns an error for arguments that name standard input more than once.
func (inv *invocation) onceStdin() error {
	n := 0
	for _, name := range inv.args {
		if name == "-" {
			n++
		}
	}

	if n > 1 {
		return usageError{"only one argument can be standard input"}
	}
	return nil
}

// valueWidth returns how many characters of a value to show, 0 if the width of the
// terminal is not known. Lines in which an old and a new value do not fit next to each
// other are broken between them.
func (inv *invocation) valueWidth() int {
	const (
		others = 24 // for indentation, key, quotes and arrow
		enough = 72 // characters of a value that is not alone on its line
	)

	if inv.columns <= 0 {
		return 0
	}
	return max(1, min(inv.columns-others, max((inv.columns-others)/2, enough)))
}

// layout is how lines of text are written.
type layout struct {
	ansi    bool
	columns int // to which lines are broken; 0: they are not
}

func (inv *invocation) layout() layout { return layout{inv.ansi(), inv.columns} }

// appendWrapped appends lines of prose.
func (o layout) appendWrapped(text []byte, lines []string) []byte {
	for _, line := range lines {
		text = append(text, strings.Join(wrapped(line, o.columns), "\n  ")+"\n"...)
	}
	return text
}

func (o layout) appendLine(text []byte, l render.Line) []byte {
	for _, piece := range lines.Wrap(l, o.columns) {
		text = append(piece.AppendText(text, o.ansi), '\n')
	}
	return text
}
