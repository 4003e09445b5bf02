package provider

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// Differ says what counts as a change of a resource, and how a provider answers Diff. The
// zero Differ is ready to use; nothing writes into one, so a provider has one for each type
// of resource. [Differ.Answer] answers a request. To look at what changed before answering,
// use [Differ.Compare]; to answer for a diff that was made otherwise, [Differ.Respond].
//
// What is no change, the fields say: Equality has the spellings that the provider takes for
// the same, such as a default or a document with other spaces; Ignored has the places that
// the provider must never report, such as outputs inside inputs; Relation overlooks a kind
// of difference everywhere, such as marks.
type Differ struct {
	// Relation overlooks differences in addition to those that [value.Engine]
	// overlooks.
	Relation value.Relation
	// MaybeIsChanged, Arrays and ArrayRules are as in [diff.Options]. To pair the elements of
	// one array by a key, add {path.MustParsePattern("rules"), diff.Keyed(path.MustParse("name"))}
	// to ArrayRules.
	MaybeIsChanged bool
	Arrays         diff.Match
	ArrayRules     []diff.ArrayRule
	// Drift compares the old state with the new inputs too, at the top-level names that both
	// the old inputs and the old state have. Inside, only what is an input counts, as for
	// [Differ.ReadInputs]: the names that the old or the new inputs have at a place, and the
	// entries of maps. A computed output inside an input is none.
	Drift bool
	// InputNames are names of inputs, for use when there are no old inputs. The old
	// state is then compared at these names and at the names of the new inputs. All
	// other names are computed outputs.
	InputNames []string
	// Maps matches the objects whose names the user chooses, such as tags, for
	// [Differ.ReadInputs]. A Differ from FromSchema needs none, and does not look at it.
	Maps *path.Set
	// Ignored are the patterns of ignoreChanges. The places that they name are set back
	// to their old values before the comparison (see [ignore.Changes]). On update the
	// engine has already done so; on refresh it has not.
	Ignored []path.Pattern
	// IgnoreMode selects the rules of ignoreChanges.
	IgnoreMode ignore.Mode
	// Equality has the rules by which the provider treats different spellings as the same
	// value. The new inputs are compared in the spelling that [equality.Rules.Respell]
	// gives them.
	Equality *equality.Rules

	// ReplaceOn are the patterns of properties whose change forces a replacement. A
	// pattern matches entries at the places that it names, and below: tags matches
	// tags.env. It also matches an entry above such a place if the change adds, removes
	// or changes the place: settings.engine matches the entry settings when settings
	// with an engine are removed as a whole. But rules[*].protocol does not match
	// rules[2] when that rule is inserted or removed; see Direction.
	//
	// A change of marks alone, such as from "a" to a secret "a", does not replace, since
	// the contents are the same. It is an UPDATE, or no change with a Relation that
	// overlooks marks. The engine's replaceOnChanges, which is set in programs, replaces
	// for each entry that it matches, this one too.
	ReplaceOn *path.Set
	// Direction selects how ReplaceOn matches entries.
	Direction Direction
	// Stables are the names of inputs and outputs that updates do not change. The
	// response leaves out those that did change.
	Stables []string
	// DeleteBeforeReplace has the engine delete the old resource before it creates the
	// new one, if it replaces the resource. Every response has the flag, even if nothing
	// in it replaces, since engines apply replaceOnChanges to the response and then
	// use this flag.
	DeleteBeforeReplace bool
	// AnswerUnknown leaves the comparison to the engine. The response is DIFF_UNKNOWN,
	// without changes, and the engine compares the inputs itself. The names that force a
	// replacement and DeleteBeforeReplace are still sent, since the engine keeps them.
	AnswerUnknown bool

	resource *schema.Resource // says what ReadInputs returns, if not nil
}

// Direction selects how the patterns in ReplaceOn match entries of a detailed diff. The
// set is closed.
type Direction uint8

const (
	// TwoWay matches a pattern with entries at, below and above the places that it
	// names. An entry above matches only if what changed there contains a match, as
	// when an object is added that has a property that forces a replacement. Elements
	// of arrays that were added or removed, or that moved unchanged, are not searched:
	// with the pattern rules[*].protocol, adding a rule to a list does not replace the
	// resource, and changing a rule's protocol does. A pattern that ends at the
	// elements, such as rules[*], matches each element that is added, removed or moved.
	TwoWay Direction = iota
	// EngineOneWay matches a pattern only with entries at or below the places that it
	// names, as Pulumi's engine does.
	EngineOneWay
	// ThroughElements is like TwoWay but also searches elements that were added,
	// removed or moved: with the pattern rules[*].protocol, adding a rule to a list
	// replaces the resource.
	ThroughElements
)

// FromSchema returns a Differ with the InputNames and the ReplaceOn that follow from the
// schema of a resource, which also says what [Differ.ReadInputs] returns. A schema does not say which arrays are sets, or which spellings
// mean the same. It returns [schema.ErrPlaces] if there are too many to list, and panics if r
// is nil.
func FromSchema(r *schema.Resource) (Differ, error) {
	if r == nil {
		panic("provider: nil resource")
	}

	replaceOn, err := r.ReplaceOn()
	if err != nil {
		return Differ{}, err
	}
	return Differ{InputNames: r.Inputs().Names(), ReplaceOn: path.NewSet(replaceOn...), resource: r}, nil
}
