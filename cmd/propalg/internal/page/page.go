// Package page writes the HTML page of a diff: one file that needs nothing else,
// loads nothing, and runs no script but its own. The changes are part of it as
// JSON, and gets into the document as text only.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
)

// Width is the number of characters of a value that a page shows. It breaks lines
// itself.
const Width = 400

var (
	//go:embed page.html
	form string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// Page is the content of a page.
type Page struct {
	Old       string     `json:"-"` // names of the files, equal if it is one
	New       string     `json:"-"`
	IsBag     bool       `json:"bag"` // two bags: one resource without a name
	Kinds     []Kind     `json:"kinds"`
	Resources []Resource `json:"resources"` // in the order of Tree

	Lead    string   `json:"-"` // sums up the page
	Failure []string `json:"-"` // lines that say that the update failed, and why
	Masked  bool     `json:"-"` // whether secrets are
}

// Kind is something that happened to resources of the page. Write makes them.
type Kind struct {
	Name string `json:"name"` // such as "created"
	Mark string `json:"mark"`
}

// Resource is a resource that changed, or an ancestor of one.
type Resource struct {
	URN     string   `json:"urn"` // empty: the deployment
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Op      ops.Op   `json:"-"`               // empty: an ancestor that did not change
	Kind    int      `json:"kind"`            // its index in those of the page, -1 for an ancestor; Write sets it
	Waits   bool     `json:"waits,omitempty"` // pending deletion
	Note    string   `json:"note,omitempty"`  // what else there is to say
	Depth   int      `json:"depth"`           // in the tree
	Above   []string `json:"above,omitempty"` // names of ancestors that have no row of their own
	Changes int      `json:"changes"`
	Whole   bool     `json:"whole,omitempty"` // it is on one side only
	What    []Span   `json:"what,omitempty"`  // names properties that changed
	Parts   []Part   `json:"parts"`
	Parent  string   `json:"-"` // a URN
}

// Part is one of the property bags of a resource, as lines of a diff.
type Part struct {
	Name string `json:"name"`
	Rows []Row  `json:"rows"`
}

// Of returns a resource that changed as a page shows it.
func Of(r changed.Resource) Resource {
	to := Resource{URN: r.URN, Type: r.Type, Name: r.Name, Op: r.Op, Note: r.Note, Changes: r.Changes(), Whole: r.Whole, Waits: r.Waits, Parent: r.Parent, What: spansOf(r.Properties()...), Parts: []Part{}}
	for _, p := range r.Parts {
		to.Parts = append(to.Parts, Part{p.Name, Rows(p.Lines)})
	}
	return to
}

// setKinds lists what happened, the most urgent first.
func (p *Page) setKinds() {
	var all []ops.Op
	for _, r := range p.Resources {
		if r.Op != "" {
			all = append(all, r.Op)
		}
	}
	slices.SortFunc(all, ops.Compare)
	all = slices.Compact(all)

	p.Kinds = []Kind{}
	for _, op := range all {
		p.Kinds = append(p.Kinds, Kind{op.Past(), strings.TrimSpace(op.Mark())})
	}
	p.Resources = append([]Resource{}, p.Resources...) // none is no null, and the caller's stay as they are
	for i := range p.Resources {
		p.Resources[i].Kind = slices.Index(all, p.Resources[i].Op)
	}
}

// Write writes the page.
func Write(w io.Writer, p Page) error {
	t, err := template.New("page").Parse(form)
	if err != nil {
		return err
	}

	p.setKinds()
	return t.Execute(w, struct {
		Page
		Policy string // Content-Security-Policy
		Style  template.CSS
		Script template.JS
		Data   Page
	}{
		Page: p,
		Policy: "default-src 'none'; style-src " + sourceOf(style) + "; script-src " + sourceOf(script) +
			"; base-uri 'none'; form-action 'none'",
		Style: template.CSS(style), Script: template.JS(script), Data: p,
	})
}

// sourceOf names a text in a Content-Security-Policy, by its hash.
func sourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
