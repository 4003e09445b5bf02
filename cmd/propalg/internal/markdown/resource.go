package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/lines"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
)

// verb says what happened to a resource.
func (r *Resource) verb() string {
	text := [numRanks]string{"deleted", "replaced", "created", "updated"}[rankOf(r.Mark)]
	if r.Note != "" {
		text += ", " + r.Note
	}

	return text
}

// row returns the row of a table.
func (r *Resource) row() string {
	title := code(clip(r.Name, longName))
	if r.Type != "" {
		title = code(clip(r.Type, longName)) + " **" + title + "**"
	}

	what := r.verb()
	if names := r.properties(); len(names) > 0 && r.Mark != render.MarkAdd && r.Mark != render.MarkDelete {
		what += ": " + listed(names)
	}

	return fmt.Sprintf("| %s | %s | %s |\n", code(r.Mark.String()), title, what)
}

// property is a property that changed.
type property struct {
	name   string
	forces bool // a replacement
}

// properties returns the properties of the first part, those that force a replacement
// first.
func (r *Resource) properties() (all []property) {
	if len(r.Parts) == 0 || len(r.Parts[0].Lines) == 0 {
		return nil
	}

	top := r.Parts[0].Lines[0].Level

	for _, l := range r.Parts[0].Lines {
		if l.Level == top && l.Mark != render.MarkNone && l.Fold != render.FoldClose && len(l.Spans) > 0 && l.Spans[0].Style == render.StyleKey {
			all = append(all, property{name: l.Spans[0].Text})
		}

		if l.Mark == render.MarkReplace && len(all) > 0 {
			all[len(all)-1].forces = true
		}
	}

	slices.SortStableFunc(all, func(a, b property) int {
		switch {
		case a.forces == b.forces:
			return 0
		case a.forces:
			return -1
		}

		return 1
	})

	return all
}

// listed returns the first properties, and the number of the others.
func listed(all []property) string {
	texts := make([]string, 0, namedProps+1)

	for _, p := range all[:min(len(all), namedProps)] {
		text := code(clip(strings.TrimSpace(p.name), longProp))
		if p.forces {
			text += " forces replacement"
		}

		texts = append(texts, text)
	}

	if more := len(all) - namedProps; more > 0 {
		texts = append(texts, printable.Thousands(more)+" more")
	}

	return strings.Join(texts, ", ")
}

// detail returns the lines of the diff, folded unless the resource is a bag.
func (r *Resource) detail(isBag bool) detail {
	most := forOne
	if isBag {
		most = forBag
	}

	body, more := r.body(most)

	var b strings.Builder
	if !isBag {
		said := r.verb()
		if r.Mark != render.MarkAdd && r.Mark != render.MarkDelete {
			said += ", " + counted(r.Changes, "change")
		}

		fmt.Fprintf(&b, "\n<details><summary>%s %s <b>%s</b> · %s</summary>\n",
			markupCode(r.Mark.String()), markupCode(clip(r.Type, longName)), markupCode(clip(r.Name, longName)), said)

		if r.URN != "" {
			fmt.Fprintf(&b, "\n%s\n", code(clip(r.URN, longURN)))
		}
	}

	if body != "" {
		ticks := fence(body)
		fmt.Fprintf(&b, "\n%sdiff\n%s%s\n", ticks, body, ticks)
	}

	if more > 0 {
		fmt.Fprintf(&b, "\nand %s\n", counted(more, "more line"))
	}

	if !isBag {
		b.WriteString("\n</details>\n")
	}

	return detail{text: b.String(), more: more}
}

// body returns lines of a diff up to a number of bytes, and the number of the others.
func (r *Resource) body(most int) (text string, more int) {
	var b strings.Builder

	add := func(line string) {
		if more > 0 || b.Len()+len(line)+1 > most {
			more++
			return
		}

		b.WriteString(line + "\n")
	}

	for _, p := range r.Parts {
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
	mark := changeOf(l)
	if l.Fold == render.FoldClose && mark == "!" {
		return " "
	}

	return mark
}

func changeOf(l render.Line) string {
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
		return "!"
	}

	if l.Mark == render.MarkUpdate {
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
