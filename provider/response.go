package provider

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Response is a provider's answer to Diff. All its parts are made from one diff, so
// that they cannot contradict each other (law 18).
type Response struct {
	Changes             Changes  // None or Some; Unknown with AnswerUnknown
	Diffs               []string // names of top-level properties that changed, sorted
	Replaces            []string // those of them that force a replacement, sorted
	Stables             []string // the declared ones that did not change, sorted
	Detailed            []Entry  // in path order, none below another; see Respond
	HasDetailed         bool
	DeleteBeforeReplace bool // as in Options; engines use it when they replace
}

// Replace reports whether the response asks for a replacement. Entries count only with
// HasDetailed; without it, engines discard them.
func (r Response) Replace() bool {
	return len(r.Replaces) > 0 || slices.ContainsFunc(r.Entries(), func(e Entry) bool { return e.Kind.IsReplace() })
}

// Entries returns the entries that engines use. Without HasDetailed it returns nil,
// since engines then discard the entries and use the names.
func (r Response) Entries() []Entry {
	if !r.HasDetailed {
		return nil
	}
	return r.Detailed
}

// Respond returns the response for a diff. It has one entry for each change, except
// that
//
//   - Entries stop at the outermost secret; changes inside are one UPDATE there.
//   - A container whose own dependencies differ is one UPDATE, with everything inside.
//   - In arrays that are not matched by index, an element that changed or moved and has
//     a new index is a DELETE at the old index and an ADD at the new one; several at
//     one index are one UPDATE there. If order is a fact of the array alone
//     ([diff.Keyed], [diff.Set]), a new order alone is not a change.
//   - A key that the Pulumi dialect cannot write is one UPDATE of its container, with
//     everything inside. A top-level name that cannot be written has no container with
//     a key, so the response has no detailed diff, and Diffs has the name.
//   - If the paths of all entries exceed [path.MaxListed] bytes, changes below a
//     certain depth are reported as UPDATE of their container at that depth.
//   - If the root changed as a whole, is secret, or has other dependencies, the
//     response has no detailed diff either, since an empty key makes engines fail. If
//     the root is secret, Diffs and Replaces have only the first names of patterns in
//     ReplaceOn.
//
// In the protocol a null without marks means that there is no value: a change from null
// is ADD, a change to null is DELETE. A change that may turn out to be none counts as a
// change.
func Respond(d diff.Diff, o Options) Response { return respondWithin(d, o, path.MaxListed) }

// respondWithin is Response with another bound.
func respondWithin(d diff.Diff, o Options, most int) Response {
	w := responder{opts: o, answer: Response{Changes: None, HasDetailed: true}, most: most}
	if !d.Empty() {
		w.root(diff.Tree(d), d.Len())
	}
	w.stables()
	w.answer.DeleteBeforeReplace = o.DeleteBeforeReplace
	return w.answer.as(o.Answering)
}

// responder makes a Response.
type responder struct {
	opts    Options
	answer  Response
	changed []string // top-level names, also those that may not be told; where Stables ask for them
	named   []string // top-level names that patterns begin with, sorted; once asked for
	mixed   bool     // entries may be out of order, or at one place
	most    int      // bytes of the paths of all entries
	listed  int      // bytes of them so far
	fits    bool     // all of them are known to be no more than may be listed
	coarse  bool     // they would be more, see bounded
	deepest int      // the depth down to which there are entries then
	room    []path.Step
}

// stables answers which of the declared names did not change.
func (w *responder) stables() {
	if len(w.opts.Stables) == 0 {
		return
	}
	slices.Sort(w.changed)
	for _, name := range w.opts.Stables {
		if _, changed := slices.BinarySearch(w.changed, name); !changed {
			w.answer.Stables = append(w.answer.Stables, name)
		}
	}
	slices.Sort(w.answer.Stables)
	w.answer.Stables = slices.Compact(w.answer.Stables)
}

func (w *responder) root(root difftree.Place, changes int) {
	n := root.Node()
	if n.Facts.Has(difftree.IsChange) && !isReordered(n) || n.Below.Secret {
		w.vague(root)
		return
	}
	var few [2 * fewEntries]path.Step
	var lengths [fewEntries]int
	t := entryPaths{few[:0], lengths[:0]}
	var long *paths
	if changes > fewEntries {
		long = longPaths.Get().(*paths) //nolint:errcheck,forcetypeassert // the pool holds nothing else
		t = entryPaths{long.steps[:0], long.lengths[:0]}
	}
	w.answer.Detailed = make([]Entry, 0, changes) // nearly always as many as that
	w.answer.Diffs = make([]string, 0, len(n.Below.Nodes))
	simple := n.Below.Kind == value.KindObject && w.opts.ReplaceOn.Len() == 0
	for i := range n.Below.Nodes {
		top := n.Below.Child(i)
		if m := top.Node(); simple && m.Below == nil && !isShifted(top) {
			// A member with nothing inside, which most changes are, where nothing replaces.
			if !m.Whole() || !protocol.Nothing(m.Old) || !protocol.Nothing(m.New) { // else a null came or went
				w.add(kindOf(m))
				t = entryPaths{append(t.steps, path.Key(m.Key)), append(t.lengths, 1)}
				w.name(top, false, true)
			}
			continue
		}
		told, replaces := false, false
		for s := top; s == top || s.In != n.Below && s.In != nil; {
			if !stopsAt(s) {
				s = s.Next()
				continue
			}
			var tells, forces bool
			t, tells, forces = w.entries(t, s)
			told, replaces = told || tells, replaces || forces
			if w.overfull(n.Below) {
				w.bounded(n.Below)
				break
			}
			s = s.NextOutside()
		}
		if w.coarse {
			break
		}
		if told {
			w.name(top, replaces, true)
		}
	}
	w.label(t)
	if long != nil {
		long.giveBack(len(t.steps))
	}
	w.finish()
}

// finish puts the entries in order, and says which of them replace.
func (w *responder) finish() {
	if len(w.answer.Diffs) == 0 {
		w.answer.Diffs = nil
	}
	if !w.answer.HasDetailed || len(w.answer.Detailed) == 0 {
		w.answer.Detailed = nil
		return
	}
	if w.mixed {
		w.merge()
	}
	if w.opts.ReplaceOn.Len() == 0 {
		return // then nothing replaces
	}
	w.force()
	w.answer.Replaces = nil
	for _, e := range w.answer.Detailed {
		first, _ := e.Path.First()
		name, ok := first.Key()
		if ok && e.Kind.IsReplace() && !slices.Contains(w.answer.Replaces[max(0, len(w.answer.Replaces)-1):], name) {
			w.answer.Replaces = append(w.answer.Replaces, name)
		}
	}
}

// stopsAt reports whether the detailed diff goes no further than s.
func stopsAt(s difftree.Place) bool {
	n := s.Node()
	return n.Below == nil || n.Below.Secret || isShifted(s) || n.Facts.Has(difftree.IsChange) && !isReordered(n)
}

// isShifted reports whether s is an element with another index on either side.
func isShifted(s difftree.Place) bool {
	n := s.Node()
	return !n.Added() && !n.Removed() && n.OldAt() != n.NewAt()
}

// isReordered reports whether nothing changed of the container itself but the order
// of its elements.
func isReordered(n *difftree.Node) bool {
	return n.Facts&(difftree.Own|difftree.OrderChanged|difftree.ValueChanged|difftree.DependenciesChanged) == difftree.Own|difftree.OrderChanged
}

// vague answers without a detailed diff, for a root that no entry can name.
func (w *responder) vague(root difftree.Place) {
	n := root.Node()
	w.answer.Changes, w.answer.HasDetailed = Some, false
	tell := !n.Secret() && (n.Below == nil || !n.Below.Secret)
	inside := []*difftree.Branch{n.Below}
	if n.Whole() {
		inside = []*difftree.Branch{children(root, n.Old), children(root, n.New)}
	}
	for _, b := range inside {
		if b == nil {
			continue
		}
		for i := range b.Nodes {
			s := b.Child(i)
			w.name(s, w.fires(s), tell)
		}
	}
	slices.Sort(w.answer.Diffs)
	slices.Sort(w.answer.Replaces)
	w.answer.Diffs = slices.Compact(w.answer.Diffs)
	w.answer.Replaces = slices.Compact(w.answer.Replaces)
}

// children makes a branch of the members of a value that came or went as a whole.
func children(root difftree.Place, v value.Value) *difftree.Branch {
	b := *root.In
	b.Nodes = []difftree.Node{{New: v, Op: difftree.OpAdd, Facts: difftree.IsChange | difftree.HasNew}}
	return b.Child(0).Expand()
}

// name records a top-level property that changed.
func (w *responder) name(s difftree.Place, replaces, tell bool) {
	if s.In.Kind != value.KindObject {
		return
	}
	name := s.Node().Key
	if len(w.opts.Stables) > 0 {
		w.changed = append(w.changed, name)
	}
	if !tell && !w.public(name) {
		return
	}
	w.answer.Diffs = append(w.answer.Diffs, name)
	if replaces {
		w.answer.Replaces = append(w.answer.Replaces, name)
	}
}

// public reports whether the caller's own patterns give the name away.
func (w *responder) public(name string) bool {
	if w.named == nil {
		w.named = firstNames(w.opts.ReplaceOn)
	}
	_, found := slices.BinarySearch(w.named, name)
	return found
}

// firstNames are the top-level names that patterns begin with, sorted; never nil.
func firstNames(patterns *path.Set) []string {
	names := []string{}
	for _, p := range patterns.Patterns() {
		for first := range p.Steps() {
			step, _ := first.Step()
			if name, ok := step.Key(); ok {
				names = append(names, name)
			}
			break
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// fires reports whether a pattern makes a change at s, or one inside it, replace.
func (w *responder) fires(s difftree.Place) bool {
	if w.opts.ReplaceOn.Len() == 0 {
		return false
	}
	return w.firesAt(s, w.state(s, s.Node().Removed()))
}

// firesAt is fires, with the State at the path of s on one side.
func (w *responder) firesAt(s difftree.Place, st path.State) bool {
	return st.Covers() || w.opts.Direction != EngineOneWay && s.Concerns(st, w.opts.Direction == ThroughElements)
}

// entries adds the entries for all that changed at s and inside it, and reports
// whether there is anything to tell, and whether that requires a replacement.
func (w *responder) entries(t entryPaths, s difftree.Place) (all entryPaths, told, replaces bool) {
	if isUnreported(s) {
		return t, false, false
	}
	n := s.Node()
	replaces = w.fires(s)
	if !isShifted(s) {
		return w.entry(t, s, n.Removed(), kindOf(n), replaces), true, replaces
	}
	before := w.firesAt(s, w.state(s, true))
	t = w.entry(t, s, true, Delete, before)
	return w.entry(t, s, false, Add, replaces), true, before || replaces
}

// isUnreported reports whether the protocol has nothing to say of a change.
func isUnreported(s difftree.Place) bool {
	n := s.Node()
	switch {
	case n.Facts.Has(difftree.Moved) && n.Whole() && n.OldAt() == n.NewAt() && n.Op == difftree.OpMove:
		return true // what stands at the index is what stood there
	case isShifted(s) && n.Whole() && !n.Facts.Has(difftree.IsChange):
		return true // another order, where that is no change of elements
	}
	return s.In.Kind == value.KindObject && n.Whole() && protocol.Nothing(n.Old) && protocol.Nothing(n.New) // a null came or went
}

// isInPlace reports whether an element is told of as where elements are compared
// index by index, so that its entries are in order and have no other at theirs.
func isInPlace(n *difftree.Node) bool {
	return n.OldAt() == n.NewAt() && n.Op != difftree.OpInsert && n.Op != difftree.OpRemove && n.Op != difftree.OpMove && !n.Facts.Has(difftree.Moved)
}

// merge sorts the entries. What stands at one place or below it becomes one
// entry; it requires a replacement when one of them does.
func (w *responder) merge() {
	all := w.answer.Detailed
	slices.SortStableFunc(all, func(a, b Entry) int { return a.Path.Compare(b.Path) })
	merged := all[:0]
	for _, e := range all {
		last := len(merged) - 1
		if last < 0 || !e.Path.HasPrefix(merged[last].Path) {
			merged = append(merged, e)
			continue
		}
		replaces := e.Kind.IsReplace() || merged[last].Kind.IsReplace()
		merged[last].Kind = Update
		if replaces {
			merged[last].Kind = UpdateReplace
		}
	}
	w.answer.Detailed = merged
}

// force makes entries replace that patterns cover, and in one direction no others.
func (w *responder) force() {
	for i := range w.answer.Detailed {
		e := &w.answer.Detailed[i]
		if w.opts.Direction == EngineOneWay && !w.coarse {
			e.Kind &^= replaceBit
		}
		if w.opts.ReplaceOn.Covers(e.Path) {
			e.Kind = e.Kind.WithReplace()
		}
	}
}

// name gives the entry its key. When its path cannot be written it becomes an
// update of the nearest place above that can be, or of the root, and false comes
// back.
func (e *Entry) name() bool {
	key, err := e.Path.PulumiKey()
	e.Key = key
	if err == nil {
		return true
	}
	step := 0
	var unwritable *path.Error
	if errors.As(err, &unwritable) {
		step = unwritable.Step
	}
	e.Path, e.Kind = e.Path.Prefix(step), e.Kind&replaceBit|Update
	e.Key, _ = e.Path.Pulumi()
	return false
}

// kindOf is that of the entry of a change, or of a container with changes inside.
func kindOf(n *difftree.Node) Kind {
	switch {
	case n.Op == difftree.OpAdd, n.Op == difftree.OpInsert, n.Op == difftree.OpUpdate && protocol.Nothing(n.Old) && !protocol.Nothing(n.New):
		return Add
	case n.Removed(), n.Op == difftree.OpUpdate && protocol.Nothing(n.New) && !protocol.Nothing(n.Old):
		return Delete
	}
	return Update
}
