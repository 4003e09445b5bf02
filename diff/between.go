package diff

import (
	"strings"

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
	if value.SharesMemory(old, now) {
		return d
	}
	i, j := 0, 0
	if d.rules.alike(old, now) {
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

// alike reports whether values are containers of one kind with the same marks.
func (r rules) alike(old, now value.Value) bool {
	return old.Kind() == now.Kind() && old.Kind().IsContainer() && !r.secretness(old, now) && !r.dependencies(old, now)
}

// differ finds out what differs in two values that do; they are known to agree up
// to child i of old and j of now.
func (d *Diff) differ(old, now value.Value, o *Options, i, j int, done *work) {
	var few [fewFrames]frame
	scratch := scratches.Get().(*scratch) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	crown := new(crown)
	w := walk{rules: d.rules, matches: matchesOf(*o), found: scratch.nodes[:0], slabs: slabs{freeBranches: crown.branches[:], branches: -1}}
	stack := w.pair(few[:0], &couple{old: side{old, noPrint}, now: side{now, noPrint}}, true)
	if len(stack) > 0 && stack[0].script == nil {
		stack[0].i, stack[0].j = i, j
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
	crown.root[0] = w.found[0]
	top := w.slabs.next()
	top.rules = w.rules
	top.hang(crown.root[:])
	d.top = &top.self
	d.count, d.verdict = w.count, w.rules.verdict(w.verdict)
	d.uncertain = d.uncertain || w.maybe
	if done != nil {
		*done = w.work()
	}
	scratch.giveBack(max(w.most, 1), 0)
}

// fewFrames is how deep a walk goes before its stack takes memory of its own.
const fewFrames = 6

// walk is a Between under way.
type walk struct {
	rules   rules
	matches matches
	states  []path.State // of the patterns of array rules, at the open containers
	prints  *prints      // nil until elements are matched
	found   []node       // those of the open containers that are in no branch yet
	most    int          // as many as there were of them at once
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
	script             *script // of arrays whose elements are matched
	own                facts   // what is different about the containers themselves
	guess              bool    // which elements are compared is a guess, here or above
	leaps              bool    // what is equal is passed over, and not compared one by one
	apart              bool    // of leaps: the last members differed, so the next ones may too
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
	for {
		if f.leaps {
			f.i, f.j = w.rules.relation.Agree(f.old, f.now, f.i, f.i)
		}
		if f.i >= min(n, m) {
			break
		}
		here := couple{place{oldAt: f.i, newAt: f.i}, side{f.old.Elem(f.i), f.oldPrint}, side{f.now.Elem(f.i), f.newPrint}}
		f.i++
		f.oldPrint, f.newPrint = w.prints.beyond(f.oldPrint), w.prints.beyond(f.newPrint)
		if deeper := w.pair(stack, &here, f.leaps); len(deeper) > len(stack) {
			return deeper
		}
	}
	for ; f.i < n; f.i++ {
		w.change(f, &place{oldAt: f.i, newAt: f.i}, OpDelete, hasOld|valueChanged, value.Changed).old = f.old.Elem(f.i)
	}
	for ; f.i < m; f.i++ {
		w.change(f, &place{oldAt: f.i, newAt: f.i}, OpAdd, hasNew|valueChanged, value.Changed).new = f.now.Elem(f.i)
	}
	return w.close(stack)
}

// members goes on in two objects, up to a pair of containers or to the end. What
// differs tends to stand side by side, so that equal members are only looked for
// behind a pair that is equal.
func (w *walk) members(stack []frame) []frame {
	f := &stack[len(stack)-1]
	before, after := f.old.Children(), f.now.Children()
	for {
		known := f.leaps && !f.apart
		if known {
			f.i, f.j = w.rules.relation.Agree(f.old, f.now, f.i, f.j)
			f.apart = true
		}
		inOld, inNow := f.i < before.Len(), f.j < after.Len()
		if !inOld && !inNow {
			return w.close(stack)
		}
		oldKey, old := before.At(f.i)
		newKey, now := after.At(f.j)
		if inOld && inNow {
			order := strings.Compare(oldKey, newKey)
			inOld, inNow = order <= 0, order >= 0
		}
		here := couple{place: place{key: newKey}, old: side{old, f.oldPrint}, now: side{now, f.newPrint}}
		if inNow {
			f.j++
			f.newPrint = w.prints.beyond(f.newPrint)
		}
		if inOld {
			here.key = oldKey
			f.i++
			f.oldPrint = w.prints.beyond(f.oldPrint)
		}
		noOld := !inOld || old.IsNull() && w.rules.absent(old, f.old.IsSecret())
		noNew := !inNow || now.IsNull() && w.rules.absent(now, f.now.IsSecret())
		if noOld || noNew {
			w.oneSide(f, &here, inOld, inNow, noOld, noNew)
			continue
		}
		count := w.count
		if deeper := w.pair(stack, &here, known); len(deeper) > len(stack) {
			return deeper
		}
		f.apart = w.count > count
	}
}

// oneSide deals with a member that is missing on a side, or counts as missing
// there. A null that counts as missing is kept as the other side of the change.
func (w *walk) oneSide(f *frame, here *couple, inOld, inNow, noOld, noNew bool) {
	op, one := OpAdd, &here.now
	switch {
	case noOld && noNew:
		return
	case noNew:
		op, one = OpDelete, &here.old
	}
	verdict := value.Changed
	if !bare(one.Value) {
		verdict = w.rules.relation.Alone(one.Value)
	}
	n := w.change(f, &here.place, op, valueChanged, verdict)
	if inOld {
		n.old = here.old.Value
		n.facts |= hasOld
	}
	if inNow {
		n.new = here.now.Value
		n.facts |= hasNew
	}
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
		w.same(above, here)
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !w.rules.secretness(old.Value, now.Value):
		return w.enter(stack, here)
	case !known && w.rules.relation.Equal(old.Value, now.Value):
		w.same(above, here)
	default:
		facts, verdict := w.rules.update(old.Value, now.Value)
		n := w.change(above, &here.place, OpUpdate, facts, verdict)
		n.old, n.new = old.Value, now.Value
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
			w.rules.relation.Equal(old.Value, now.Value)
	}
	return powerOfTwo(old.Depth()) && w.rules.relation.Equal(old.Value, now.Value)
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
	if w.rules.dependencies(old.Value, now.Value) {
		f.own |= dependenciesChanged
	}
	if w.matches.set != nil {
		st := w.matches.set.Start()
		if depth := len(stack); depth > 0 {
			st = w.states[depth-1].Step(here.step(stack[depth-1].old.Kind()))
		}
		w.states = append(w.states[:len(stack)], st)
	}
	if old.Kind() == value.KindArray {
		w.match(&f, len(stack), *old, *now)
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
func (w *walk) same(above *frame, here *couple) {
	if !here.moved {
		return
	}
	var n *node
	if above.script.unordered {
		n = w.put(&here.place)
		n.op, n.facts, n.verdict = OpMove, n.facts|hasOld|hasNew, value.Changed
	} else {
		n = w.change(above, &here.place, OpMove, hasOld|hasNew, value.Changed)
	}
	n.old, n.new = here.old.Value, here.now.Value
}

// update is the change of one value into another, as a whole: its facts and its
// verdict.
func (r rules) update(old, now value.Value) (facts, value.Verdict) {
	if bare(old) && bare(now) {
		return hasOld | hasNew | valueChanged, value.Changed
	}
	f := hasOld | hasNew
	if r.secretness(old, now) {
		f |= secretChanged
	}
	if r.dependencies(old, now) {
		f |= dependenciesChanged
	}
	if !f.has(secretChanged|dependenciesChanged) || r.contents(old, now) {
		f |= valueChanged
	}
	return f, r.relation.Compatible(old, now)
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

// change records a change in a container; the root is in none. Its sides are for
// the caller to set.
func (w *walk) change(above *frame, at *place, op Op, f facts, verdict value.Verdict) *node {
	if above != nil && above.guess {
		verdict = value.Maybe
	}
	w.count++
	w.verdict = max(w.verdict, verdict)
	w.maybe = w.maybe || verdict == value.Maybe
	n := w.put(at)
	n.op, n.facts, n.verdict = op, n.facts|f|isChange, w.rules.verdict(verdict)
	return n
}

// put records a node.
func (w *walk) put(at *place) *node {
	w.found = append(w.found, node{key: at.key, oldAt: at.oldAt, newAt: at.newAt})
	n := &w.found[len(w.found)-1]
	if at.moved {
		n.facts = moved
	}
	return n
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
		w.same(above, &couple{place: f.at, old: side{Value: f.old}, now: side{Value: f.now}})
		return stack
	}
	var below *branch
	if len(inside) > 0 {
		below = w.branch(inside, f)
		w.most = max(w.most, len(w.found))
		w.found = w.found[:f.base]
	}
	var op Op
	switch {
	case f.at.moved && !above.script.unordered:
		op = OpMove
	case f.own != 0:
		op = OpUpdate
	default:
		w.put(&f.at).below = below
		return stack
	}
	verdict := value.Changed
	if f.guess && f.own == orderChanged {
		verdict = value.Maybe
	}
	n := w.change(above, &f.at, op, hasOld|hasNew|f.own|own, verdict)
	n.old, n.new, n.below = f.old, f.now, below
	return stack
}

func (w *walk) branch(inside []node, f *frame) *branch {
	b := w.slabs.next()
	b.kind, b.rules, b.secret = f.old.Kind(), w.rules, f.old.IsSecret() || f.now.IsSecret()
	if b.kind == value.KindArray {
		b.oldLen, b.newLen = f.old.Len(), f.now.Len()
		b.unordered = f.script != nil && f.script.unordered
	}
	nodes := w.slabs.nodes(len(inside))
	copy(nodes, inside)
	b.hang(nodes)
	return b
}
