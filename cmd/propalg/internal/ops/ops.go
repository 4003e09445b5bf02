// Package ops names what happens to resources, as reports say it: in an update by the
// engine's operations, and between two stacks as a comparison finds it.
package ops

import "slices"

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
	for _, w := range known {
		all = append(all, w.op)
	}
	return all
}

func (o Op) words() words {
	if i := o.Rank(); i < len(known) {
		return known[i]
	}
	return words{o, "?", string(o)}
}

// Rank returns the place of the operation among [All], and the number of these for others.
func (o Op) Rank() int {
	if i := slices.IndexFunc(known[:], func(w words) bool { return w.op == o }); i >= 0 {
		return i
	}
	return len(known)
}

// Mark returns the mark before a resource: one or two characters.
func (o Op) Mark() string { return o.words().mark }

// Past returns what happened, such as "created". For others than the constants it is the
// name of the operation.
func (o Op) Past() string { return o.words().past }
