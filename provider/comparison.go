package provider

import (
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Sides are the values that an engine passes to a provider's Diff. As in the messages of
// codec/rpc, a null without marks means that the side is absent; an empty object is
// present.
type Sides struct {
	OldInputs value.Value // the old inputs; older engines send none
	OldState  value.Value // the old state, computed outputs included
	News      value.Value // the new inputs
}

// Comparison is the result of comparing the sides that a provider was given. It is
// immutable and safe for concurrent use. The zero Comparison has no changes.
//
// The engine gets only a [Response], which has places and kinds but no values. Most
// providers need no more than that, and call [Differ.Answer]. Use a Comparison if something
// depends on the values that changed: whether an update in place is possible, which calls
// of an API to make, or what to log. [Comparison.Inputs] returns the old and new values,
// and [Comparison.Response] the answer for the same comparison.
//
// A Comparison keeps the values that were compared, and computes diffs and responses on
// demand. Package fmt does not print the values.
type Comparison struct{ of veil.Pointer[comparison] }

// comparison is what a Comparison holds, where printers cannot follow: one side may have
// in clear what is secret on the other.
type comparison struct {
	by            Differ   // with the Relation of engines
	inputs, drift compared // drift is of two nulls without Differ.Drift
	fromInputs    bool     // the old values are the old inputs, not the old state
}

// compared is a pair of values, without what is ignored.
type compared struct {
	old, news value.Value
	given     value.Value // news before it was respelled
}

// Compare compares the old inputs with the new ones. With d.Drift, it also compares the
// old state with the new inputs.
//
// The old state also holds computed outputs, which new inputs never name; a name that
// only the state has is therefore not a change. If there are no old inputs, the old state
// is used in their place, at the names of inputs.
func (d Differ) Compare(s Sides) Comparison {
	// Compare and Response are inlined, so that what is compared and answered in one
	// function need not be on the heap.
	return Comparison{veil.Hide(new(comparison).compare(&s, &d))}
}

func (c *comparison) compare(s *Sides, o *Differ) *comparison {
	o.Relation |= value.Engine
	c.by = *o
	news, state := protocol.Present(s.News), protocol.Present(s.OldState)
	if protocol.Nothing(s.OldInputs) {
		inputs := protocol.Union(o.InputNames, nil)
		known := func(name string) bool {
			_, wanted := news.Lookup(name)
			if !wanted {
				_, wanted = slices.BinarySearch(inputs, name)
			}
			return wanted
		}
		c.inputs = c.pair(o, protocol.Restrict(state, known), news)
		return c
	}
	c.inputs, c.fromInputs = c.pair(o, s.OldInputs, news), true

	if o.Drift {
		rules := difftree.Rules{Relation: o.Relation}
		both := func(name string) bool { return holdsName(rules, s.OldInputs, name) && holdsName(rules, state, name) }
		state = o.inputsOf(protocol.Restrict(state, both), s.OldInputs, news)
		c.drift = c.pair(o, state, protocol.Restrict(news, both))
	}
	return c
}

// options returns what the diff of two sides is made with.
func (d *Differ) options() diff.Options {
	return diff.Options{Relation: d.Relation, MaybeIsChanged: d.MaybeIsChanged, Arrays: d.Arrays, ArrayRules: d.ArrayRules}
}

func (c Comparison) open() *comparison {
	if held := c.of.Open(); held != nil {
		return held
	}
	return &comparison{}
}

func (c *comparison) pair(o *Differ, old, news value.Value) compared {
	if len(o.Ignored) > 0 {
		news = ignore.Changes(old, news, o.Ignored, o.IgnoreMode).Value
	}
	x := compared{old, news, news}
	if o.Equality != nil {
		x.news = o.Equality.Respell(old, news, o.options())
	}

	return x
}

// Inputs returns the changes from the old inputs to the new ones. If there were no old
// inputs, it returns the changes from those members of the old state that are inputs.
// Each call computes the diff again.
func (c Comparison) Inputs() diff.Diff { return c.open().diff(&c.open().inputs) }

// Drift returns the changes from the old state to the new inputs. It is empty unless
// [Differ].Drift is set. Each call computes the diff again.
func (c Comparison) Drift() diff.Diff { return c.open().diff(&c.open().drift) }

func (c *comparison) diff(x *compared) diff.Diff {
	return c.by.Equality.Between(x.old, x.given, c.by.options())
}

// Suppressed returns the changes from old to new inputs that [Differ].Equality hides. The
// old side of the diff is the new inputs in the spelling of the old ones, the new side the
// new inputs as given. Changes that Equality hides only from Drift are not included.
func (c Comparison) Suppressed() diff.Diff {
	held := c.open()
	return diff.Between(held.inputs.news, held.inputs.given, held.by.options())
}

// Empty reports whether nothing changed. A new order of a set counts as a change here,
// although the response for it is DIFF_NONE, since the protocol cannot express it.
func (c Comparison) Empty() bool {
	held := c.open()
	r := held.by.Relation
	return r.Equal(held.inputs.old, held.inputs.news) && r.Equal(held.drift.old, held.drift.news)
}

// Response returns the provider's answer: the responses for Inputs and for Drift, made as
// by [Differ.Respond] and merged.
//
// Entries from Inputs are marked inputDiff if there were old inputs, and entries from Drift
// are not. If an entry of one is at the same place as an
// entry of the other, or above it, the two become one: the upper entry or, at the same
// place, the one from Inputs. It replaces if either does.
func (c Comparison) Response() Response { return c.of.Open().responseWithin(path.MaxListed) }

func (c *comparison) responseWithin(most int) Response {
	if c == nil {
		c = &comparison{}
	}

	r := c.respond(&c.inputs, c.fromInputs, most)
	if !c.by.Relation.Equal(c.drift.old, c.drift.news) {
		r = r.merge(c.respond(&c.drift, false, most))
	}
	return c.by.known(r)
}

func (c *comparison) respond(x *compared, inputs bool, most int) Response {
	between := c.by.options()
	options := diff.Internal.WalkOptions(&between)
	if walk.Equal(options.Rules, x.old, x.news) {
		return c.by.nothingChanged()
	}
	return c.by.respond(inputs, options.Rules, most, func(w *responder) {
		w.walker.Between(x.old, x.news, &options, w)
	})
}

func holdsName(r difftree.Rules, v value.Value, name string) bool {
	x, ok := v.Lookup(name)
	return ok && !r.Absent(x, v.IsSecret())
}
