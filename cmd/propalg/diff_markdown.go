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
		doc.Add(p.reported())
	}
	return exitIf(len(p.lines) > 0), doc.Write(inv.out)
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
	r := changed.Resource{Op: e.op, Name: "deployment", Whole: e.isWhole, Changes: e.changes(), Parts: reported(e.parts)}
	if e.of != nil {
		r.Type, r.Name = e.title()
		r.URN, r.Note = printable.Text(e.of.URN), e.note
	}
	for _, each := range e.group {
		r.URNs = append(r.URNs, printable.Text(each.of.URN))
	}
	return r
}

// reported returns two bags as a resource that changed.
func (p part) reported() changed.Resource {
	return changed.Resource{Op: ops.Update, Changes: p.changes, Parts: reported([]part{p})}
}

func reported(parts []part) []changed.Part {
	all := make([]changed.Part, 0, len(parts))
	for _, p := range parts {
		all = append(all, changed.Part{Name: p.title(), Lines: p.lines})
	}
	return all
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
