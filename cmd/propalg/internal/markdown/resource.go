package markdown

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/lines"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
)

func verb(r *changed.Resource) string {
	switch {
	case r.Note == "":
		return r.Op.Past()
	case r.Op == ops.Failed || r.Op == ops.Unfinished: // of which the note says more
		return prose(r.Note)
	}
	return r.Op.Past() + ", " + prose(r.Note)
}

const noBreak = "\u00a0"

// sign returns the mark of an operation as code. A colour, of which Markdown has no other, is
// before those that may hurt.
func sign(op ops.Op, asCode func(string) string) string {
	if op == ops.Same {
		return ""
	}
	colour := map[ops.Op]string{ops.Failed: "🟥", ops.Unfinished: "🟥", ops.Delete: "🟥", ops.Replace: "🟪"}[op]
	if colour != "" {
		colour += noBreak
	}
	return colour + asCode(op.Mark())
}

// row returns the row of a resource in the table.
func row(r *changed.Resource) string {
	kind, name := r.Title()
	title := code(changed.Clip(name, longName))
	if kind != "" {
		title = code(changed.Clip(kind, longName)) + " **" + title + "**"
	}

	what := verb(r)
	for i, s := range r.Properties() {
		if i == 0 {
			what += ": "
		}
		if s.Style == render.StyleKey {
			s.Text = code(s.Text)
		}
		what += s.Text
	}
	return fmt.Sprintf("| %s | %s | %s |\n", sign(r.Op, code), title, what)
}

// detailOf returns the lines of the diff, folded unless the resource is a bag.
func detailOf(r *changed.Resource, isBag bool) piece {
	most := forOne
	if isBag {
		most = forBag
	}
	body, more := bodyOf(r.Parts, most)
	var b strings.Builder
	if !isBag {
		said := verb(r)
		if !r.Whole {
			said += ", " + printable.Counted(r.Changes(), "change")
		}
		kind, name := r.Title()
		title := "<b>" + markupCode(changed.Clip(name, longName)) + "</b>"
		if kind != "" {
			title = markupCode(changed.Clip(kind, longName)) + " " + title
		}
		fmt.Fprintf(&b, "\n<details><summary>%s %s · %s</summary>\n", sign(r.Op, markupCode), title, said)
		b.WriteString(urnsOf(r))
	}

	if body != "" {
		ticks := fence(body)
		fmt.Fprintf(&b, "\n%sdiff\n%s%s\n", ticks, body, ticks)
	}

	if more > 0 {
		fmt.Fprintf(&b, "\nand %s\n", printable.Counted(more, "more line"))
	}
	if !isBag {
		b.WriteString("\n</details>\n")
	}
	return piece{b.String(), more, len(r.All())}
}

// urnsOf returns the URNs of what changes alike, a line each, if they are resources.
func urnsOf(r *changed.Resource) string {
	const most = 50
	if r.URN == "" {
		return ""
	}
	text, all := "\n", r.All()
	for _, each := range all[:min(len(all), most)] {
		text += code(changed.Clip(each.URN, longURN)) + "\n"
	}
	if more := len(all) - most; more > 0 {
		text += "and " + printable.Counted(more, "more resource") + "\n"
	}
	return text
}

// bodyOf returns lines of a diff up to a number of bytes, and the number of the others.
func bodyOf(parts []changed.Part, most int) (text string, more int) {
	var b strings.Builder
	add := func(line string) {
		if more > 0 || b.Len()+len(line)+1 > most {
			more++
			return
		}

		b.WriteString(line + "\n")
	}
	for _, p := range parts {
		if p.Name != "" {
			add("@@ " + p.Name + " @@")
		}
		top := 0
		if len(p.Lines) > 0 {
			top = p.Lines[0].Level
		}
		for _, l := range p.Lines {
			for _, line := range diffLines(l, top) {
				add(line)
			}
		}
	}

	return b.String(), more
}

// longLine is the length from which the old and the new value are on lines of their
// own.
const longLine = 100

// diffLines returns a line with its mark in the first column, or two lines for an old
// and a new value that are long.
func diffLines(l render.Line, top int) []string {
	indent := " " + strings.Repeat("  ", max(l.Level-top, 0))
	mark := markOf(l)
	if mark == "!" && lines.Len(l.Spans) > longLine {
		oldLabel, newLabel, rest := lines.Labels(l.Spans)
		if before, after, ok := lines.Split(rest); ok {
			return []string{"-" + indent + joined(oldLabel, before), "+" + indent + joined(newLabel, after)}
		}
	}

	return []string{mark + strings.TrimRight(indent+joined(l.Spans), " ")}
}

// markOf returns the character that gives a line its colour: a space for what only
// contains changes.
func markOf(l render.Line) string {
	switch l.Mark {
	case render.MarkAdd:
		return "+"
	case render.MarkDelete:
		return "-"
	case render.MarkNone:
		return " "
	case render.MarkReplace, render.MarkUpdate, render.MarkMove:
	}

	switch l.Op {
	case diff.OpAdd, diff.OpInsert:
		return "+"
	case diff.OpDelete, diff.OpRemove:
		return "-"
	case diff.OpUpdate, diff.OpMove:
	}

	isAbove := l.Op == 0 && l.Mark == render.MarkUpdate && l.Fold != render.FoldNone // a secret that is shows no changes
	if isAbove || l.Fold == render.FoldClose {
		return " "
	}
	return "!"
}

func joined(all ...[]render.Span) string {
	var b strings.Builder
	for _, spans := range all {
		for _, s := range spans {
			b.WriteString(s.Text)
		}
	}

	return b.String()
}
