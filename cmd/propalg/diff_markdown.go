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
	p := f.bagPart(before, after)
	doc := f.document(before.Name, after.Name)
	doc.IsBag, doc.Lead = true, p.lead()+doc.Lead
	if len(p.lines) > 0 {
		doc.Add(reported(ops.Update, p))
	}
	return exitIf(p.differs()), doc.Write(inv.out)
}

func (inv *invocation) diffStacksMarkdown(s *stacks, f *diffFlags) (int, error) {
	doc := f.document(s.oldName, s.newName)
	count, err := f.eachShown(s, 0, nil, func(e *entry) { doc.Add(e.resource()) })
	if err != nil {
		return 0, err
	}

	doc.Lead, doc.More = "**"+count.changes(" · ")+"** · "+count.unchanged()+doc.Lead, count.more()
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

// resource returns what reports say of an entry.
func (e *entry) resource() changed.Resource {
	r := reported(e.op, e.parts...)
	r.Name, r.Whole = "deployment", e.isWhole
	if e.of != nil {
		r.Type, r.Name = e.title()
		r.URN, r.Note = printable.Text(e.of.URN), e.note
	}
	for _, each := range e.group {
		r.URNs = append(r.URNs, printable.Text(each.of.URN))
	}
	return r
}

// reported returns parts as those of a resource that changed.
func reported(op ops.Op, parts ...part) changed.Resource {
	r := changed.Resource{Op: op}
	for _, p := range parts {
		r.Changes += p.changes
		r.Parts = append(r.Parts, changed.Part{Name: p.title(), Lines: p.lines})
	}
	return r
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
