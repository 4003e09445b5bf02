package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/lines"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
)

func (r *Resource) verb() string {
	text := [numRanks]string{"deleted", "replaced", "created", "updated"}[rankOf(r.Mark)]
	if r.Note != "" {
		text += ", " + r.Note
	}
	return text
}

func (r *Resource) row() string {
	title := code(clip(r.Name, longName))
	if r.Type != "" {
		title = code(clip(r.Type, longName)) + " **" + title + "**"
	}

	what := r.verb()
	if names := r.listed(); names != "" && r.Mark != render.MarkAdd && r.Mark != render.MarkDelete {
		what += ": " + names
	}
	return fmt.Sprintf("| %s | %s | %s |\n", code(r.Mark.String()), title, what)
}

// property is a property that changed.
type property struct {
	name string
	rank int // forces or follows
}

const (
	forces  = iota // a replacement
	follows        // those that do
)

// properties returns the properties of a part, those that force a replacement first.
func (p *Part) properties() (all []property) {
	if len(p.Lines) == 0 {
		return nil
	}

	top := p.Lines[0].Level
	for _, l := range p.Lines {
		if l.Level == top && l.Mark != render.MarkNone && l.Fold != render.FoldClose && len(l.Spans) > 0 && l.Spans[0].Style == render.StyleKey {
			all = append(all, property{l.Spans[0].Text, follows})
		}
		if l.Mark == render.MarkReplace && len(all) > 0 {
			all[len(all)-1].rank = forces
		}
	}
	slices.SortStableFunc(all, func(a, b property) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// label names a part before its properties; it is empty for inputs, which come first.
func (p *Part) label() string {
	name, _, _ := strings.Cut(p.Name, ":")
	if name == "inputs" || name == "" {
		return ""
	}
	return name + " "
}

// listed returns the first properties of all parts, and the number of the others.
func (r *Resource) listed() string {
	var texts []string
	shown, more := 0, 0
	parts := slices.Clone(r.Parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return min(len(a.label()), 1) - min(len(b.label()), 1) })

	for _, part := range parts {
		var names []string
		for _, p := range part.properties() {
			if shown == namedProps {
				more++
				continue
			}

			shown++
			text := code(clip(strings.TrimSpace(p.name), longProp))
			if p.rank == forces {
				text += " forces replacement"
			}
			names = append(names, text)
		}
		if len(names) > 0 {
			texts = append(texts, part.label()+strings.Join(names, ", "))
		}
	}
	text := strings.Join(texts, "; ")
	if more > 0 {
		text += ", " + printable.Thousands(more) + " more"
	}
	return text
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
			said += ", " + printable.Counted(r.Changes, "change")
		}
		title := "<b>" + markupCode(clip(r.Name, longName)) + "</b>"
		if r.Type != "" {
			title = markupCode(clip(r.Type, longName)) + " " + title
		}
		fmt.Fprintf(&b, "\n<details><summary>%s %s · %s</summary>\n", markupCode(r.Mark.String()), title, said)
		if r.URN != "" {
			fmt.Fprintf(&b, "\n%s\n", code(clip(r.URN, longURN)))
		}
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
