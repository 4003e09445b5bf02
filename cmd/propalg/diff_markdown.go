package main

import (
	"cmp"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/markdown"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

func (inv *invocation) diffBagsMarkdown(before, after *input.Source, f *diffFlags) (int, error) {
	p := f.bagPart(before, after)
	doc := f.document(before.Name, after.Name)
	doc.IsBag, doc.Lead = true, p.lead()+doc.Lead
	if len(p.lines) > 0 {
		doc.Add(markdown.Resource{Mark: render.MarkUpdate, Changes: p.changes, Parts: markdownParts([]part{p})})
	}
	return exitIf(len(p.lines) > 0), doc.Write(inv.out)
}

func (inv *invocation) diffStacksMarkdown(s *stacks, f *diffFlags) (int, error) {
	doc := f.document(s.oldName, s.newName)
	count, err := f.eachShown(s, 0, func(e *entry) { doc.Add(e.markdown()) })
	if err != nil {
		return 0, err
	}

	doc.Lead = count.markdown() + doc.Lead
	doc.Failure = count.failure.lines()
	return count.exit(), doc.Write(inv.out)
}

func (f *diffFlags) document(oldName, newName string) *markdown.Document {
	oldName, newName = f.names(oldName, newName)
	doc := &markdown.Document{Old: oldName, New: newName}
	if f.secrets == value.RevealSecrets {
		doc.Lead = " **Secrets are shown in clear.**"
	}
	return doc
}

func (e *entry) markdown() markdown.Resource {
	r := markdown.Resource{Mark: e.mark(), Name: "deployment", Changes: e.changes(), Parts: markdownParts(e.parts)}
	if e.of != nil {
		r.Type, r.Name, r.URN = printable.Text(e.of.Type), plainName(e.of.URN), printable.Text(e.of.URN)
		r.Note = e.note()
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
	changed := markdown.Counts{t.Delete, t.Replace, t.Create, t.Update - t.Replace}.Join(" · ")
	if t.failure != nil {
		changed = cmp.Or(changed, "No changes are known")
	}
	return "**" + cmp.Or(changed, "No resource changed") + "** · " + printable.Thousands(t.Same) + " unchanged." + t.more()
}
