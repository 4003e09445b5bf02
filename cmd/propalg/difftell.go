package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// told is what there is to tell of a resource.
type told struct {
	of    *state.Resource // the new one, or what is gone
	mark  diff.Mark
	parts []part
}

// part is what changed in one of the bags of a resource.
type part struct {
	name    string
	lines   []diff.Line
	changes int
}

// section is one of the bags of a resource.
type section struct {
	name                 string
	old, now             value.Value
	oldReport, nowReport *codec.Report
}

// tell finds what there is to tell of two resources that belong together, or of
// one that came or went; and whether there is anything. Lines have a number of
// levels before them.
func (f *diffFlags) tell(old, now *state.Resource, indent int) (t told, changed bool) {
	switch {
	case old == nil:
		return f.whole(now, diff.MarkAdd, indent), true
	case now == nil:
		return f.whole(old, diff.MarkDelete, indent), true
	}
	t = told{of: now, mark: diff.MarkUpdate}
	for _, s := range []section{
		{"state", facts(old), facts(now), &codec.Report{}, &codec.Report{}},
		{"inputs", bag(old.Inputs), bag(now.Inputs), &old.InputsReport, &now.InputsReport},
		{"outputs", bag(old.Outputs), bag(now.Outputs), &old.OutputsReport, &now.OutputsReport},
	} {
		o := f.text(indent)
		d := diff.Between(s.old, s.now, diff.Options{})
		if s.name == "state" {
			o.HideDiffs = nil
		} else {
			d = f.between(s.old, s.now, value.Strict)
		}
		exact := f.exact(d, s.old, s.now, s.oldReport, s.nowReport)
		if s.name == "inputs" {
			o.ReplaceOn = f.replaceOn
			if f.forces(exact.Diff) {
				t.mark = diff.MarkReplace
			}
		}
		if lines := append(slices.Collect(diff.Lines(d, o)), exact.lines(o)...); len(lines) > 0 {
			t.parts = append(t.parts, part{s.name, lines, d.Len() + len(exact.hidden)})
		}
	}
	return t, len(t.parts) > 0
}

// whole tells of a resource that was created or deleted: its inputs, or its
// outputs when it has no inputs.
func (f *diffFlags) whole(r *state.Resource, mark diff.Mark, indent int) told {
	t := told{of: r, mark: mark}
	bag, name := r.Inputs, "inputs"
	if bag.Len() == 0 {
		bag, name = r.Outputs, "outputs"
	}
	if bag.Len() == 0 {
		return t
	}
	none, all := value.Object(), bag
	if mark == diff.MarkDelete {
		none, all = all, none
	}
	d := diff.Between(none, all, diff.Options{})
	t.parts = []part{{name, slices.Collect(diff.Lines(d, f.text(indent))), d.Len()}}
	return t
}

// appendText appends a header and what changed in each bag.
func (t *told) appendText(text []byte, colour diff.Colour) []byte {
	text = append(text, header(t.of, t.mark, colour)...)
	for _, p := range t.parts {
		text = append(text, "    "+p.name+":\n"...)
		for _, l := range p.lines {
			text = append(l.AppendText(text, colour), '\n')
		}
	}
	return text
}

// header names a resource: its type, its name, then the whole URN.
func header(r *state.Resource, mark diff.Mark, colour diff.Colour) []byte {
	suffix := ""
	if r.Delete {
		suffix = " (waits for deletion)"
	}
	line := diff.Line{Mark: mark, Fold: diff.FoldOpen, Spans: []diff.Span{
		{Text: plain(r.Type) + " " + value.String(shortName(r.URN)).String() + suffix, Style: diff.StyleKey},
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
