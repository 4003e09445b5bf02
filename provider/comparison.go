package provider

import (
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/value"
)

// Sides are the values that an engine passes to a provider's Diff. A null without marks
// means that the side is absent, as in the messages of codec/rpc; an empty object is
// present and empty.
type Sides struct {
	OldInputs value.Value // the old inputs; older engines send none
	OldState  value.Value // the old state, computed outputs included
	News      value.Value // the new inputs
}

// Drift selects whether the old state is compared too. The set is closed.
type Drift uint8

const (
	// DriftIgnored compares the old inputs with the new ones only.
	DriftIgnored Drift = iota
	// DriftShown also compares the old state with the new inputs, at the names that
	// both the old inputs and the old state have. Only top-level names are matched
	// (spec of diffs, section 3): a computed output inside an input, such as computed
	// in {o: {a: 1, computed: x}} where the inputs are {o: {a: 1}}, is drift, a DELETE.
	// Use patterns in Ignored to leave out such places.
	DriftShown
)

// Comparison is the result of comparing the sides that a provider was given. It is
// immutable and safe for concurrent use. The zero Comparison has no changes.
type Comparison struct {
	inputs, drift diff.Diff
	side          Side
}

// Compare compares the old inputs with the new ones, and with [DriftShown] the old
// state too.
//
// State also holds computed outputs, which new inputs never name; a name that only
// state has is not a change. If there are no old inputs, the old state is used in their
// place, at the names of inputs.
func Compare(s Sides, o Options) Comparison {
	o.Relation |= value.Engine
	rules := difftree.Rules{Relation: o.Relation}
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
		return Comparison{inputs: o.compare(protocol.Restrict(state, known), news), side: FromState}
	}
	c := Comparison{inputs: o.compare(s.OldInputs, news), side: FromInputs}
	if o.Drift == DriftShown {
		both := func(name string) bool { return holdsName(rules, s.OldInputs, name) && holdsName(rules, state, name) }
		c.drift = o.compare(protocol.Restrict(state, both), protocol.Restrict(news, both))
	}
	return c
}

// compare is Between, without what is ignored.
func (o *Options) compare(old, news value.Value) diff.Diff {
	if len(o.Ignored) > 0 {
		news = ignore.Changes(old, news, o.Ignored, o.IgnoreMode).Value
	}
	return diff.Between(old, news, diff.Options{
		Relation: o.Relation, Unknowns: o.Unknowns, Arrays: o.Arrays, ArrayRules: o.ArrayRules,
	})
}

// Inputs returns the changes from the old inputs to the new ones. If there were no old
// inputs, it returns the changes from those members of the old state that are inputs.
func (c Comparison) Inputs() diff.Diff { return c.inputs }

// Drift returns the changes from the old state to the new inputs. It is empty without
// [DriftShown].
func (c Comparison) Drift() diff.Diff { return c.drift }

// Empty reports whether nothing changed.
func (c Comparison) Empty() bool { return c.inputs.Empty() && c.drift.Empty() }

// UnmarshalJSON returns an error that points to [Compare].
func (*Comparison) UnmarshalJSON([]byte) error {
	return refuse.JSON("provider.Comparison", "provider.Compare")
}

// Response returns the provider's answer, with Inputs and Drift merged (see [Respond]).
//
// The field o.Side is ignored: entries from the old inputs are marked inputDiff,
// entries from the state are not. If both diffs have an entry at a place, or one has an
// entry above one of the other, the result has a single entry: the upper one, or at the
// same place that of the inputs. It replaces if either does.
func (c Comparison) Response(o Options) Response {
	answering := o.Answering
	o.Answering, o.Side = AnswerChanges, c.side
	r := Respond(c.inputs, o)
	if !c.drift.Empty() {
		o.Side = FromState
		r = r.merge(Respond(c.drift, o))
		r.DeleteBeforeReplace = o.DeleteBeforeReplace
	}
	return r.as(answering)
}

// holdsName reports whether an object has the member, and it counts.
func holdsName(r difftree.Rules, v value.Value, name string) bool {
	x, ok := v.Lookup(name)
	return ok && !r.Absent(x, v.IsSecret())
}

// merge is the response that says what either says; r goes before b.
func (r Response) merge(b Response) Response {
	m := Response{
		Changes:     max(r.Changes, b.Changes),
		Diffs:       protocol.Union(r.Diffs, b.Diffs),
		HasDetailed: r.HasDetailed && b.HasDetailed,
	}
	for _, name := range r.Stables {
		if _, too := slices.BinarySearch(b.Stables, name); too {
			m.Stables = append(m.Stables, name)
		}
	}
	if !m.HasDetailed {
		m.Replaces = protocol.Union(r.Replaces, b.Replaces)
		return m
	}
	m.Detailed = make([]Entry, 0, len(r.Detailed)+len(b.Detailed))
	x, y := r.Detailed, b.Detailed
	for len(x) > 0 || len(y) > 0 {
		if len(y) == 0 || len(x) > 0 && x[0].Path.Compare(y[0].Path) <= 0 {
			m.Detailed, x = join(m.Detailed, x[0]), x[1:]
		} else {
			m.Detailed, y = join(m.Detailed, y[0]), y[1:]
		}
	}
	m.Replaces = replacing(m.Detailed)
	return m
}

// join adds an entry to those before it in path order; one at or above its place
// takes it in.
func join(entries []Entry, e Entry) []Entry {
	if len(entries) == 0 || !e.Path.HasPrefix(entries[len(entries)-1].Path) {
		return append(entries, e)
	}
	upper := &entries[len(entries)-1]
	replaces := upper.Kind.IsReplace() || e.Kind.IsReplace()
	was, is := upper.Kind.WithoutReplace(), e.Kind.WithoutReplace()
	if e.Path != upper.Path {
		is = Update // there is something, before and after
	}
	// An element that one side takes for gone or come, and the other not: then it
	// is there before, on the side that says so, and after.
	if last, _ := upper.Path.Last(); !last.IsKey() && was != is && (is != Update || e.Path != upper.Path) && was != Update {
		if was == Add {
			upper.InputDiff = e.InputDiff
		}
		upper.Kind = Update
	}
	if replaces {
		upper.Kind = upper.Kind.WithReplace()
	}
	return entries
}

// replacing are the top-level names of entries that replace, sorted.
func replacing(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		if name, ok := protocol.TopName(e.Path); ok && e.Kind.IsReplace() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
