package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// told is what there is to tell of a resource, or of a deployment.
type told struct {
	of      *state.Resource // the new one, or what is gone; nil: there is a title
	title   string
	mark    render.Mark
	parts   []part
	leftOut int // times and source positions that differ
}

// part is what changed in one of the bags of a resource.
type part struct {
	name    string
	lines   []render.Line
	changes int
}

// tell finds what there is to tell of two resources that belong together, or of
// one that has no partner. Lines are indented by a number of levels.
func (f *diffFlags) tell(old, now *state.Resource, indent int) (told, news) {
	switch {
	case old == nil:
		return f.wholly(now, render.MarkAdd, indent), isChanged
	case now == nil:
		return f.wholly(old, render.MarkDelete, indent), isChanged
	}
	c := f.compareResources(old, now)
	t := told{of: now, mark: render.MarkUpdate, leftOut: c.leftOut}
	if c.news != isChanged {
		return t, c.news
	}
	if f.forces(c.sections[1].exact.Diff) {
		t.mark = render.MarkReplace
	}
	t.parts = c.parts(f, indent)
	return t, isChanged
}

// wholly tells of a resource that was created or deleted: its inputs, or its
// outputs when it has no inputs.
func (f *diffFlags) wholly(r *state.Resource, mark render.Mark, indent int) told {
	t := told{of: r, mark: mark}
	bag, name := r.Inputs, "inputs"
	if bag.Len() == 0 {
		bag, name = r.Outputs, "outputs"
	}
	if bag.Len() == 0 {
		return t
	}
	none, all := value.Object(), bag
	if mark == render.MarkDelete {
		none, all = all, none
	}
	d := diff.Between(none, all, diff.Options{})
	t.parts = []part{{name, slices.Collect(render.Lines(d, f.text(indent))), d.Len()}}
	return t
}

// appendText appends a header and what changed in each bag.
func (t *told) appendText(text []byte, colour render.Colour) []byte {
	if t.of == nil {
		line := render.Line{Mark: t.mark, Fold: render.FoldOpen, Spans: []render.Span{{Text: t.title, Style: render.StyleKey}}}
		text = append(line.AppendText(text, colour), '\n')
	} else {
		text = append(text, header(t.of, t.mark, colour)...)
	}
	for _, p := range t.parts {
		if p.name != "" {
			text = append(text, "    "+p.name+":\n"...)
		}
		for _, l := range p.lines {
			text = append(l.AppendText(text, colour), '\n')
		}
	}
	return text
}

// header names a resource: its type, its name, then the whole URN.
func header(r *state.Resource, mark render.Mark, colour render.Colour) []byte {
	suffix := ""
	if r.Delete {
		suffix = " (waits for deletion)"
	}
	line := render.Line{Mark: mark, Fold: render.FoldOpen, Spans: []render.Span{
		{Text: plain(r.Type) + " " + value.String(shortName(r.URN)).String() + suffix, Style: render.StyleKey},
	}}
	return fmt.Appendf(line.AppendText(nil, colour), "\n    [urn=%s]\n", plain(r.URN))
}

// shortName is the name in a URN; what is none is its own.
func shortName(text string) string {
	if u, err := urn.Parse(text); err == nil {
		return u.Name()
	}
	return text
}

// plain makes a text safe for a terminal; the types and URNs of real stacks
// come out as they are.
func plain(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return s
	}
	return value.String(s).String()
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
