package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Options selects what counts as a difference. The zero Options overlooks nothing.
type Options struct {
	// Relation is the set of differences that are overlooked; [value.Engine] is that of
	// Pulumi's engine. The zero Relation is [value.Strict].
	Relation value.Relation
	// MaybeIsChanged gives changes that may turn out to be none the verdict [value.Changed],
	// as Pulumi's engine does today, and not [value.Maybe]. Set it where only yes or no can
	// be answered, and an update for nothing is better than none.
	MaybeIsChanged bool
	// Arrays selects how elements are matched in arrays that no ArrayRule names.
	Arrays Match
	// ArrayRules apply to the arrays that their patterns name. The first match counts.
	ArrayRules []ArrayRule
}

// ArrayRule selects how the elements of some arrays are matched.
type ArrayRule struct {
	// Pattern matches the paths that the arrays have in the new value: rules for the array
	// there, not rules[*], which names its elements, and matters only if they are arrays.
	Pattern path.Pattern
	Match   Match
}

func (o *Options) rules() difftree.Rules {
	return difftree.Rules{Relation: o.Relation, MaybeIsChanged: o.MaybeIsChanged}
}

// matches returns how the walk matches elements.
func (o *Options) matches() walk.Matches {
	m := walk.Matches{All: o.Arrays.walk()}
	if len(o.ArrayRules) == 0 {
		return m
	}
	patterns := make([]path.Pattern, len(o.ArrayRules))
	for i, r := range o.ArrayRules {
		patterns[i] = r.Pattern
		m.Rules = append(m.Rules, r.Match.walk())
	}

	m.Set = path.NewSet(patterns...)
	return m
}

// withoutAuto returns the options with Aligned in the place of Auto, which could choose
// another key for either side of a merge.
func (o Options) withoutAuto() Options {
	aligned := func(m Match) Match {
		if m.by == walk.ByGuess {
			return Aligned()
		}
		return m
	}
	o.Arrays, o.ArrayRules = aligned(o.Arrays), slices.Clone(o.ArrayRules)

	for i, r := range o.ArrayRules {
		o.ArrayRules[i].Match = aligned(r.Match)
	}
	return o
}

// walkOptions returns o in the form that package internal/walk takes.
func walkOptions(o *Options) walk.Options {
	return walk.Options{Rules: o.rules(), Matches: o.matches()}
}
