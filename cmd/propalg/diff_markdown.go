package main

import (
	"cmp"
	"maps"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/markdown"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/value"
)

func (inv *invocation) diffBagsMarkdown(before, after *input.Source, f *diffFlags) (int, error) {
	p, differs := f.bagPart(before, after)
	doc := f.document(before.Name, after.Name)
	doc.IsBag, doc.Lead = true, leadOf(p, differs)+doc.Lead
	if len(p.Lines) > 0 {
		doc.Add(changed.Resource{Op: ops.Update, Parts: []changed.Part{p}})
	}
	return exitIf(differs), doc.Write(inv.out)
}

func (inv *invocation) diffStacksMarkdown(s *stacks, f *diffFlags) (int, error) {
	doc, count, err := f.markdownOf(s)
	if err != nil {
		return 0, err
	}
	return count.exit(), doc.Write(inv.out)
}

func (f *diffFlags) markdownOf(s *stacks) (*markdown.Document, *tally, error) {
	doc := f.document(s.oldName, s.newName)
	count, err := f.eachShown(s, 0, nil, func(r *changed.Resource) { doc.Add(*r) })
	if err != nil {
		return nil, nil, err
	}

	doc.Lead, doc.More = "**"+count.changes(" · ")+"** · "+count.unchanged()+doc.Lead, count.more()
	doc.Failure = count.failure.lines()
	return doc, count, nil
}

func (f *diffFlags) document(oldName, newName string) *markdown.Document {
	oldName, newName = f.names(oldName, newName)
	doc := &markdown.Document{Old: oldName, New: newName}
	if f.secrets == value.RevealSecrets {
		doc.Lead = " **Secrets are shown in clear.**"
	}
	return doc
}

// changes counts what happened to resources.
func (t *tally) changes(separator string) string {
	none := "No resource changed"
	if t.failure != nil {
		none = "No changes are known"
	}
	rest := maps.Clone(t.counts)
	delete(rest, ops.Same)
	return cmp.Or(rest.Join(separator), none)
}

func (t *tally) unchanged() string { return printable.Thousands(t.counts[ops.Same]) + " unchanged." }
