// Package ops names what happens to resources, as reports say it: in an update by the
// engine's operations, and between two stacks as a comparison finds it.
package ops

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
)

// Op is what happens to a resource, as --op names it. An operation of the engine that has no
// constant here is named as the engine names it.
type Op string

// What happens to a resource, the most urgent first.
const (
	Failed     Op = "failed"     // an operation on it failed
	Unfinished Op = "unfinished" // an operation on it began, and did not end
	Delete     Op = "delete"
	Replace    Op = "replace"
	Create     Op = "create"
	Import     Op = "import"
	Update     Op = "update"
	Refresh    Op = "refresh" // what the provider has of it differs from the state
	Read       Op = "read"
	Discard    Op = "discard" // the record of one that was read is dropped
	Same       Op = "same"    // nothing happens to it, but its record differs, in its options for example
)

type words struct {
	op         Op
	mark, past string
}

var known = [...]words{ //nolint:gochecknoglobals // a table
	{Failed, "!", "failed"},
	{Unfinished, "!", "unfinished"},
	{Delete, "-", "deleted"},
	{Replace, "+-", "replaced"},
	{Create, "+", "created"},
	{Import, "=", "imported"},
	{Update, "~", "updated"},
	{Refresh, "~", "refreshed"},
	{Read, ">", "read"},
	{Discard, "<", "discarded"},
	{Same, " ", "the same"},
}

// All returns the operations with constants, the most urgent first.
func All() []Op {
	all := make([]Op, 0, len(known))
	for i := range known {
		all = append(all, known[i].op)
	}
	return all
}

func (o Op) words() words {
	if i := o.Rank(); i < len(known) {
		return known[i]
	}
	return words{o, "?", o.plain()}
}

// plain returns the name, which may be any text of a file, as one that is safe in terminals,
// HTML and Markdown.
func (o Op) plain() string {
	const most = 40
	return strings.Map(func(r rune) rune {
		if (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9') || r == '-' {
			return r
		}
		return '?'
	}, string(o)[:min(len(o), most)])
}

// Known reports whether the operation is one of [All].
func (o Op) Known() bool { return o.Rank() < len(known) }

// Rank returns the place of the operation among [All], and the number of these for others.
func (o Op) Rank() int {
	if i := slices.IndexFunc(known[:], func(w words) bool { return w.op == o }); i >= 0 {
		return i
	}
	return len(known)
}

// Compare orders operations by rank, and those that are not known by name.
func Compare(a, b Op) int { return cmp.Or(cmp.Compare(a.Rank(), b.Rank()), cmp.Compare(a, b)) }

// Mark returns the mark before a resource: one or two characters.
func (o Op) Mark() string { return o.words().mark }

// Past returns what happened, such as "created". For others than the constants it is the
// name of the operation, with question marks for all but letters, digits and hyphens.
func (o Op) Past() string { return o.words().past }

// Counts are numbers of resources, by what happens to them.
type Counts map[Op]int

// Urgent returns the most urgent operation of which there are any, Same if there is none.
func (c Counts) Urgent() Op {
	for _, op := range slices.SortedFunc(maps.Keys(c), Compare) {
		if c[op] != 0 && op.Known() {
			return op
		}
	}
	return Same
}

// Join lists the numbers that are not 0, the most urgent first, such as "2 deleted, 1 created".
func (c Counts) Join(separator string) string {
	var all []string
	for _, op := range slices.SortedFunc(maps.Keys(c), Compare) {
		if c[op] != 0 {
			all = append(all, printable.Thousands(c[op])+" "+op.Past())
		}
	}
	return strings.Join(all, separator)
}
