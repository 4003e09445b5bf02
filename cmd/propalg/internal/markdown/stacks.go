package markdown

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// How much a document keeps of many stacks.
const (
	mostDetailed = 50    // stacks: of more, each would have less room than leastDetail
	leastDetail  = 1_000 // bytes of the details of a stack
)

// Stacks is the diffs of many stacks, written as one document: a table with a row for each, and
// below it each of them folded. They are added in any order.
type Stacks struct {
	Old, New string // names of the folders, equal if it is one
	Lead     string // sums up the stacks, as Markdown

	all      []stack
	detailed []stack // the most urgent ones of those with details
	counted  int     // those with details
}

type stack struct {
	*changed.Stack
	diff *Document
}

func byUrgency(a, b stack) int { return a.Compare(b.Stack) }

// Add adds a stack that changed. Its document is nil if it could not be compared.
func (d *Stacks) Add(s *changed.Stack, diff *Document) {
	d.all = append(d.all, stack{Stack: s})
	if diff == nil {
		return
	}
	d.counted++
	d.detailed = append(d.detailed, stack{s, diff})
	if len(d.detailed) >= 2*mostDetailed {
		d.cut()
	}
}

// cut keeps the most urgent of the stacks with details.
func (d *Stacks) cut() {
	slices.SortFunc(d.detailed, byUrgency)
	n := min(len(d.detailed), mostDetailed)
	clear(d.detailed[n:])
	d.detailed = d.detailed[:n]
}

// Write writes the document.
func (d *Stacks) Write(w io.Writer) error {
	d.cut()
	slices.SortFunc(d.all, byUrgency)
	heading := code(changed.Clip(d.Old, longName))
	if d.New != d.Old {
		heading += " → " + code(changed.Clip(d.New, longName))
	}
	text := fmt.Sprintf("### %s\n\n%s\n%s", heading, d.Lead, d.table())
	_, err := io.WriteString(w, text+d.folded(Limit-len(text)-forEnd))
	return err
}

// table returns a table of the stacks: a column for each operation that any of them has.
func (d *Stacks) table() string {
	if len(d.all) == 0 {
		return ""
	}
	columns := ops.Counts{}
	for _, s := range d.all {
		for op, n := range s.Counts {
			columns[op] += n
		}
	}

	var shown []ops.Op
	head, line := "\n| | stack |", "\n|---|---|"
	for _, op := range ops.All() {
		if columns[op] > 0 {
			shown = append(shown, op)
			head += " " + op.Past() + " |"
			line += "--:|"
		}
	}

	var b strings.Builder
	rest := ops.Counts{}
	left := 0
	for _, s := range d.all {
		row := fmt.Sprintf("| %s | **%s** |", signOf(s.Stack, code), code(changed.Clip(s.Name, longName))) + cells(s.Counts, shown) + " " + prose(changed.Clip(s.Note, longURN)) + " |\n"
		if left > 0 || b.Len()+len(row) > forTable {
			left++
			for op, n := range s.Counts {
				rest[op] += n
			}
			continue
		}
		b.WriteString(row)
	}
	if left > 0 {
		fmt.Fprintf(&b, "| | … and %s |", printable.Counted(left, "more stack"))
		b.WriteString(cells(rest, shown) + " |\n")
	}
	return head + " |" + line + "---|\n" + b.String()
}

// cells returns the numbers of operations, as cells of a table.
func cells(counts ops.Counts, of []ops.Op) (text string) {
	for _, op := range of {
		if n := counts[op]; n > 0 {
			text += " " + printable.Thousands(n)
		}
		text += " |"
	}
	return text
}

// signOf returns the mark of what is most urgent in a stack.
func signOf(s *changed.Stack, asCode func(string) string) string {
	if s.IsBad {
		return sign(ops.Failed, asCode)
	}
	return sign(s.Counts.Urgent(), asCode)
}

// folded returns the stacks, of which each may have an equal share of a number of bytes and what
// the others do not need, and says how many are left out.
func (d *Stacks) folded(room int) string {
	sizes := make([]int, 0, len(d.detailed))
	for _, s := range d.detailed {
		sizes = append(sizes, len(s.folded(Limit)))
	}

	var b strings.Builder
	shown := 0
	for i, s := range d.detailed {
		if text := s.folded(share(sizes[i:], room-b.Len())); text != "" {
			b.WriteString(text)
			shown++
		}
	}

	if left := d.counted - shown; left > 0 {
		fmt.Fprintf(&b, "\nLeft out: the details of %s.", printable.Counted(left, "stack"))
		b.WriteString(" `propalg diff --each -o html` shows all that could be compared.\n")
	}
	return b.String()
}

// share returns the number of bytes that each of some texts may have, of which those that are
// shorter leave more for the others.
func share(sizes []int, room int) int {
	for i, size := range slices.Sorted(slices.Values(sizes)) {
		each := room / (len(sizes) - i)
		if size > each {
			return each
		}
		room -= size
	}
	return Limit
}

// folded returns the details of a stack in a number of bytes, nothing if that is too little.
func (s stack) folded(limit int) string {
	text := fmt.Sprintf("\n<details><summary>%s <b>%s</b> · %s</summary>\n\n", signOf(s.Stack, markupCode), markupCode(changed.Clip(s.Name, longName)), prose(changed.Clip(s.Changed(", "), longURN)))
	const end = "\n</details>\n"
	room := limit - len(text) - len(end)
	if room < leastDetail {
		room = 0
	}
	text += s.diff.body(room) + end
	if len(text) > limit {
		return ""
	}
	return text
}
