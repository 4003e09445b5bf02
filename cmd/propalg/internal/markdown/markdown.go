// Package markdown writes a diff as the Markdown of GitHub and GitLab, short enough for
// a comment. What the values, names and types hold is text in it, never markup.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff/render"
)

// Limit is the number of bytes of a document: a comment on GitHub may have 65,536
// characters, and a script that posts one may want to add some.
const Limit = 60_000

// How a document is divided.
const (
	forTable   = Limit / 3 // bytes of the rows of the table
	forOne     = Limit / 4 // bytes of the lines of one resource
	forBag     = Limit - 4_000
	forEnd     = 600 // bytes of what says that something is left out
	longName   = 100 // characters of a name or a type
	longURN    = 400
	namedProps = 3  // properties of a resource in the table
	longProp   = 40 // characters of their names
)

// Document is a diff that is written as Markdown. Resources are added in any order.
type Document struct {
	Old, New string   // names of what is compared
	Lead     string   // sums up the diff
	Failure  []string // lines that say that the update failed, and why; the first is a title
	IsBag    bool     // two bags: one resource without a name

	ranks [numRanks]rank
}

// Resource is a resource that changed.
type Resource struct {
	Mark    render.Mark // MarkReplace: it is to be replaced
	Type    string
	Name    string
	URN     string // empty: it is not a resource, but the deployment
	Note    string // what else there is to say about it
	Changes int
	Parts   []Part
}

// Part is one of the property bags of a resource, as lines of a diff.
type Part struct {
	Name  string
	Lines []render.Line
}

// The ranks of resources: what may hurt is first.
const (
	deleted = iota
	replaced
	created
	updated
	numRanks
)

func rankOf(m render.Mark) int {
	switch m {
	case render.MarkDelete:
		return deleted
	case render.MarkReplace:
		return replaced
	case render.MarkAdd:
		return created
	case render.MarkUpdate, render.MarkMove, render.MarkNone:
	}

	return updated
}

// rank are the resources of one rank. It keeps as many as a document can show.
type rank struct {
	count       int
	rows        []string // of the table
	details     []detail
	rowBytes    int
	detailBytes int
}

// detail is a folded resource.
type detail struct {
	text string
	more int // lines that are left out
}

// Add adds a resource.
func (d *Document) Add(r Resource) {
	to := &d.ranks[rankOf(r.Mark)]
	to.count++
	if row := r.row(); to.rowBytes+len(row) <= forTable {
		to.rows = append(to.rows, row)
		to.rowBytes += len(row)
	}

	if to.detailBytes < Limit {
		one := r.detail(d.IsBag)
		to.details = append(to.details, one)
		to.detailBytes += len(one.text)
	}
}

// Write writes the document.
func (d *Document) Write(w io.Writer) error {
	text := fmt.Sprintf("### %s → %s\n\n%s%s\n", code(clip(d.Old, longName)), code(clip(d.New, longName)), d.failure(), d.Lead)
	if !d.IsBag {
		text += d.table()
	}

	text += d.folded(Limit - len(text) - forEnd)
	_, err := io.WriteString(w, text)
	return err
}

// failure returns the title in bold, and the other lines as a block of code.
func (d *Document) failure() string {
	if len(d.Failure) == 0 {
		return ""
	}
	text := "> [!CAUTION]\n> **" + d.Failure[0] + ".**\n\n"
	if body := strings.Join(d.Failure[1:], "\n"); body != "" {
		if len(body) > forOne {
			body = strings.ToValidUTF8(body[:forOne], "") + "…"
		}
		text += fence(body) + "text\n" + body + "\n" + fence(body) + "\n\n"
	}
	return text
}

// table returns a table of the resources, with the number of those left out.
func (d *Document) table() string {
	const head = "\n| | resource | what |\n|---|---|---|\n"
	var (
		b    strings.Builder
		left Counts
	)
	for i := range d.ranks {
		shown := 0
		for _, row := range d.ranks[i].rows {
			if b.Len()+len(row) > forTable {
				break
			}
			b.WriteString(row)
			shown++
		}

		left[i] = d.ranks[i].count - shown
	}

	if b.Len() == 0 {
		return ""
	}
	if left.sum() > 0 {
		fmt.Fprintf(&b, "| | … | and %s |\n", left.Join(", "))
	}
	return head + b.String()
}

// folded returns as many resources as fit into a number of bytes, and says how much is
// left out.
func (d *Document) folded(room int) string {
	var (
		b     strings.Builder
		left  Counts
		lines int
	)
	for i := range d.ranks {
		left[i] = d.ranks[i].count

		for _, one := range d.ranks[i].details {
			if b.Len()+len(one.text) > room {
				continue // a smaller one may fit
			}
			b.WriteString(one.text)
			lines += one.more
			left[i]--
		}
	}

	var what []string
	if n := left.sum(); n > 0 {
		what = append(what, fmt.Sprintf("the details of %s (%s)", printable.Counted(n, "resource"), left.Join(", ")))
	}
	if lines > 0 {
		what = append(what, printable.Counted(lines, "line"))
	}
	if len(what) > 0 {
		b.WriteString("\nLeft out, for a comment has a limit: " + strings.Join(what, " and ") + ". `propalg diff -o html` shows them.\n")
	}
	return b.String()
}

// Counts are numbers of resources: those deleted, replaced, created and updated.
type Counts [numRanks]int

func (c Counts) sum() int {
	n := 0
	for _, each := range c {
		n += each
	}
	return n
}

// Join returns the numbers that are not 0, with their names.
func (c Counts) Join(separator string) string {
	var all []string

	for i, name := range [numRanks]string{"deleted", "replaced", "created", "updated"} {
		if c[i] > 0 {
			all = append(all, printable.Thousands(c[i])+" "+name)
		}
	}
	return strings.Join(all, separator)
}
