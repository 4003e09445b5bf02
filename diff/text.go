package diff

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const (
	unseenText   = "differ in what is not shown"
	changesShown = 100 // lines of the text of a diff
	textShown    = 200 // bytes of a place, and of a value
)

// String returns one line for each change, as [Change.String] does, joined by newlines.
// After 100 changes it only counts the rest. Package diff/render writes diffs in more
// detail.
func (d Diff) String() string {
	var lines []string
	for c := range d.Changes() {
		if len(lines) == changesShown {
			lines = append(lines, "… "+strconv.Itoa(d.Len()-changesShown)+" more")
			break
		}
		lines = append(lines, c.String())
	}
	return strings.Join(lines, "\n")
}

// Format writes [Diff.String] for every verb but %#v, for which it writes the number of
// changes. Flags, width and precision have no effect.
func (d Diff) Format(s fmt.State, verb rune) {
	if isGo(s, verb) {
		_, _ = fmt.Fprintf(s, "diff.Diff{/* %d changes */}", d.Len())
		return
	}
	_, _ = io.WriteString(s, d.String())
}

// MarshalText returns the text of [Diff.String], for encoding/json and log/slog. It
// cannot be read back; package codec/patch has a form that can.
func (d Diff) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String returns one line such as `~ tags.env: "dev" => "prod"`, or "" for the zero
// Change. Secrets are masked and long values are cut. If both sides then look the same, a
// note says that they differ.
func (c Change) String() string {
	if c.at.In.Open() == nil {
		return ""
	}

	place := shownPlace(c.Shown().Path())
	if c.Op() == OpMove && !c.Shown().Redacted() {
		place = shownPlace(c.OldPath()) + " => " + place
	}
	if place != "" {
		place += ": "
	}
	values, alike := c.values()
	line, notes := c.mark()+place+values, c.node().Notes()
	if alike {
		notes = append([]string{unseenText}, notes...)
	}
	if len(notes) > 0 {
		line += "  # " + strings.Join(notes, ", ")
	}
	return line
}

// Format writes [Change.String] for every verb, within diff.Change{} for %#v. Flags, width
// and precision have no effect.
func (c Change) Format(s fmt.State, verb rune) { write(s, verb, "diff.Change", c.String()) }

// MarshalText returns the text of [Change.String], for encoding/json and log/slog.
func (c Change) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// write writes a text, whatever the verb is, for %#v with the name of its type. A fmt.State
// keeps its error to itself.
func write(s fmt.State, verb rune, typeName, text string) {
	if isGo(s, verb) {
		text = typeName + "{" + text + "}"
	}
	_, _ = io.WriteString(s, text)
}

func isGo(s fmt.State, verb rune) bool { return verb == 'v' && s.Flag('#') }

func (c Change) mark() string {
	switch c.Op() {
	case OpAdd, OpInsert:
		return "+ "
	case OpDelete, OpRemove:
		return "- "
	case OpMove:
		return "> "
	case OpUpdate:
	}

	return "~ "
}

// values returns the sides of the change, and whether both have one text, although they
// may be shown. Of a container that has changes inside only kind and size are shown, since
// what is inside may be secret there.
func (c Change) values() (text string, alike bool) {
	n := c.node()
	show := func(v value.Value) string {
		switch {
		case c.Secret():
			return veil.SecretText
		case n.Facts.Has(difftree.Own):
			return outlined(v)
		}
		return cutText(v.String())
	}
	old, now, hasOld, hasNow := n.Sides()
	switch {
	case hasOld && hasNow && (c.ValueChanged() || c.Shown().Redacted()):
		before, after := show(old), show(now)
		return before + " => " + after, before == after && !c.Secret()
	case hasNow:
		return show(now), false
	}

	return show(old), false
}

func shownPlace(p path.Path) string { return cutText(scan.Line(p.String())) }

func cutText(text string) string {
	if len(text) <= textShown {
		return text
	}
	return strings.ToValidUTF8(text[:textShown], "") + "…"
}
