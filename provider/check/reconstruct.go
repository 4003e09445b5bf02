package check

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// reconstructor makes two values that differ where entries say so. It goes down both
// sides along the paths of the entries, which are in path order, so that those below a
// place follow each other. Recursion is bounded by the depth of the values.
type reconstructor struct {
	deepest int // no path leads further down
	live    []entryPath
	aligned []path.Pattern // of arrays that are to be compared as a whole
}

type entryPath struct {
	*claim
	steps []path.Step
}

// sidePlaces are a place on the two old sides, which entries select, and on the new one.
type sidePlaces struct{ inputs, state, now sidePlace }

func (s sidePlaces) below(step path.Step) sidePlaces {
	return sidePlaces{s.inputs.below(step), s.state.below(step), s.now.below(step)}
}

// pair is what a place had before and what it has after.
type pair struct{ old, now sidePlace }

// run goes through all entries and makes the two values.
func (g *reconstructor) run(s provider.Sides) (old, now value.Value) {
	if len(g.live) == 0 {
		return value.Null(), value.Null()
	}

	at := sidePlaces{
		inputs: sidePlace{oldSide(s, true), true}, state: sidePlace{oldSide(s, false), true},
		now: sidePlace{protocol.Present(s.News), true},
	}
	all := g.visit(g.live, 0, at)
	return all.old.v, all.now.v
}

func (g *reconstructor) visit(claims []entryPath, depth int, at sidePlaces) pair {
	first := claims[0]
	old := at.state
	if first.input {
		old = at.inputs
	}
	if len(first.steps) == depth {
		return first.terminal(old, at.now)
	}
	whole := pair{old, at.now}
	switch {
	case old.none() && at.now.none():
		omit(claims, OmittedAbsent)
		return pair{}
	case old.alike(at.now):
		isArray := at.now.v.Kind() == value.KindArray
		if isArray {
			at.inputs, at.state = old, old // the lengths are those of one side
		}
		if !isArray || !g.shifted(claims, depth, whole) {
			return g.inside(claims, depth, at, old.v)
		}
	}

	if old.there && at.now.there && value.Engine.Equal(old.v, at.now.v) {
		why := OmittedAbsent
		if old.opaque() || old.v.Kind().IsContainer() {
			why = OmittedEqual
		}
		omit(claims, why)
		return pair{}
	}

	return whole
}

// inside returns both values of a container, made of the children that the claims are at
// or below.
func (g *reconstructor) inside(claims []entryPath, depth int, at sidePlaces, old value.Value) pair {
	made := children{old: old, now: at.now}
	for len(claims) > 0 {
		step, n := claims[0].steps[depth], 1
		for n < len(claims) && claims[n].steps[depth] == step {
			n++
		}
		made.add(step, g.visit(claims[:n], depth+1, at.below(step)))
		claims = claims[n:]
	}

	return made.close()
}

func omit(claims []entryPath, why Omission) {
	for _, c := range claims {
		c.fate = why
	}
}

// alike reports whether there are containers of one kind and secretness.
func (s sidePlace) alike(t sidePlace) bool {
	return s.there && t.there && s.v.Kind() == t.v.Kind() && s.v.Kind().IsContainer() && s.v.IsSecret() == t.v.IsSecret()
}

// shifted reports whether elements are said to be added or removed elsewhere than at the
// end of an array, so that indexes do not tell which is which. It notes such an array, and
// those inside its elements.
func (g *reconstructor) shifted(claims []entryPath, depth int, array pair) bool {
	if !slices.ContainsFunc(claims, func(c entryPath) bool { return len(c.steps) == depth+1 && c.shifts(depth, array) }) {
		return false
	}
	g.aligned = append(g.aligned, claims[0].path.Prefix(depth).Pattern())
	for _, c := range claims {
		inner := array
		for _, step := range c.steps[depth : len(c.steps)-1] {
			inner = pair{inner.old.below(step), inner.now.below(step)}
		}
		if len(c.steps) > depth+1 && c.path.Len() == len(c.steps) && c.shifts(len(c.steps)-1, inner) {
			g.aligned = append(g.aligned, c.path.Prefix(len(c.steps)-1).Pattern())
		}
	}

	return true
}

// shifts reports whether the claim is of an element that was added or removed, and the
// other side has another one there.
func (c entryPath) shifts(depth int, array pair) bool {
	i, isIndex := c.steps[depth].AsIndex()
	other, step := array.now, path.Index(i)
	if protocol.WithoutReplace(c.kind) == rpc.PropertyDiffAdd {
		other = array.old
	}
	return isIndex && protocol.WithoutReplace(c.kind) != rpc.PropertyDiffUpdate && array.old.below(step).there && array.now.below(step).there &&
		!other.below(step).none()
}

func (c entryPath) terminal(old, now sidePlace) pair {
	last, _ := c.path.Last()
	absent := func(s sidePlace) bool { return !s.there || (last.IsKey() && s.none()) }

	kind := protocol.WithoutReplace(c.kind)
	switch {
	case kind == rpc.PropertyDiffAdd && absent(now), kind == rpc.PropertyDiffDelete && absent(old), absent(old) && absent(now):
		c.fate = OmittedAbsent
		return pair{}
	case kind == rpc.PropertyDiffAdd && !old.none() && !old.v.ContainsSecret():
		old = sidePlace{}
	case kind == rpc.PropertyDiffDelete && !now.none() && !now.v.ContainsSecret():
		now = sidePlace{}
	case old.there && now.there && value.Engine.Equal(old.v, now.v):
		c.fate = OmittedEqual
		return pair{}
	}
	return pair{old, now}
}

// children are the members or elements of a container on both sides, as far as they are
// reported.
type children struct {
	old            value.Value
	now            sidePlace
	oldOut, newOut []value.Member
	filled         int // of an array: the elements before this one are there
}

func (s *children) add(step path.Step, child pair) {
	if !child.old.there && !child.now.there {
		return
	}
	if key, ok := step.AsKey(); ok {
		s.put(key, child)
		return
	}

	i, _ := step.AsIndex()
	s.fill(i)
	if i < min(s.old.Len(), s.now.v.Len()) {
		child.old.there, child.now.there = true, true
	}
	s.put("", child)
	s.filled = i + 1
}

func (s *children) put(key string, child pair) {
	if child.old.there {
		s.oldOut = append(s.oldOut, value.Member{Key: key, Value: child.old.v})
	}
	if child.now.there {
		s.newOut = append(s.newOut, value.Member{Key: key, Value: child.now.v})
	}
}

// fill adds the elements before element i: what no entry reports is the same on both
// sides.
func (s *children) fill(i int) {
	n, m := s.old.Len(), s.now.v.Len()
	for j := s.filled; j < i; j++ {
		same := s.now.below(path.Index(j))
		switch {
		case j < n && j < m:
			s.put("", pair{same, same})
		case j < n:
			s.put("", pair{old: sidePlace{s.old.Elem(j), true}})
		default:
			s.put("", pair{now: same})
		}
	}
}

func (s *children) close() pair {
	build := value.Object
	if s.now.v.Kind() == value.KindArray {
		build = arrayOf
	}
	old, now := build(s.oldOut...), build(s.newOut...)
	return pair{sidePlace{old.WithMarksOf(s.now.v), true}, sidePlace{now.WithMarksOf(s.now.v), true}}
}

func arrayOf(members ...value.Member) value.Value {
	elems := make([]value.Value, len(members))
	for i, m := range members {
		elems[i] = m.Value
	}
	return value.Array(elems...)
}

// options returns the options for comparing the two values.
func (g *reconstructor) options() diff.Options {
	o := diff.Options{Relation: value.Engine}
	for _, array := range g.aligned {
		o.ArrayRules = append(o.ArrayRules, diff.ArrayRule{Pattern: array, Match: diff.Aligned()})
	}
	return o
}

// Omission is the reason why a [Reading] omits an entry. The set is closed; the zero
// Omission is not a reason.
type Omission uint8

// The reasons for omitting an entry.
const (
	OmittedUnreadable Omission = iota + 1 // the key is not a path
	OmittedRoot                           // the key is empty, which names the root
	OmittedMetaKey                        // __meta and #initerror are not properties
	OmittedCovered                        // another entry is at the same place or above
	OmittedAbsent                         // the side that the kind concerns has no value there
	OmittedEqual                          // the old and the new value are equal
)

// String returns the reason in lower case, for example "no such place".
func (o Omission) String() string {
	return scan.Name(o, "shown", []string{
		OmittedUnreadable: "unreadable key", OmittedRoot: "empty key",
		OmittedMetaKey: "not a property", OmittedCovered: "inside another entry",
		OmittedAbsent: "no such place", OmittedEqual: "no difference",
	})
}

// Omitted is an entry that the Diff of a [Reading] does not show.
type Omitted struct {
	Entry int // its index in Response.Detailed
	Why   Omission
}

// Reading is a diff with values that was reconstructed from a response, to be shown or
// checked.
type Reading struct {
	// Diff is what the response reports, with the values of the sides.
	Diff diff.Diff
	// Omitted lists the entries that Diff does not show, in path order. It is empty for
	// a response without HasDetailed, whose entries do not count.
	Omitted []Omitted
	// Replacing has the places whose change forces a replacement, of which render.Options
	// makes notes: those of entries, or else those that Replaces names.
	Replacing *path.Set
}

// ReadResponse returns the diff that a response reports, with values taken from the sides. It
// works for any provider's response. It uses the Key, the Kind and the InputDiff of each
// entry, by the rules in the documentation of the package, and returns the same on every
// run.
//
// On refresh, the engine passes the state that it read as old and the recorded inputs
// as new; the inverse of this diff is then what users should see.
func ReadResponse(r provider.Response, s provider.Sides) Reading {
	r.Detailed = r.Entries()
	if len(r.Detailed) == 0 {
		return Reading{Diff: byName(r, s), Replacing: replacingIn(r)}
	}
	all := claimsOf(r, s)
	g := reconstructor{deepest: max(s.OldInputs.Depth(), s.OldState.Depth(), s.News.Depth()) + 1}
	for i, c := range all {
		if c.fate == 0 {
			g.live = append(g.live, entryPath{claim: &all[i], steps: steps(c.path, g.deepest+1)})
		}
	}

	old, now := g.run(s)
	reading := Reading{Diff: diff.Between(old, now, g.options()), Replacing: replacingIn(r)}
	for _, c := range all {
		if c.fate != 0 {
			reading.Omitted = append(reading.Omitted, Omitted{Entry: c.number, Why: c.fate})
		}
	}
	return reading
}

// replacingIn returns the places that force a replacement: those of detailed entries, or else
// those that Replaces names. Keys that cannot be read have none.
func replacingIn(r provider.Response) *path.Set {
	var all []path.Pattern
	for _, e := range r.Detailed {
		if p, err := path.ParsePulumi(e.Key); err == nil && e.Replace() && !p.IsRoot() {
			all = append(all, p.Pattern())
		}
	}
	if len(all) > 0 {
		return path.NewSet(all...)
	}

	for _, name := range r.Replaces {
		all = append(all, path.Path{}.Member(name).Pattern())
		if i := strings.IndexAny(name, ".["); i > 0 { // some providers send paths
			all = append(all, path.Path{}.Member(name[:i]).Pattern())
		}
	}
	return path.NewSet(all...)
}

func byName(r provider.Response, s provider.Sides) diff.Diff {
	if r.Changes == rpc.DiffNone || (r.Changes == rpc.DiffUnknown && len(r.Diffs) == 0) {
		return diff.Between(value.Null(), value.Null(), diff.Options{Relation: value.Engine})
	}

	old, now := oldSide(s, true), protocol.Present(s.News)
	if len(r.Diffs) > 0 {
		named := map[string]bool{}
		for _, name := range r.Diffs {
			named[name] = true
			if p, err := path.ParsePulumi(name); err == nil { // some send paths
				first, _, _ := p.Cut()
				key, _ := first.AsKey()
				named[key] = true
			}
		}
		keep := func(name string) bool { return named[name] }
		old, now = protocol.Restrict(old, keep), protocol.Restrict(now, keep)
	}
	return diff.Between(old, now, diff.Options{Relation: value.Engine})
}

func steps(p path.Path, n int) []path.Step {
	var all []path.Step
	for step := range p.Steps() {
		if len(all) == n {
			break
		}

		all = append(all, step)
	}
	return all
}
