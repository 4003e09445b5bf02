// Package changed holds what HTML and Markdown say alike of the resources of a diff.
package changed

import (
	"crypto/sha256"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
)

// Resource is a resource that changed, with texts that are printable.
type Resource struct {
	Op     ops.Op
	Type   string
	Name   string
	URN    string // empty: it is not a resource, but the deployment or a property bag
	Parent string // a URN
	Waits  bool   // it is pending deletion
	Note   string // what else there is to say about it
	Whole  bool   // it is on one side only, so that all of it was added or deleted
	Parts  []Part
	Alike  []*Resource // all that change alike, with this one; nil: it is shown alone
}

// Part is one of the property bags of a resource, as lines of a diff.
type Part struct {
	Name    string // what else there is to say of the part is after a colon
	Lines   []render.Line
	Changes int
}

// Own makes the texts independent of those of the files.
func (r *Resource) Own() {
	for _, text := range []*string{&r.Type, &r.Name, &r.URN, &r.Parent} {
		*text = strings.Clone(*text)
	}
	for _, p := range r.Parts {
		for _, l := range p.Lines {
			for i := range l.Spans {
				l.Spans[i].Text = strings.Clone(l.Spans[i].Text)
			}
		}
	}
}

// Look is equal for resources that change alike.
func (r *Resource) Look() [sha256.Size]byte {
	text := []byte(string(r.Op) + r.Note)
	for _, p := range r.Parts {
		text = append(append(text, 0), p.Name...)
		for _, l := range p.Lines {
			text = l.AppendText(append(text, 0), false)
		}
	}
	return sha256.Sum256(text)
}

// All returns the resources that change alike, or the resource alone.
func (r *Resource) All() []*Resource {
	if r.Alike == nil {
		return []*Resource{r}
	}
	return r.Alike
}

// Title returns the type and the name or, of several that change alike, the type that they
// have in common and their number.
func (r *Resource) Title() (kind, name string) {
	if r.Alike == nil {
		return r.Type, r.Name
	}
	kind = r.Type
	for _, each := range r.Alike {
		if each.Type != kind {
			kind = ""
		}
	}
	return kind, printable.Counted(len(r.Alike), "resource")
}

// Changes returns the number of changes.
func (r *Resource) Changes() (n int) {
	for _, p := range r.Parts {
		n += p.Changes
	}
	return n
}

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
