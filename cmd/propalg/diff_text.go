package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
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
		{"Filtered: ", t.filtered, " (--resource, --op, --only)"},
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
	text, count, err := f.textOf(s)
	if err != nil {
		return 0, err
	}
	_, err = inv.out.Write(text)
	return count.exit(), err
}

// textOf returns the difference of two stacks as text.
func (f *diffFlags) textOf(s *stacks) ([]byte, *tally, error) {
	out := make([]byte, 0, 1<<12)
	drawn := map[*changed.Resource][]byte{}
	draw := func(r *changed.Resource) { drawn[r], r.Parts = appendParts(nil, r.Parts, f.layout), nil }
	count, err := f.eachShown(s, 2, draw, func(r *changed.Resource) { out = append(appendHeader(out, r, f.layout), drawn[r]...) })
	if err != nil {
		return nil, nil, err
	}
	return slices.Concat(f.layout.appendWrapped(nil, count.failure.lines()), out, f.layout.appendWrapped(nil, count.lines())), count, nil
}

func appendParts(text []byte, parts []changed.Part, o layout) []byte {
	for _, p := range parts {
		switch {
		case p.Name == "":
		case strings.Contains(p.Name, ":"):
			text = append(text, "    "+p.Name+"\n"...)
		default:
			text = append(text, "    "+p.Name+":\n"...)
		}
		for _, l := range p.Lines {
			text = o.appendLine(text, l)
		}
	}
	return text
}

// markOf returns the mark of an operation, MarkNone for those that diffs do not have.
func markOf(op ops.Op) render.Mark {
	return map[ops.Op]render.Mark{
		ops.Create: render.MarkAdd, ops.Delete: render.MarkDelete, ops.Replace: render.MarkReplace,
		ops.Update: render.MarkUpdate, ops.Refresh: render.MarkUpdate,
	}[op]
}

func appendHeader(text []byte, r *changed.Resource, o layout) []byte {
	kind, title := r.Title()
	if r.URN != "" && r.Alike == nil {
		title = nameOf(r.URN)
	}
	title = strings.TrimSpace(kind + " " + title)
	if r.Note != "" {
		title += " (" + r.Note + ")"
	}

	mark, at := markOf(r.Op), len(text)
	text = o.appendLine(text, render.Line{Mark: mark, Fold: render.FoldOpen, Spans: []render.Span{{Text: title, Style: render.StyleKey}}})
	if mark == render.MarkNone {
		copy(text[at:], r.Op.Mark())
	}
	for _, each := range r.All() {
		if each.URN != "" {
			urn := render.Line{Spans: []render.Span{{Text: "  [urn=" + each.URN + "]"}}}
			text = append(urn.AppendText(text, o.ansi), '\n') // not broken, since URNs are copied
		}
	}
	return text
}

func (inv *invocation) diffBagsText(before, after *input.Source, f *diffFlags) (int, error) {
	p, differs := f.bagPart(before, after)
	if p.Name != "" {
		p.Lines = append(p.Lines, render.Line{Spans: []render.Span{{Text: p.Name, Style: render.StyleNote}}})
	}
	var text []byte
	for _, l := range p.Lines {
		text = f.layout.appendLine(text, l)
	}
	_, err := inv.out.Write(text)
	return exitIf(differs), err
}

// bagPart returns the difference of two bags as lines, and whether there is one, perhaps one
// that no line shows.
func (f *diffFlags) bagPart(before, after *input.Source) (p changed.Part, differs bool) {
	d, inDigits := f.compareBags(before, after, value.Strict)
	f.hide.in("").matched(d)

	o := f.text("", 0)
	o.ReplaceOn = f.replacing("")
	p = changed.Part{Lines: slices.Collect(render.Lines(d, o)), Changes: f.count(d)}
	if keyed := f.keyedNote("", d, before.Bag, after.Bag); keyed != "" {
		p.Name = "# " + keyed
	}
	return p, len(p.Lines) > 0 || inDigits
}

// leadOf sums up the difference of two bags.
func leadOf(p changed.Part, differs bool) string {
	switch {
	case !differs:
		return "The two property bags are equal."
	case len(p.Lines) == 0:
		return "Numbers in the two property bags " + differInDigits + "."
	}
	return printable.Counted(p.Changes, "change") + "."
}
