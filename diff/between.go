package diff

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Between returns what changed from one value to another: objects by key, arrays
// as o says, index by index unless told otherwise. It does not look into what
// the values share, and allocates nothing when nothing differs. Time is at most
// linear in the size of the values, times the logarithm of their depth or, where
// elements are matched, of their number.
func Between(old, now value.Value, o Options) Diff { return between(old, now, o, nil) }

// between also counts its work, if asked to.
func between(old, now value.Value, o Options, done *work) Diff {
	d := Diff{
		rules:     rules{relation: o.Relation, unknowns: o.Unknowns},
		uncertain: old.ContainsUnknown() || now.ContainsUnknown(),
	}
	if o.Relation.Equal(old, now) {
		return d
	}
	w := walk{rules: d.rules, matches: matchesOf(o)}
	var few [fewFrames]frame
	stack := w.pair(few[:0], place{}, side{old, noPrint}, side{now, noPrint})
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
	d.top = &w.branch(w.found, &frame{}).self
	d.count, d.verdict = w.count, w.rules.verdict(w.verdict)
	d.uncertain = d.uncertain || w.maybe
	if done != nil {
		*done = w.work()
	}
	return d
}

// fewFrames is how deep a walk goes before its stack takes memory of its own.
const fewFrames = 16

// walk is a Between under way.
type walk struct {
	rules   rules
	matches matches
	states  []path.State // of the patterns of array rules, at the open containers
	prints  *prints      // nil until elements are matched
	found   []node       // those of the open containers that are in no branch yet
	count   int
	verdict value.Verdict
	maybe   bool
	slabs   slabs
	visited int // pairs
}

// side is a part of a value, and the place of its print.
type side struct {
	value.Value
	print int
}

// frame is a pair of containers of one kind that is being walked.
type frame struct {
	old, now value.Value
	i, j     int // the next child, of an array compared by index (i for both), or of old and of now
	base     int // the container's differing children are found[base:]
	// The places of the prints of the next children, if there are any.
	oldPrint, newPrint int
	at                 place
	script             *script // of arrays whose elements are matched
	own                facts   // what is different about the containers themselves
	guess              bool    // which elements are compared is a guess, here or above
}

// place is where a pair stands in its container.
type place struct {
	key          string
	oldAt, newAt int
	moved        bool
}

// elements goes on in two arrays, up to a pair of containers or to the end.
func (w *walk) elements(stack []frame) []frame {
	f := &stack[len(stack)-1]
	n, m := f.old.Len(), f.now.Len()
	for f.i < n && f.i < m {
		at := place{oldAt: f.i, newAt: f.i}
		old, now := side{f.old.Elem(f.i), f.oldPrint}, side{f.now.Elem(f.i), f.newPrint}
		f.i++
		f.oldPrint, f.newPrint = w.prints.beyond(f.oldPrint), w.prints.beyond(f.newPrint)
		if deeper := w.pair(stack, at, old, now); len(deeper) > len(stack) {
			return deeper
		}
	}
	for ; f.i < n; f.i++ {
		w.add(f, place{oldAt: f.i, newAt: f.i}, node{old: f.old.Elem(f.i), op: OpDelete, facts: hasOld | valueChanged, verdict: value.Changed})
	}
	for ; f.i < m; f.i++ {
		w.add(f, place{oldAt: f.i, newAt: f.i}, node{new: f.now.Elem(f.i), op: OpAdd, facts: hasNew | valueChanged, verdict: value.Changed})
	}
	return w.close(stack)
}

// members goes on in two objects, up to a pair of containers or to the end.
func (w *walk) members(stack []frame) []frame {
	f := &stack[len(stack)-1]
	for {
		oldKey, old, inOld := f.old.MemberAt(f.i)
		newKey, now, inNow := f.now.MemberAt(f.j)
		if !inOld && !inNow {
			return w.close(stack)
		}
		inOld, inNow = inOld && (!inNow || oldKey <= newKey), inNow && (!inOld || newKey <= oldKey)
		before, after := side{old, f.oldPrint}, side{now, f.newPrint}
		at := place{key: newKey}
		if inNow {
			f.j++
			f.newPrint = w.prints.beyond(f.newPrint)
		}
		if inOld {
			at.key = oldKey
			f.i++
			f.oldPrint = w.prints.beyond(f.oldPrint)
		}
		if w.oneSide(f, at, old, inOld, now, inNow) {
			continue
		}
		if deeper := w.pair(stack, at, before, after); len(deeper) > len(stack) {
			return deeper
		}
	}
}

// oneSide deals with a member that is missing on a side, or counts as missing
// there, and reports whether it is. A null that counts as missing is kept as the
// other side of the change.
func (w *walk) oneSide(f *frame, at place, old value.Value, inOld bool, now value.Value, inNow bool) bool {
	noOld := !inOld || w.rules.absent(old, f.old.IsSecret())
	noNew := !inNow || w.rules.absent(now, f.now.IsSecret())
	if !noOld && !noNew {
		return false
	}
	if noOld && noNew {
		return true
	}
	n := node{facts: valueChanged}
	if inOld {
		n.old = old
		n.facts |= hasOld
	}
	if inNow {
		n.new = now
		n.facts |= hasNew
	}
	if noOld {
		n.op, n.verdict = OpAdd, w.rules.relation.Alone(now)
	} else {
		n.op, n.verdict = OpDelete, w.rules.relation.Alone(old)
	}
	w.add(f, at, n)
	return true
}

// pair compares two values that are both there. Two containers that are to be
// walked are put on the stack.
func (w *walk) pair(stack []frame, at place, old, now side) []frame {
	w.visited++
	var above *frame
	if len(stack) > 0 {
		above = &stack[len(stack)-1]
	}
	switch {
	case value.SharesMemory(old.Value, now.Value) || w.equal(stack, old, now):
		w.same(above, at, old.Value, now.Value)
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !w.rules.secretness(old.Value, now.Value):
		return w.enter(stack, at, old, now)
	case w.rules.relation.Equal(old.Value, now.Value):
		w.same(above, at, old.Value, now.Value)
	default:
		w.add(above, at, w.update(old.Value, now.Value))
	}
	return stack
}

// equal reports whether containers are known to be equal before they are walked,
// since to find that out is several times cheaper than to walk them. Prints tell
// it. Without them it is asked only where the depth below is a power of two,
// and so of no part more often than the depth has bits.
func (w *walk) equal(stack []frame, old, now side) bool {
	if !old.Kind().IsContainer() || len(stack) == 0 {
		return false
	}
	if old.print != noPrint {
		return w.prints.all[old.print].sum == w.prints.all[now.print].sum &&
			w.rules.relation.Equal(old.Value, now.Value)
	}
	d := old.Depth()
	return d&(d-1) == 0 && w.rules.relation.Equal(old.Value, now.Value)
}

// enter puts two containers on the stack.
func (w *walk) enter(stack []frame, at place, old, now side) []frame {
	f := frame{
		old: old.Value, now: now.Value, base: len(w.found), at: at,
		oldPrint: w.prints.within(old.print), newPrint: w.prints.within(now.print),
	}
	if len(stack) > 0 {
		f.guess = stack[len(stack)-1].guess
	}
	if w.rules.dependencies(old.Value, now.Value) {
		f.own |= dependenciesChanged
	}
	if w.matches.set != nil {
		st := w.matches.set.Start()
		if depth := len(stack); depth > 0 {
			st = w.states[depth-1].Step(at.step(stack[depth-1].old.Kind()))
		}
		w.states = append(w.states[:len(stack)], st)
	}
	if old.Kind() == value.KindArray {
		w.match(&f, len(stack), old, now)
	}
	return append(stack, f)
}

func (p place) step(kind value.Kind) path.Step {
	if kind == value.KindObject {
		return path.Key(p.key)
	}
	return path.Index(p.newAt)
}

// same deals with two equal values, of which there is something to tell only
// when they are an element that moved.
func (w *walk) same(above *frame, at place, old, now value.Value) {
	if !at.moved {
		return
	}
	n := node{old: old, new: now, op: OpMove, facts: hasOld | hasNew, verdict: value.Changed}
	if above.script.unordered {
		w.put(at, n)
		return
	}
	w.add(above, at, n)
}

// update is the change of one value into another, as a whole.
func (w *walk) update(old, now value.Value) node {
	n := node{old: old, new: now, op: OpUpdate, facts: hasOld | hasNew, verdict: w.rules.relation.Compatible(old, now)}
	if w.rules.secretness(old, now) {
		n.facts |= secretChanged
	}
	if w.rules.dependencies(old, now) {
		n.facts |= dependenciesChanged
	}
	if !n.facts.has(secretChanged|dependenciesChanged) || w.rules.contents(old, now) {
		n.facts |= valueChanged
	}
	return n
}

// add records a change in a container; the root is in none.
func (w *walk) add(above *frame, at place, n node) {
	if above != nil && above.guess {
		n.verdict = value.Maybe
	}
	n.facts |= isChange
	w.count++
	w.verdict = max(w.verdict, n.verdict)
	w.maybe = w.maybe || n.verdict == value.Maybe
	n.verdict = w.rules.verdict(n.verdict)
	w.put(at, n)
}

// put records a node.
func (w *walk) put(at place, n node) {
	n.key, n.oldAt, n.newAt = at.key, at.oldAt, at.newAt
	if at.moved {
		n.facts |= moved
	}
	if w.found == nil {
		w.found = make([]node, 0, 8)
	}
	w.found = append(w.found, n)
}

// close takes a finished pair of containers off the stack. What differs inside
// becomes a branch of a node for the container.
func (w *walk) close(stack []frame) []frame {
	f := stack[len(stack)-1]
	stack = stack[:len(stack)-1]
	var above *frame
	if len(stack) > 0 {
		above = &stack[len(stack)-1]
	}
	inside := w.found[f.base:]
	if len(inside) == 0 && f.own == 0 {
		// Equal after all, though that was not seen before.
		w.same(above, f.at, f.old, f.now)
		return stack
	}
	var n node
	if len(inside) > 0 {
		n.below = w.branch(inside, &f)
		w.found = w.found[:f.base]
	}
	mustTell := f.own != 0
	switch {
	case f.at.moved && !above.script.unordered:
		n.op, mustTell = OpMove, true
	case mustTell:
		n.op = OpUpdate
	}
	if !mustTell {
		w.put(f.at, n)
		return stack
	}
	n.old, n.new, n.verdict = f.old, f.now, value.Changed
	n.facts = hasOld | hasNew | f.own | own
	if f.guess && f.own == orderChanged {
		n.verdict = value.Maybe
	}
	w.add(above, f.at, n)
	return stack
}

func (w *walk) branch(inside []node, f *frame) *branch {
	b := w.slabs.branch(branch{kind: f.old.Kind(), rules: w.rules, secret: f.old.IsSecret() || f.now.IsSecret()})
	if b.kind == value.KindArray {
		b.oldLen, b.newLen = f.old.Len(), f.now.Len()
		b.unordered = f.script != nil && f.script.unordered
	}
	nodes := w.slabs.nodes(len(inside))
	copy(nodes, inside)
	b.hang(nodes)
	return b
}
