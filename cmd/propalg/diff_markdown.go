package main

import (
	"cmp"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/markdown"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
)

func (inv *invocation) diffBagsMarkdown(before, after *input.Source, f *diffFlags) (int, error) {
	p := f.bagPart(before, after)
	doc := f.document(before.Name, after.Name)
	doc.IsBag = true

	code, lead := exitSame, "The two property bags are equal."
	if len(p.lines) > 0 {
		code, lead = exitDifferent, many(p.changes, "change")+"."
		doc.Add(markdown.Resource{Mark: render.MarkUpdate, Changes: p.changes, Parts: markdownParts([]part{p})})
	}
	doc.Lead = lead + doc.Lead
	return code, doc.Write(inv.out)
}

func (inv *invocation) diffStacksMarkdown(s *stacks, f *diffFlags) (int, error) {
	doc := f.document(s.oldName, s.newName)
	count, err := f.eachEntry(s, 0, func(e *entry) { doc.Add(e.markdown()) })
	if err != nil {
		return 0, err
	}

	doc.Lead = count.markdown() + doc.Lead
	return count.exit(), doc.Write(inv.out)
}

func (f *diffFlags) document(oldName, newName string) *markdown.Document {
	oldName, newName = f.names(oldName, newName)
	doc := &markdown.Document{Old: oldName, New: newName}
	if f.secrets == render.RevealSecrets {
		doc.Lead = " **Secrets are shown in clear.**"
	}
	return doc
}

func (e *entry) markdown() markdown.Resource {
	r := markdown.Resource{Mark: e.mark, Name: "deployment", Parts: markdownParts(e.parts)}
	if e.of != nil {
		r.Type, r.Name, r.URN = printable.Text(e.of.Type), plainName(e.of.URN), printable.Text(e.of.URN)
		r.Note = e.note()
	}

	for _, p := range e.parts {
		r.Changes += p.changes
	}
	return r
}

func markdownParts(parts []part) []markdown.Part {
	all := make([]markdown.Part, 0, len(parts))
	for _, p := range parts {
		all = append(all, markdown.Part{Name: p.title(), Lines: p.lines})
	}
	return all
}

func (t *tally) markdown() string {
	var changed []string
	for _, each := range []struct {
		n    int
		name string
	}{{t.deleted, "deleted"}, {t.replaced, "replaced"}, {t.created, "created"}, {t.updated - t.replaced, "updated"}} {
		if each.n > 0 {
			changed = append(changed, printable.Thousands(each.n)+" "+each.name)
		}
	}

	lead := "**" + cmp.Or(strings.Join(changed, " · "), "No resource changed") + "** · " + printable.Thousands(t.same) + " unchanged"
	return lead + "." + t.more()
}
