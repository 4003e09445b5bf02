package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// Unknowns says how a change counts that may turn out to be none, once what is
// not known yet is known. The set is closed.
type Unknowns uint8

const (
	// UnknownsMaybe gives such a change the verdict [value.Maybe].
	UnknownsMaybe Unknowns = iota
	// UnknownsChanged gives it [value.Changed], as Pulumi's engine does today.
	UnknownsChanged Unknowns = difftree.UnknownsChanged
)

// Options say what counts as a difference. The zero Options overlook nothing.
type Options struct {
	// Relation overlooks kinds of differences; [value.Engine] is what Pulumi's
	// engine overlooks. The zero Relation is [value.Strict].
	Relation value.Relation
	// Unknowns: a change that may be none has a verdict of its own, unless told
	// otherwise.
	Unknowns Unknowns
	// Arrays says which elements are compared with which, in arrays that no
	// ArrayRule names.
	Arrays Match
	// ArrayRules: of the rules whose pattern names an array the first one counts.
	ArrayRules []ArrayRule
}

func (o *Options) rules() difftree.Rules {
	return difftree.Rules{Relation: o.Relation, Unknowns: uint8(o.Unknowns)}
}

// Diff is what changed between two values, the old and the new one, under a
// [value.Relation]. It never changes, and may be shared by goroutines. The zero
// Diff is the empty one under [value.Strict].
//
// A Diff keeps the parts that differ alive, secrets among them; no text that
// fmt makes of it shows one.
type Diff struct {
	top       veil.Pointer[difftree.Branch] // nil: empty; else of a branch that holds one node, the root's
	count     int
	rules     difftree.Rules
	verdict   value.Verdict
	uncertain bool // a side holds an unknown, or a change may be none
}

// Empty reports whether nothing changed: the values are equal under
// d.Relation() (law 2).
func (d Diff) Empty() bool { return d.top.Open() == nil }

// Certain reports whether what is not known yet plays no part in the diff:
// neither side holds an unknown, changed or not, and no change may turn out to
// be none. It is O(1).
func (d Diff) Certain() bool { return !d.uncertain }

// Verdict is that of the gravest change: [value.Same] for the empty diff,
// [value.Maybe] when every change may turn out to be none, else [value.Changed].
func (d Diff) Verdict() value.Verdict { return d.verdict }

// Relation is the one the values were compared under.
func (d Diff) Relation() value.Relation { return d.rules.Relation }

// Len is the number of [Diff.Changes]. It is O(1).
func (d Diff) Len() int { return d.count }

// Equal reports whether both say the same: the same Relation and the same
// changes, their values being [value.Value.Identical]. go-cmp finds it.
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
