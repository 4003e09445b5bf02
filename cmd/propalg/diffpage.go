package main

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"

	"github.com/propalg/propalg/diff/render"
)

// pageWidth is how many characters of a value a page shows: it breaks lines
// itself.
const pageWidth = 400

// page is what the template is given.
type page struct {
	Policy   string // Content-Security-Policy: nothing is loaded, and nothing runs but the script below
	Old, New string // names of files
	Lead     string // what there is, in words
	Masked   bool
	Style    template.CSS
	Script   template.JS
	Data     pageData
}

// pageData is what the script of the page shows. It stands in the page as JSON,
// in which all that could end the element is escaped.
type pageData struct {
	Old       string         `json:"old"`
	New       string         `json:"new"`
	Bag       bool           `json:"bag"` // one resource that is none: two bags
	Resources []pageResource `json:"resources"`
}

// pageResource is a resource that changed, or one above such a one in the tree.
type pageResource struct {
	URN     string     `json:"urn"`
	Type    string     `json:"type"`
	Name    string     `json:"name"`
	Change  string     `json:"change"` // create, delete, update, replace or same
	Waits   bool       `json:"waits,omitempty"`
	Depth   int        `json:"depth"` // in the tree; they stand in its order
	Changes int        `json:"changes"`
	Parts   []pagePart `json:"parts"`
	parent  string     // a URN
	number  int        // for a stable order
}

type pagePart struct {
	Name string    `json:"name"`
	Rows []pageRow `json:"rows"`
}

func pageParts(parts []part) []pagePart {
	all := make([]pagePart, 0, len(parts))
	for _, p := range parts {
		all = append(all, pagePart{p.name, pageRows(p.lines)})
	}
	return all
}

// diffBagsPage writes the page of two bags.
func (inv *invocation) diffBagsPage(before, after *source, f *diffFlags) (int, error) {
	p := f.tellBags(before, after)
	data := pageData{Old: plain(before.name), New: plain(after.name), Bag: true, Resources: []pageResource{}}
	code, lead := exitSame, "The two property bags are equal."
	if len(p.lines) > 0 {
		code, lead = exitDifferent, numbered(p.changes, "change")+"."
		data.Resources = append(data.Resources, pageResource{Change: "update", Changes: p.changes, Parts: pageParts([]part{p})})
	}
	return code, inv.writePage(data, lead, f)
}

// diffStacksPage writes the page of two stacks.
func (inv *invocation) diffStacksPage(both *indexed, f *diffFlags) (int, error) {
	var changed []pageResource
	count, err := f.compareStacks(both, 0, func(t *told) { changed = append(changed, pageResourceOf(t)) })
	if err != nil {
		return 0, err
	}
	data := pageData{Old: plain(both.old.name), New: plain(both.now.name), Resources: tree(both, changed)}
	return count.exit(), inv.writePage(data, count.lead(), f)
}

// lead is what there is to see on a page, in words.
func (t tally) lead() string {
	lead := "The two stacks are equal: " + numbered(t.same, "resource") + "."
	if n := t.created + t.deleted + t.updated; n > 0 || t.exit() != exitSame {
		lead = numbered(n, "resource") + " changed, " + numbered(t.same, "resource") + " unchanged."
	}
	if t.deployment == isChanged {
		lead += " What is said of the deployment changed."
	}
	if said := t.maySay(); said != "" {
		lead += " May differ: " + said + " (--sealed)."
	}
	if said := t.leftOutSay(); said != "" {
		lead += " Left out: " + said + " (--all)."
	}
	return lead
}

func pageResourceOf(t *told) pageResource {
	if t.of == nil {
		r := pageResource{Name: t.title, Change: "update", Parts: pageParts(t.parts)}
		for _, p := range t.parts {
			r.Changes += p.changes
		}
		return r
	}
	r := pageResource{
		URN: plain(t.of.URN), Type: plain(t.of.Type), Name: plain(shortName(t.of.URN)), Waits: t.of.Delete,
		Change: "update", Parts: pageParts(t.parts), parent: t.of.Parent,
	}
	for _, p := range t.parts {
		r.Changes += p.changes
	}
	switch t.mark {
	case render.MarkAdd:
		r.Change = "create"
	case render.MarkDelete:
		r.Change = "delete"
	case render.MarkReplace:
		r.Change = "replace"
	case render.MarkUpdate, render.MarkMove, render.MarkNone:
	}
	return r
}

// writePage writes a page of its own: it needs nothing else, and asks for nothing.
func (inv *invocation) writePage(data pageData, lead string, f *diffFlags) error {
	form, err := template.New("page").Parse(pageForm)
	if err != nil {
		return err
	}
	return form.Execute(inv.out, page{
		Policy: "default-src 'none'; style-src " + source256(pageStyle) + "; script-src " + source256(pageScript) +
			"; base-uri 'none'; form-action 'none'",
		Old: data.Old, New: data.New, Lead: lead, Masked: f.secrets != render.RevealSecrets,
		Style: template.CSS(pageStyle), Script: template.JS(pageScript), Data: data,
	})
}

// source256 names a text to a Content-Security-Policy.
func source256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
