package main

import (
	"fmt"
	"maps"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/page"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

func (inv *invocation) diffBagsHTML(before, after *input.Source, f *diffFlags) (int, error) {
	p, differs := f.bagPart(before, after)
	doc := f.page(before.Name, after.Name)
	doc.IsBag, doc.Lead = true, leadOf(p, differs)
	if len(p.Lines) > 0 {
		doc.Resources = []page.Resource{page.Of(changed.Resource{Op: ops.Update, Parts: []changed.Part{p}})}
	}
	return exitIf(differs), page.Write(inv.out, doc)
}

func (inv *invocation) diffStacksHTML(s *stacks, f *diffFlags) (int, error) {
	doc, count, err := f.pageOf(s)
	if err != nil {
		return 0, err
	}
	return count.exit(), page.Write(inv.out, doc)
}

func (f *diffFlags) pageOf(s *stacks) (doc page.Page, count *tally, err error) {
	var all []page.Resource
	count, err = f.eachShown(s, 0, nil, func(r *changed.Resource) {
		for _, each := range r.All() { // which have places of their own in the tree
			one := page.Of(*each)
			if r.Alike != nil {
				one.Note = strings.TrimPrefix(fmt.Sprintf("%s, like %d others", one.Note, len(r.Alike)-1), ", ")
			}
			all = append(all, one)
		}
	})
	if err != nil {
		return doc, nil, err
	}

	doc = f.page(s.oldName, s.newName)
	doc.Lead, doc.Resources = count.changes(", ")+", "+count.unchanged()+count.more(), page.Tree(all, s.parents())
	doc.Failure = count.failure.lines()
	return doc, count, nil
}

func (f *diffFlags) page(oldName, newName string) page.Page {
	oldName, newName = f.names(oldName, newName)
	return page.Page{Old: oldName, New: newName, Masked: f.secrets != value.RevealSecrets}
}

func (s *stacks) parents() map[string]string {
	parents := map[string]string{}
	for e := range s.Entries() {
		parents[e.URN] = e.Parent
	}
	if s.update != nil {
		maps.Insert(parents, maps.All(s.update.parents))
	}
	return parents
}

// more says what else there is to say of two stacks.
func (t *tally) more() (text string) {
	if rest := strings.Join(t.uncounted(), ", "); rest != "" {
		text += " Also " + rest + "."
	}
	if t.deployment == state.Updated {
		text += " The deployment changed."
	}
	for _, line := range t.remarks() {
		text += " " + line + "."
	}
	return text
}
