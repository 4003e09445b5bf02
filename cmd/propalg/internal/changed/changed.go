// Package changed holds what HTML and Markdown say alike of the resources of a diff.
package changed

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
)

// Resource is a resource that changed.
type Resource struct {
	Op      ops.Op
	Type    string
	Name    string
	URN     string   // empty: it is not a resource, but the deployment or a property bag
	URNs    []string // of several that change alike, which are shown as one; nil: of one
	Note    string   // what else there is to say about it
	Whole   bool     // it is on one side only, so that all of it was added or deleted
	Changes int
	Parts   []Part
}

// Part is one of the property bags of a resource, as lines of a diff.
type Part struct {
	Name  string
	Lines []render.Line
}

// Count returns the number of resources.
func (r *Resource) Count() int { return max(1, len(r.URNs)) }

// IsDefaultProvider reports whether a resource is a provider that the engine made itself.
func IsDefaultProvider(kind, name string) bool {
	return strings.HasPrefix(kind, "pulumi:providers:") && strings.HasPrefix(name, "default")
}

// Properties lists the first properties that changed, as keys, and the number of the others.
// Those of inputs are first, and of each part those that force a replacement. It lists none
// of a whole resource.
func (r *Resource) Properties() []render.Span {
	const most, longest = 3, 40 // properties, characters of a name
	if r.Whole {
		return nil
	}

	var all []render.Span
	shown, more := 0, 0
	for _, p := range inputsFirst(r.Parts) {
		before := p.label()
		if len(all) > 0 {
			before = "; " + before
		}

		for _, each := range p.properties() {
			if shown == most {
				more++
				continue
			}
			shown++
			if before != "" {
				all = append(all, render.Span{Text: before, Style: render.StylePunctuation})
			}
			before = ", "
			all = append(all, render.Span{Text: Clip(each.name, longest), Style: render.StyleKey})
			if each.forces {
				all = append(all, render.Span{Text: " forces replacement", Style: render.StyleNote})
			}
		}
	}
	if more > 0 {
		all = append(all, render.Span{Text: ", " + printable.Thousands(more) + " more", Style: render.StylePunctuation})
	}
	return all
}

func inputsFirst(parts []Part) []Part {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return min(len(a.label()), 1) - min(len(b.label()), 1) })
	return parts
}

// label names a part before its properties; it is empty for inputs.
func (p *Part) label() string {
	name, _, _ := strings.Cut(p.Name, ":")
	if name == "inputs" || name == "" {
		return ""
	}
	return name + " "
}

// property is a property that changed, and perhaps forces a replacement.
type property struct {
	name   string
	forces bool
}

// properties returns the properties of a part, those that force a replacement first. It takes
// them from the lines, which do not say what is in a secret.
func (p *Part) properties() (all []property) {
	for _, l := range p.Lines {
		isTop := l.Level == p.Lines[0].Level && l.Mark != render.MarkNone && l.Fold != render.FoldClose
		if isTop && len(l.Spans) > 0 && l.Spans[0].Style == render.StyleKey {
			all = append(all, property{name: strings.TrimSpace(l.Spans[0].Text)})
		}
		if l.Mark == render.MarkReplace && len(all) > 0 {
			all[len(all)-1].forces = true
		}
	}

	rank := func(p property) int {
		switch {
		case p.forces:
			return 0
		case strings.HasPrefix(p.name, "__"): // of Pulumi itself
			return 2
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b property) int { return rank(a) - rank(b) })
	return all
}

// Clip returns a text, or what fits into a number of characters of it.
func Clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
