// Package markdown writes a diff as the Markdown of GitHub and GitLab, short enough for
// a comment. What the values, names and types hold is text in it, never markup.
package markdown

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// Limit is the number of bytes of a document: a comment on GitHub may have 65,536
// characters, and a script that posts one may want to add some.
const Limit = 60_000

// How a document is divided.
const (
	forTable = Limit / 3 // bytes of the rows of the table
	forOne   = Limit / 4 // bytes of the lines of one resource
	forBag   = Limit - 4_000
	forEnd   = 600 // bytes of what says that something is left out
	longName = 100 // characters of a name or a type
	longURN  = 400
)

// Document is a diff that is written as Markdown. Resources are added in any order.
type Document struct {
	Old, New string   // names of what is compared, equal if it is one file
	Lead     string   // sums up the diff, as Markdown
	More     string   // text after it
	Failure  []string // lines that say that the update failed, and why; the first is a title
	IsBag    bool     // two bags: one resource without a name

	groups map[key]*group
}

// key is what resources of a group have in common.
type key struct {
	kind kind
	op   ops.Op
}

// kind says which resources are first. The deployment, which is none, always has room.
type kind uint8

const (
	deployment kind = iota
	ordinary
	defaultProvider // of which there may be dozens, and which nobody wrote
)

// group are the resources of a group. It keeps as many as a document can show.
type group struct {
	key         key
	count       int
	rows        []piece
	details     []piece
	rowBytes    int
	detailBytes int
}

// piece is a row of the table, or a folded resource.
type piece struct {
	text  string
	more  int // lines that are left out
	count int // of resources
}

// Add adds a resource.
func (d *Document) Add(r changed.Resource) {
	k := key{ordinary, r.Op}
	switch {
	case r.URN == "":
		k.kind = deployment
	case changed.IsDefaultProvider(r.Type, r.Name):
		k.kind = defaultProvider
	}

	if d.groups == nil {
		d.groups = map[key]*group{}
	}
	to := d.groups[k]
	if to == nil {
		to = &group{key: k}
		d.groups[k] = to
	}

	to.count += len(r.All())
	text := row(&r)
	if to.rowBytes+len(text) <= forTable {
		to.rows = append(to.rows, piece{text: text, count: len(r.All())})
		to.rowBytes += len(text)
	}
	if to.detailBytes < Limit {
		one := detailOf(&r, d.IsBag)
		to.details = append(to.details, one)
		to.detailBytes += len(one.text)
	}
}

// sorted returns the groups: what may hurt is first.
func (d *Document) sorted() []*group {
	return slices.SortedFunc(maps.Values(d.groups), func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.key.kind, b.key.kind), ops.Compare(a.key.op, b.key.op))
	})
}

// Write writes the document.
func (d *Document) Write(w io.Writer) error {
	heading := code(changed.Clip(d.Old, longName))
	if d.New != d.Old {
		heading += " → " + code(changed.Clip(d.New, longName))
	}
	heading = "### " + heading + "\n\n"
	_, err := io.WriteString(w, heading+d.body(Limit-len(heading)))
	return err
}

// body returns the document without its heading, in a number of bytes, unless that is less than
// the least that there is to say.
func (d *Document) body(limit int) string {
	text := fmt.Sprintf("%s%s\n", d.failure(limit/4), d.Lead+prose(d.More))
	if !d.IsBag {
		text += d.table(limit / 3)
	}
	return text + d.folded(limit-len(text)-forEnd)
}

// failure returns the title in bold, and the other lines as a block of code.
func (d *Document) failure(room int) string {
	if len(d.Failure) == 0 {
		return ""
	}
	text := "> [!CAUTION]\n> **" + prose(d.Failure[0]) + ".**\n\n"
	if body := strings.Join(d.Failure[1:], "\n"); body != "" {
		if len(body) > room {
			body = strings.ToValidUTF8(body[:room], "") + "…"
		}
		text += fence(body) + "text\n" + body + "\n" + fence(body) + "\n\n"
	}
	return text
}

// table returns a table of the resources, with the number of those left out.
func (d *Document) table(room int) string {
	const head = "\n| | resource | what |\n|---|---|---|\n"
	var b strings.Builder
	left := ops.Counts{}
	for _, g := range d.sorted() {
		shown := 0
		for _, row := range g.rows {
			if b.Len()+len(row.text) > room {
				break
			}
			b.WriteString(row.text)
			shown += row.count
		}

		left[g.key.op] += g.count - shown
	}

	if b.Len() == 0 {
		return ""
	}
	if what := left.Join(", "); what != "" {
		fmt.Fprintf(&b, "| | … | and %s |\n", what)
	}
	return head + b.String()
}

// folded returns as many resources as fit into a number of bytes, and says how much is
// left out.
func (d *Document) folded(room int) string {
	var b strings.Builder
	left, count, lines := ops.Counts{}, 0, 0
	for _, g := range d.sorted() {
		left[g.key.op] += g.count
		count += g.count
		for _, one := range g.details {
			if b.Len()+len(one.text) > room {
				continue // a smaller one may fit
			}
			b.WriteString(one.text)
			lines += one.more
			left[g.key.op] -= one.count
			count -= one.count
		}
	}

	var what []string
	if count > 0 {
		what = append(what, fmt.Sprintf("the details of %s (%s)", printable.Counted(count, "resource"), left.Join(", ")))
	}
	if lines > 0 {
		what = append(what, printable.Counted(lines, "line"))
	}
	if len(what) > 0 {
		b.WriteString("\nLeft out, for a comment has a limit: " + strings.Join(what, " and ") + ". `propalg diff -o html` shows them.\n")
	}
	return b.String()
}
