package provider

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Options say what counts as a change for a provider, and how it answers. The zero
// Options are ready. [Compare] looks at the fields down to IgnoreMode, [Respond] and
// [Comparison.Response] at the others, [Answer] at all but Side.
type Options struct {
	// Relation overlooks more than [value.Engine], which is overlooked in any case.
	Relation value.Relation
	// Unknowns, Arrays and ArrayRules are as in [diff.Options].
	Unknowns   diff.Unknowns
	Arrays     diff.Match
	ArrayRules []diff.ArrayRule
	// Drift: whether state is compared too, at the top-level names that the old
	// inputs have; all that state has inside these counts, see [DriftShown].
	Drift Drift
	// InputNames are names of inputs, for when there are no old inputs: the old
	// state is then compared at these names and at those of the new inputs. Any
	// other name is a computed output.
	InputNames []string
	// Ignored are the patterns of ignoreChanges: what they name is set back to
	// what it was before anything is compared, see [ignore.Changes]. On update the
	// engine has done so already, on refresh it has not.
	Ignored []path.Pattern
	// IgnoreMode selects the rules of ignoreChanges.
	IgnoreMode ignore.Mode

	// Side: where the old values of a diff come from. It is for [Respond]; [Compare]
	// finds it out.
	Side Side
	// ReplaceOn are the patterns of properties whose change forces a
	// replacement. A pattern matches an entry at what it names, or below: tags
	// matches tags.env. It matches an entry above what it names where the change
	// there adds, removes or changes that: settings.engine matches the entry
	// settings when all settings are removed, unless they had no engine. But
	// rules[*].protocol does not match rules[2] when that rule is inserted or
	// removed; see Direction for that, and the example.
	ReplaceOn *path.Set
	// Direction: how ReplaceOn is matched with entries.
	Direction Direction
	// Stables are the names of inputs and outputs that no update changes.
	Stables []string
	// DeleteBeforeReplace: the old resource is deleted before the new one is
	// created, if it is replaced. It is passed on as it is, also when nothing in
	// the response replaces: engines apply replaceOnChanges to the answer, and go
	// by this flag then.
	DeleteBeforeReplace bool
	// Answering: whether the response says what changed, or leaves that to the
	// engine.
	Answering Answering
}
