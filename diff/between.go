package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Between returns the changes from one value to another.
//
// Objects are compared by key, arrays as o says; the default is index by index. Memory
// that both values share is not examined. Nothing is allocated if nothing differs. The
// time is at most linear in the size of the values, times the logarithm of their depth
// or, if elements are matched, of their number.
func Between(old, now value.Value, o Options) Diff { return between(old, now, o, nil) }

// between also counts its work, if asked to.
func between(old, now value.Value, o Options, done *work) Diff {
	d := Diff{
		rules:     o.rules(),
		uncertain: old.ContainsUnknown() || now.ContainsUnknown(),
	}
	if value.SharesMemory(old, now) {
		return d
	}
	i, j := 0, 0
	if alikeUnder(d.rules, old, now) {
		// Two containers are passed over up to what differs in them, and the walk
		// goes on from there.
		i, j = o.Relation.Agree(old, now, 0, 0)
		if i == old.Len() && j == now.Len() {
			return d
		}
	} else if o.Relation.Equal(old, now) {
		return d
	}
	d.differ(old, now, &o, i, j, done)
	return d
}

// alikeUnder reports whether values are containers of one kind with the same marks.
func alikeUnder(r difftree.Rules, old, now value.Value) bool {
	return old.Kind() == now.Kind() && old.Kind().IsContainer() && !r.SecretsDiffer(old, now) && !r.DependenciesDiffer(old, now)
}

// differ finds out what differs in two values that do; they are known to agree up
// to child i of old and j of now.
func (d *Diff) differ(old, now value.Value, o *Options, i, j int, done *work) {
	var few [fewFrames]frame
	scratch := scratches.Get().(*scratch) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	w := walk{
		rules: d.rules, matches: matchesOf(*o), found: scratch.open[:0],
		limbs: treeBuilder{rules: d.rules, pending: scratch.pending[:0], records: scratch.records[:0]},
	}
	stack := w.pair(few[:0], &couple{old: side{old, noPrint}, now: side{now, noPrint}}, true)
	if len(stack) > 0 && stack[0].script == nil {
		stack[0].i, stack[0].j, stack[0].near = i, j, nearby
	}
	for len(stack) > 0 {
		switch f := &stack[len(stack)-1]; {
		case f.script != nil:
			stack = w.matched(stack)
		case f.old.Kind() == value.KindArray:
			stack = w.elements(stack)
		default:
			stack = w.members(stack)
		}
	}
	root := len(w.found) - 1
	d.top = veil.Hide(w.limbs.tree(&w.found[root], pendingBranch{old, now, root, w.unordered}, w.found[:root]))
	d.count, d.verdict = w.count, w.rules.ResultOf(w.verdict)
	d.uncertain = d.uncertain || w.maybe
	if done != nil {
		*done = w.work()
	}
	scratches.Put(scratch)
}

// fewFrames is how deep a walk goes before its stack takes memory of its own.
const fewFrames = 6

// walk is a Between under way.
type walk struct {
	rules     difftree.Rules
	matches   matches
	states    []path.State // of the patterns of array rules, at the open containers
	prints    *prints      // nil until elements are matched
	found     []record     // of the open containers
	limbs     treeBuilder  // those that are closed
	unordered bool         // of the root: see branch
	count     int
	verdict   value.Verdict
	maybe     bool
	visited   int // pairs
}

// side is a part of a value, and the place of its print.
type side struct {
	value.Value
	print int
}

// couple is a pair, and the place where it stands.
type couple struct {
	place
	old, now side
}

// frame is a pair of containers of one kind that is being walked.
type frame struct {
	old, now value.Value
	i, j     int // the next child, of an array compared by index (i for both), or of old and of now
	base     int // the container's differing children are found[base:]
	// The places of the prints of the next children, if there are any.
	oldPrint, newPrint int
	at                 place
	script             *script        // of arrays whose elements are matched
	own                difftree.Facts // what is different about the containers themselves
	guess              bool           // which elements are compared is a guess, here or above
	leaps              bool           // what is equal is passed over, and not compared one by one
	near               uint8          // of leaps: so many of the next members are compared one by one
}

// place is where a pair stands in its containers.
type place struct {
	oldAt, newAt int
	moved        bool
}

// pair compares two values that are both there, or that are known to differ. Two
// containers that are to be walked are put on the stack.
func (w *walk) pair(stack []frame, here *couple, known bool) []frame {
	w.visited++
	var above *frame
	if len(stack) > 0 {
		above = &stack[len(stack)-1]
	}
	old, now := &here.old, &here.now
	switch {
	case !known && (value.SharesMemory(old.Value, now.Value) || w.equal(stack, old, now)):
		w.same(above, here.place)
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !w.rules.SecretsDiffer(old.Value, now.Value):
		return w.enter(stack, here)
	case !known && w.rules.Relation.Equal(old.Value, now.Value):
		w.same(above, here.place)
	default:
		facts, verdict := updateFacts(w.rules, old.Value, now.Value)
		w.change(above, here.place, difftree.OpUpdate, facts, verdict)
	}
	return stack
}

// equal reports whether containers are known to be equal before they are walked,
// since to find that out is several times cheaper than to walk them. Prints tell
// it. Without them it is asked only where the depth below is a power of two,
// and so of no part more often than the depth has bits.
func (w *walk) equal(stack []frame, old, now *side) bool {
	if !old.Kind().IsContainer() || len(stack) == 0 {
		return false
	}
	if old.print != noPrint {
		return w.prints.all[old.print].sum == w.prints.all[now.print].sum &&
			w.rules.Relation.Equal(old.Value, now.Value)
	}
	return powerOfTwo(old.Depth()) && w.rules.Relation.Equal(old.Value, now.Value)
}

func powerOfTwo(n int) bool { return n&(n-1) == 0 }

// leapDepth is how deep containers are whose walk passes over what is equal in
// them, all in one go. Of deeper ones only those do whose depth is a power of two:
// what is in them is compared again once the walk gets there.
const leapDepth = 4

// enter puts two containers on the stack.
func (w *walk) enter(stack []frame, here *couple) []frame {
	old, now := &here.old, &here.now
	f := frame{
		old: old.Value, now: now.Value, base: len(w.found), at: here.place,
		oldPrint: w.prints.within(old.print), newPrint: w.prints.within(now.print),
	}
	depth := old.Depth()
	f.leaps = old.print == noPrint && (depth <= leapDepth || powerOfTwo(depth) || len(stack) == 0)
	if len(stack) > 0 {
		f.guess = stack[len(stack)-1].guess
	}
	if w.rules.DependenciesDiffer(old.Value, now.Value) {
		f.own |= difftree.DependenciesChanged
	}
	if w.matches.set != nil {
		st := w.matches.set.Start()
		if depth := len(stack); depth > 0 {
			st = w.states[depth-1].Step(stack[depth-1].step(here.place))
		}
		w.states = append(w.states[:len(stack)], st)
	}
	if old.Kind() == value.KindArray {
		w.match(&f, len(stack), *old, *now)
	}
	return append(stack, f)
}

// step is the step to a pair in the containers.
func (f *frame) step(at place) path.Step {
	if f.old.Kind() == value.KindObject {
		key, _, _ := f.now.MemberAt(at.newAt)
		return path.Key(key)
	}
	return path.Index(at.newAt)
}

// same deals with two equal values, of which there is something to tell only
// when they are an element that moved.
func (w *walk) same(above *frame, at place) {
	switch {
	case !at.moved:
	case above.script.unordered:
		r := w.put(at)
		r.op, r.facts, r.verdict = difftree.OpMove, r.facts|difftree.HasOld|difftree.HasNew, value.Changed
	default:
		w.change(above, at, difftree.OpMove, difftree.HasOld|difftree.HasNew, value.Changed)
	}
}

// updateFacts is the change of one value into another, as a whole: its facts and its
// verdict.
func updateFacts(r difftree.Rules, old, now value.Value) (difftree.Facts, value.Verdict) {
	if bare(old) && bare(now) {
		return difftree.HasOld | difftree.HasNew | difftree.ValueChanged, value.Changed
	}
	f := difftree.HasOld | difftree.HasNew
	if r.SecretsDiffer(old, now) {
		f |= difftree.SecretChanged
	}
	if r.DependenciesDiffer(old, now) {
		f |= difftree.DependenciesChanged
	}
	if !f.Has(difftree.SecretChanged|difftree.DependenciesChanged) || r.ContentsDiffer(old, now) {
		f |= difftree.ValueChanged
	}
	return f, r.Relation.Compatible(old, now)
}

// bare reports whether a value is a scalar without marks: another such one that
// is not equal to it has surely changed.
func bare(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString:
		return !v.IsSecret() && !v.HasDependencies()
	case value.KindArray, value.KindObject, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	return false
}

// change records a change in a container; the root is in none. Of what sides it has
// values the facts say.
func (w *walk) change(above *frame, at place, op difftree.Op, f difftree.Facts, verdict value.Verdict) *record {
	if above != nil && above.guess {
		verdict = value.Maybe
	}
	w.count++
	w.verdict = max(w.verdict, verdict)
	w.maybe = w.maybe || verdict == value.Maybe
	r := w.put(at)
	r.op, r.facts, r.verdict = op, r.facts|f|difftree.IsChange, w.rules.ResultOf(verdict)
	return r
}

// put records a pair.
func (w *walk) put(at place) *record {
	w.found = append(w.found, record{oldAt: at.oldAt, newAt: at.newAt})
	r := &w.found[len(w.found)-1]
	if at.moved {
		r.facts = difftree.Moved
	}
	return r
}

// close takes a finished pair of containers off the stack. What differs inside
// becomes a branch of a node for the container.
func (w *walk) close(stack []frame) []frame {
	f := &stack[len(stack)-1]
	stack = stack[:len(stack)-1]
	var above *frame
	if len(stack) > 0 {
		above = &stack[len(stack)-1]
	}
	inside := w.found[f.base:]
	if len(inside) == 0 && f.own == 0 {
		// Equal after all, though that was not seen before.
		w.same(above, f.at)
		return stack
	}
	below := 0
	switch {
	case above == nil: // what is inside the root is left where it is
		w.unordered = f.script != nil && f.script.unordered
	case len(inside) > 0:
		below = w.limbs.add(inside, f.old, f.now, f.script != nil && f.script.unordered)
		w.found = w.found[:f.base]
	}
	var op difftree.Op
	switch {
	case f.at.moved && !above.script.unordered:
		op = difftree.OpMove
	case f.own != 0:
		op = difftree.OpUpdate
	default:
		w.put(f.at).below = below
		return stack
	}
	verdict := value.Changed
	if f.guess && f.own == difftree.OrderChanged {
		verdict = value.Maybe
	}
	w.change(above, f.at, op, difftree.HasOld|difftree.HasNew|f.own|difftree.Own, verdict).below = below
	return stack
}
