package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// lines returns the last lines of the text.
func (t *tally) lines() []string {
	replaced := ""
	if n := t.counts[ops.Replace]; n > 0 {
		replaced = fmt.Sprintf(" (%d of them to be replaced)", n)
	}

	deployment := ""
	if t.deployment == state.Updated {
		deployment = "; the deployment differs"
	}

	text := fmt.Sprintf("Resources: %d created, %d deleted, %d updated%s, %d the same%s%s",
		t.counts[ops.Create], t.counts[ops.Delete], t.updated(), replaced, t.counts[ops.Same], t.others(), deployment)
	return append([]string{text}, t.remarks()...)
}

// remarks say what the numbers of resources do not, a line each.
func (t *tally) remarks() []string {
	lines := t.upgraded()
	for _, each := range []struct{ before, text, after string }{
		{"The summary in the file has ", strings.Join(t.differs, ", "), ": its steps are not those that the engine counted"},
		{"May differ: ", t.uncertain(), " (--sealed)"},
		{"Left out: ", t.leftOutText(), " (--all)"},
		{"Filtered: ", t.filtered, " (--resource, --op)"},
	} {
		if each.text != "" {
			lines = append(lines, each.before+each.text+each.after)
		}
	}
	return lines
}

// others says what else the steps of an update do.
func (t *tally) others() (text string) {
	rest := maps.Clone(t.counts)
	for _, op := range []ops.Op{ops.Create, ops.Delete, ops.Update, ops.Replace, ops.Same} {
		delete(rest, op)
	}
	for _, each := range append([]string{rest.Join(", ")}, t.uncounted()...) {
		if each != "" {
			text += ", " + each
		}
	}
	return text
}

// uncounted says what the engine does and does not count.
func (t *tally) uncounted() (all []string) {
	if t.replaced > 0 {
		all = append(all, printable.Thousands(t.replaced)+" deleted that earlier updates replaced")
	}
	if t.other > 0 {
		all = append(all, printable.Thousands(t.other)+" with other operations")
	}
	return all
}

func (inv *invocation) diffStacksText(s *stacks, f *diffFlags) (int, error) {
	out := make([]byte, 0, 1<<12)
	draw := func(e *entry) { e.text, e.parts = e.appendParts(nil, f.layout), nil }
	count, err := f.eachShown(s, 2, draw, func(e *entry) { out = append(appendHeader(out, e, f.layout), e.text...) })
	if err != nil {
		return 0, err
	}

	wrap := func(lines []string) (text []byte) {
		for _, line := range lines {
			text = append(text, strings.Join(wrapped(line, f.layout.columns), "\n  ")+"\n"...)
		}
		return text
	}
	for _, text := range [][]byte{wrap(count.failure.lines()), out, wrap(count.lines())} {
		if _, err := inv.out.Write(text); err != nil {
			return 0, err
		}
	}
	return count.exit(), nil
}

// appendParts appends the parts.
func (e *entry) appendParts(text []byte, o layout) []byte {
	for _, p := range e.parts {
		if p.name != "" {
			text = append(text, "    "+p.heading()+"\n"...)
		}
		for _, l := range p.lines {
			text = o.appendLine(text, l)
		}
	}
	return text
}

// mark returns the mark of the operation, MarkNone for those that diffs do not have.
func (e *entry) mark() render.Mark {
	return map[ops.Op]render.Mark{
		ops.Create: render.MarkAdd, ops.Delete: render.MarkDelete, ops.Replace: render.MarkReplace,
		ops.Update: render.MarkUpdate, ops.Refresh: render.MarkUpdate,
	}[e.op]
}

func appendHeader(text []byte, e *entry, o layout) []byte {
	title := "deployment"
	if e.of != nil {
		kind, name := e.title()
		if e.group == nil {
			name = nameOf(e.of.URN)
		}
		title = strings.TrimSpace(kind + " " + name)
		if e.note != "" {
			title += " (" + e.note + ")"
		}
	}

	mark, at := e.mark(), len(text)
	text = o.appendLine(text, render.Line{Mark: mark, Fold: render.FoldOpen, Spans: []render.Span{{Text: title, Style: render.StyleKey}}})
	if mark == render.MarkNone {
		copy(text[at:], e.op.Mark())
	}
	if e.of == nil {
		return text
	}
	for _, each := range e.members() {
		urn := render.Line{Spans: []render.Span{{Text: "  [urn=" + printable.Text(each.of.URN) + "]"}}}
		text = append(urn.AppendText(text, o.ansi), '\n') // not broken, since URNs are copied
	}
	return text
}

func (inv *invocation) diffBagsText(before, after *input.Source, f *diffFlags) (int, error) {
	var text []byte
	p := f.bagPart(before, after)
	if p.keyed != "" {
		p.lines = append(p.lines, render.Line{Spans: []render.Span{{Text: "# " + p.keyed, Style: render.StyleNote}}})
	}
	for _, l := range p.lines {
		text = f.layout.appendLine(text, l)
	}
	if _, err := inv.out.Write(text); err != nil {
		return 0, err
	}
	return exitIf(p.differs()), nil
}

// bagPart returns the difference of two bags as lines.
func (f *diffFlags) bagPart(before, after *input.Source) part {
	d, inDigits := f.compareBags(before, after, value.Strict)
	f.hide.in("").matched(d)

	o := f.text("", 0)
	o.ReplaceOn = f.replacing("")
	return part{
		lines: slices.Collect(render.Lines(d, o)), changes: f.count(d), inDigits: inDigits,
		keyed: f.keyedNote("", d, before.Bag, after.Bag),
	}
}

// differs reports whether there is a difference, perhaps one that no line shows.
func (p *part) differs() bool { return len(p.lines) > 0 || p.inDigits }

// lead sums up the difference of two bags.
func (p *part) lead() string {
	switch {
	case !p.differs():
		return "The two property bags are equal."
	case len(p.lines) == 0:
		return "The two property bags " + differInDigits + "."
	}
	return printable.Counted(p.changes, "change") + "."
}
