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
	Old       string     `json:"old"` // names of the files
	New       string     `json:"new"`
	IsBag     bool       `json:"bag"`       // two bags: one resource without a name
	Resources []Resource `json:"resources"` // in the order of Tree

	Lead    string   `json:"-"` // sums up the page
	Failure []string `json:"-"` // lines that say that the update failed, and why
	Masked  bool     `json:"-"` // whether secrets are
}

// Resource is a resource that changed, or an ancestor of one.
type Resource struct {
	URN     string   `json:"urn"`
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Change  string   `json:"change"`
	Waits   bool     `json:"waits,omitempty"` // pending deletion
	Note    string   `json:"note,omitempty"`  // what else there is to say
	Depth   int      `json:"depth"`           // in the tree
	Above   []string `json:"above,omitempty"` // names of ancestors that have no row of their own
	Changes int      `json:"changes"`
	Parts   []Part   `json:"parts"`
	Parent  string   `json:"-"` // a URN
}

// What happened to a resource.
const (
	Same    = "same"
	Create  = "create"
	Delete  = "delete"
	Update  = "update"
	Replace = "replace"
)

// Part is one of the property bags of a resource, as lines of a diff.
type Part struct {
	Name string `json:"name"`
	Rows []Row  `json:"rows"`
}

// Write writes the page.
func Write(w io.Writer, p Page) error {
	t, err := template.New("page").Parse(form)
	if err != nil {
		return err
	}

	if p.Resources == nil {
		p.Resources = []Resource{} // which the script counts
	}

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
