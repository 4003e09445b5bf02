package provider

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
)

// Response is a provider's answer to Diff. The parts of a Response made by [Differ.Respond] or
// [Comparison.Response] agree with each other, since all come from one comparison; those
// of one made by [ResponseOf] may not.
type Response struct {
	Changes             rpc.DiffChanges // rpc.DiffNone or DiffSome; DiffUnknown with Differ.AnswerUnknown
	Diffs               []string        // names of top-level properties that changed, sorted
	Replaces            []string        // those of them that force a replacement, sorted
	Stables             []string        // those of Differ.Stables that did not change, sorted
	Detailed            []Entry         // in path order, none below another; see Respond
	HasDetailed         bool            // whether engines use Detailed; if not, they use Diffs and Replaces
	DeleteBeforeReplace bool            // as in Differ; engines use it when they replace
}

// Replace reports whether the response asks for a replacement. Entries count only with
// HasDetailed; without it, engines discard them.
func (r Response) Replace() bool {
	return len(r.Replaces) > 0 || slices.ContainsFunc(r.Entries(), Entry.Replace)
}

// Entries returns the entries that engines use. Without HasDetailed it returns nil,
// since engines then discard the entries and use the names.
func (r Response) Entries() []Entry {
	if !r.HasDetailed {
		return nil
	}
	return r.Detailed
}

// unknown returns the response that leaves the comparison to the engine.
func (r Response) unknown() Response {
	r.Changes, r.Diffs, r.Detailed, r.HasDetailed = rpc.DiffUnknown, nil, nil, false
	return r
}

// Invert returns r with old and new exchanged: ADD becomes DELETE, and DELETE becomes
// ADD. Everything else stays the same, including which kinds replace. On refresh, the
// engine asks what an unchanged program would do to the state that it read, and inverts
// the answer to show what happened to the resource.
func (r Response) Invert() Response {
	r.Detailed = slices.Clone(r.Detailed)
	for i := range r.Detailed {
		r.Detailed[i].Kind = protocol.Invert(r.Detailed[i].Kind)
	}
	return r
}

// Respond returns the response for a diff. It has one entry for each change, with the
// exceptions that the documentation of the package lists.
//
// In the protocol a null without marks means that there is no value: a change from null
// is ADD, a change to null is DELETE. A change that depends on unknowns, and may turn out
// not to be one, counts as a change.
//
// The old values are those of the old state; see RespondInputs.
func (d Differ) Respond(changes diff.Diff) Response {
	return d.respondWithin(changes, false, path.MaxListed)
}

// RespondInputs is Respond for a diff whose old values are the old inputs. Its entries say
// so, and engines show old values accordingly.
func (d Differ) RespondInputs(changes diff.Diff) Response {
	return d.respondWithin(changes, true, path.MaxListed)
}

func (d *Differ) respondWithin(changes diff.Diff, inputs bool, most int) Response {
	if changes.Empty() {
		return d.known(d.nothingChanged())
	}
	top := diff.Internal.Tree(changes)
	return d.known(d.respond(inputs, top.In.Rules, most, func(w *responder) { walk.Tree(top.Node(), w) }))
}

// known returns a response, or what of it is known to a provider that leaves the comparison
// to the engine.
func (d *Differ) known(r Response) Response {
	if d.AnswerUnknown {
		return r.unknown()
	}
	return r
}

// nothingChanged returns the response for equal values.
func (d *Differ) nothingChanged() Response {
	return Response{Changes: rpc.DiffNone, HasDetailed: true, DeleteBeforeReplace: d.DeleteBeforeReplace, Stables: stables(d.Stables, nil)}
}

// respond makes the response of the differences that report reports to it. Report is called
// again if the paths of all entries are too long: to count their bytes, and to make fewer.
func (d *Differ) respond(inputs bool, rules difftree.Rules, most int, report func(*responder)) Response {
	w := responders.Get().(*responder) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	w.begin(d, inputs, rules, most)
	report(w)
	if w.overfull() {
		w.wipe()
		w.begin(d, inputs, rules, most)
		w.counting = true
		report(w)
		limit := w.bestLimit()
		w.wipe()
		w.begin(d, inputs, rules, most)
		w.limit = limit
		report(w)
	}

	r := w.response(d)
	w.giveBack()
	return r
}

// response returns the answer that was noted.
func (w *responder) response(o *Differ) Response {
	r := Response{Changes: rpc.DiffNone, HasDetailed: !w.vague && !w.unnamed, DeleteBeforeReplace: o.DeleteBeforeReplace}
	if w.some {
		r.Changes = rpc.DiffSome
	}
	if w.vague { // from both sides
		slices.Sort(w.names)
		slices.Sort(w.replaces)
		w.names, w.replaces = slices.Compact(w.names), slices.Compact(w.replaces)
	}

	r.Diffs, r.Replaces = clone(w.names), clone(w.replaces)
	r.Stables = stables(o.Stables, w.changed)
	if !r.HasDetailed || len(w.entries) == 0 {
		return r
	}
	r.Detailed = w.detailed()
	if w.mixed {
		r.Detailed = w.merge(r.Detailed)
	}
	if w.patterns {
		r.Replaces = replacing(r.Detailed)
	}
	return r
}

// clone copies a list, and nothing to nil.
func clone[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return append(make([]T, 0, len(list)), list...)
}

// merge returns the response that says what either says. At one place r goes before b.
// What is not merged here is that of r.
func (r Response) merge(b Response) Response {
	m := r
	m.Changes = max(r.Changes, b.Changes)
	m.Diffs = protocol.Union(r.Diffs, b.Diffs)
	m.HasDetailed = r.HasDetailed && b.HasDetailed
	m.Stables, m.Detailed = nil, nil
	for _, name := range r.Stables {
		if _, too := slices.BinarySearch(b.Stables, name); too {
			m.Stables = append(m.Stables, name)
		}
	}

	if !m.HasDetailed {
		m.Replaces = protocol.Union(r.Replaces, b.Replaces)
		return m
	}

	m.Detailed = folded(slices.Concat(placed(r.Detailed), placed(b.Detailed)), (*Entry).join)
	m.Replaces = replacing(m.Detailed)
	return m
}
