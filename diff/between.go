package diff

import (
	"strings"

	"github.com/propalg/propalg/value"
)

// Between returns what changed from one value to another: arrays index by index
// with tails added or deleted, objects by key. It does not look into what the
// values share, and allocates nothing when nothing differs. Time is at most
// linear in the size of the values, times the logarithm of their depth.
func Between(old, now value.Value, o Options) Diff {
	d := Diff{
		rules:     rules{relation: o.Relation, unknowns: o.Unknowns},
		uncertain: old.ContainsUnknown() || now.ContainsUnknown(),
	}
	if o.Relation.Equal(old, now) {
		return d
	}
	w := walk{rules: d.rules}
	var few [fewFrames]frame
	stack := w.pair(few[:0], place{}, old, now)
	for len(stack) > 0 {
		if stack[len(stack)-1].old.Kind() == value.KindArray {
			stack = w.elements(stack)
		} else {
			stack = w.members(stack)
		}
	}
	d.top = &w.branch(w.found, &frame{}).self
	d.count, d.verdict = w.count, w.rules.verdict(w.verdict)
	d.uncertain = d.uncertain || w.maybe
	return d
}

// fewFrames is how deep a walk goes before its stack takes memory of its own.
const fewFrames = 16

// walk is a Between under way.
type walk struct {
	rules   rules
	found   []node // those of the open containers that are in no branch yet
	count   int
	verdict value.Verdict
	maybe   bool
	slabs   slabs
}

// frame is a pair of containers of one kind that is being walked.
type frame struct {
	old, now value.Value
	i, j     int  // the next child, of an array (i for both) or of old and of now
	base     int  // the container's differing children are found[base:]
	marks    bool // the dependencies of the containers differ
}

// place is where a pair stands in its container.
type place struct {
	key   string
	index int
}

// last is the place of the pair that was taken up last.
func (f *frame) last() place {
	if f.old.Kind() == value.KindArray {
		return place{index: f.i - 1}
	}
	key, _, _ := f.old.MemberAt(f.i - 1)
	return place{key: key}
}

// elements goes on in two arrays, up to a pair of containers or to the end.
func (w *walk) elements(stack []frame) []frame {
	f := &stack[len(stack)-1]
	n, m := f.old.Len(), f.now.Len()
	for f.i < n && f.i < m {
		f.i++
		if deeper := w.pair(stack, place{index: f.i - 1}, f.old.Elem(f.i-1), f.now.Elem(f.i-1)); len(deeper) > len(stack) {
			return deeper
		}
	}
	for ; f.i < n; f.i++ {
		w.add(place{index: f.i}, node{old: f.old.Elem(f.i), op: OpDelete, facts: hasOld | valueChanged, verdict: value.Changed})
	}
	for ; f.i < m; f.i++ {
		w.add(place{index: f.i}, node{new: f.now.Elem(f.i), op: OpAdd, facts: hasNew | valueChanged, verdict: value.Changed})
	}
	return w.close(stack)
}

// members goes on in two objects, up to a pair of containers or to the end.
func (w *walk) members(stack []frame) []frame {
	f := &stack[len(stack)-1]
	for {
		oldKey, old, inOld := f.old.MemberAt(f.i)
		newKey, now, inNow := f.now.MemberAt(f.j)
		switch side := strings.Compare(oldKey, newKey); {
		case !inOld && !inNow:
			return w.close(stack)
		case !inNow || inOld && side < 0:
			f.i++
			w.oneSide(f, place{key: oldKey}, old, true, value.Value{}, false)
		case !inOld || side > 0:
			f.j++
			w.oneSide(f, place{key: newKey}, value.Value{}, false, now, true)
		default:
			f.i++
			f.j++
			if w.oneSide(f, place{key: oldKey}, old, true, now, true) {
				continue
			}
			if deeper := w.pair(stack, place{key: oldKey}, old, now); len(deeper) > len(stack) {
				return deeper
			}
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
	n := node{old: old, new: now, facts: valueChanged}
	if inOld {
		n.facts |= hasOld
	}
	if inNow {
		n.facts |= hasNew
	}
	if noOld {
		n.op, n.verdict = OpAdd, w.rules.relation.Alone(now)
	} else {
		n.op, n.verdict = OpDelete, w.rules.relation.Alone(old)
	}
	w.add(at, n)
	return true
}

// pair compares two values that are both there. Two containers that are to be
// walked are put on the stack.
func (w *walk) pair(stack []frame, at place, old, now value.Value) []frame {
	switch {
	case value.SharesMemory(old, now):
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !w.rules.secretness(old, now):
		// To find out that containers are equal is several times cheaper than to
		// walk them. Asked only where the depth below is a power of two, it is
		// asked of no part more often than the depth has bits.
		if d := old.Depth(); d&(d-1) == 0 && len(stack) > 0 && w.rules.relation.Equal(old, now) {
			break
		}
		return append(stack, frame{old: old, now: now, base: len(w.found), marks: w.rules.dependencies(old, now)})
	case !w.rules.relation.Equal(old, now):
		w.add(at, w.update(old, now))
	}
	return stack
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

// add records a change.
func (w *walk) add(at place, n node) {
	n.facts |= isChange
	w.count++
	w.verdict = max(w.verdict, n.verdict)
	w.maybe = w.maybe || n.verdict == value.Maybe
	n.verdict = w.rules.verdict(n.verdict)
	w.put(at, n)
}

// put records a node.
func (w *walk) put(at place, n node) {
	n.key, n.oldAt, n.newAt = at.key, at.index, at.index
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
	inside := w.found[f.base:]
	if len(inside) == 0 && !f.marks {
		return stack
	}
	var n node
	if len(inside) > 0 {
		n.below = w.branch(inside, &f)
		w.found = w.found[:f.base]
	}
	at := place{}
	if len(stack) > 0 {
		at = stack[len(stack)-1].last()
	}
	if !f.marks {
		w.put(at, n)
		return stack
	}
	n.old, n.new, n.op, n.verdict = f.old, f.now, OpUpdate, value.Changed
	n.facts = hasOld | hasNew | dependenciesChanged | marksOnly
	w.add(at, n)
	return stack
}

func (w *walk) branch(inside []node, f *frame) *branch {
	b := w.slabs.branch(branch{kind: f.old.Kind(), rules: w.rules, secret: f.old.IsSecret() || f.now.IsSecret()})
	if b.kind == value.KindArray {
		b.oldLen, b.newLen = f.old.Len(), f.now.Len()
	}
	nodes := w.slabs.nodes(len(inside))
	copy(nodes, inside)
	b.hang(nodes)
	return b
}
