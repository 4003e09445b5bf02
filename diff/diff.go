package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// Unknowns selects the verdict of changes that may turn out to be none when unknowns
// become known. The set is closed.
type Unknowns uint8

const (
	// UnknownsMaybe gives such changes the verdict [value.Maybe].
	UnknownsMaybe Unknowns = iota
	// UnknownsChanged gives them [value.Changed], as Pulumi's engine does today.
	UnknownsChanged Unknowns = difftree.UnknownsChanged
)

// Options selects what counts as a difference. The zero Options overlooks nothing.
type Options struct {
	// Relation is the set of differences that are overlooked; [value.Engine] is that of
	// Pulumi's engine. The zero Relation is [value.Strict].
	Relation value.Relation
	// Unknowns selects the verdict of changes that may turn out to be none.
	Unknowns Unknowns
	// Arrays selects how elements are matched in arrays that no ArrayRule names.
	Arrays Match
	// ArrayRules apply to the arrays that their patterns name. The first match counts.
	ArrayRules []ArrayRule
}

func (o *Options) rules() difftree.Rules {
	return difftree.Rules{Relation: o.Relation, Unknowns: uint8(o.Unknowns)}
}

// Diff is the set of changes from an old value to a new one, under a [value.Relation].
//
// It is immutable and safe for concurrent use. The zero Diff is the empty one under
// [value.Strict]. A Diff keeps the differing parts of both values alive, secrets
// included; texts that package fmt makes of it do not show secrets.
type Diff struct {
	top       veil.Pointer[difftree.Branch] // nil: empty; else of a branch that holds one node, the root's
	count     int
	rules     difftree.Rules
	verdict   value.Verdict
	uncertain bool // a side holds an unknown, or a change may be none
}

// Empty reports whether there are no changes: the values are equal under d.Relation().
func (d Diff) Empty() bool { return d.top.Open() == nil }

// Certain reports whether the diff does not depend on unknowns: neither side contains
// one, changed or not, and no change may turn out to be none. It is O(1).
func (d Diff) Certain() bool { return !d.uncertain }

// Verdict returns [value.Same] if the diff is empty, [value.Maybe] if all changes may
// turn out to be none, and [value.Changed] otherwise.
func (d Diff) Verdict() value.Verdict { return d.verdict }

// Relation returns the Relation under which the values were compared.
func (d Diff) Relation() value.Relation { return d.rules.Relation }

// Len returns the number of [Diff.Changes]. It is O(1).
func (d Diff) Len() int { return d.count }

// Equal reports whether two diffs have the same Relation and the same changes. Values
// are the same if they are [value.Value.Identical]. Package go-cmp uses this method.
func (d Diff) Equal(e Diff) bool {
	if d.rules != e.rules || d.count != e.count || d.verdict != e.verdict || d.uncertain != e.uncertain {
		return false
	}
	x, y := d.root(), e.root()
	for x.In != nil && y.In != nil {
		if !x.Node().Same(y.Node()) {
			return false
		}
		x, y = x.Next(), y.Next()
	}
	return x.In == nil && y.In == nil
}

func (d Diff) root() difftree.Place {
	return d.top.Open().Child(0)
}
