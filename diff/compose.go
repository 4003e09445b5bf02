package diff

import (
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Compose returns the diff that does what first does and then what second does:
// Apply(v, Compose(first, second)) equals Apply(Apply(v, first), second) under
// their Relation. What second takes back is not in it: Compose(d, d.Invert()) is
// empty. The empty diff is the unit. It needs the diffs only, no value.
//
// A value that came by one and was changed by the other came as it is in the
// end, one that was changed and then went had the value of the beginning, and so
// on. Where one of them replaces a whole value, inside which the other one
// changes something, the result replaces it too. How elements were matched by
// either diff decides which elements of the first array are which of the last
// one; where that was a guess the verdict stays [value.Maybe].
//
// The error is an [*Error] that wraps [ErrFit]: the diffs are under different
// Relations, or second does not start from what first leaves, as far as they
// tell. Time is linear in what they hold and in the width of containers that
// either replaces, times a logarithm for elements that came, went or moved; it
// does not depend on the length of arrays.
func Compose(first, second Diff) (Diff, error) { return composed(first, second, false) }

// composed is Compose. That elements are rebuilt means that those that first
// takes and those that second brings between the same neighbours are the same
// ones, if they are as many.
func composed(first, second Diff, rebuilt bool) (Diff, error) {
	uncertain := first.uncertain || second.uncertain
	switch {
	case first.Empty() && second.Empty():
		r := rules{first.rules.relation | second.rules.relation, max(first.rules.unknowns, second.rules.unknowns)}
		return Diff{rules: r, uncertain: uncertain}, nil
	case second.Empty():
		first.uncertain = uncertain
		return first, nil
	case first.Empty():
		second.uncertain = uncertain
		return second, nil
	case first.rules.relation != second.rules.relation:
		return Diff{}, &Error{
			Op: "compose", Want: first.rules.relation.String(), Found: second.rules.relation.String(), err: ErrFit,
		}
	}
	c := composition{growth: growth{rules: first.rules}, rebuilt: rebuilt}
	c.rules.unknowns = max(first.rules.unknowns, second.rules.unknowns)
	c.open = append(c.open, composing{items: []joint{{first: first.root(), second: second.root()}}})
	for {
		f := &c.open[len(c.open)-1]
		if f.next < len(f.items) {
			f.next++
			if err := c.join(f, &f.items[f.next-1]); err != nil {
				return Diff{}, err
			}
			continue
		}
		if len(c.open) == 1 {
			return c.finish(c.found, uncertain), nil
		}
		c.close()
	}
}

// composition is a Compose under way.
type composition struct {
	growth
	open  []composing
	found []node // those of the open containers that are in no branch yet

	rebuilt bool // see composed
}

// composing is a container in which both diffs change something; the outermost
// one is none, and has the root in it.
type composing struct {
	kind      value.Kind
	items     []joint
	next      int
	base      int   // its nodes so far are found[base:]
	at        joint // the container itself, in the one above
	old, now  known // all of it, before the first diff and after the second
	facts     facts // of the container in either diff
	oldLen    int
	newLen    int
	unordered bool
	inserts   bool // elements came and went, not at the end
	guess     bool // which elements are compared is a guess
	secret    bool
}

// known is a value, or that it is not known.
type known struct {
	value.Value
	ok bool
}

// joint is a place where at least one of the diffs has a node, and where that is
// before the first diff and after the second.
type joint struct {
	first, second spot // the zero spot where a diff has none
	key           string
	oldAt, newAt  int
	moved         bool
	end           end
	value         value.Value // that came or went
	before, after int         // elements in order before it, on either side
}

// end says whether a place has a value before and after.
type end uint8

const (
	unsettled end = iota // not asked yet
	stays
	came
	went
	never // it came and went, or went and came back as it was
)

// nodes are those of a joint; nil where there is none.
func (j *joint) nodes() (first, second *node) {
	if j.first.in != nil {
		first = j.first.node()
	}
	if j.second.in != nil {
		second = j.second.node()
	}
	return first, second
}

// moves reports whether the node says only that its element stands elsewhere.
func (n *node) moves() bool { return n.whole() && n.op == OpMove }

// join makes the node of a place, or opens the container there.
func (c *composition) join(f *composing, j *joint) *Error {
	if j.end == unsettled {
		if err := c.settleEnd(f, j); err != nil {
			return err
		}
	}
	first, second := j.nodes()
	switch {
	case j.end == never:
		return nil
	case j.end == came || j.end == went:
		c.oneSided(f, j)
		return nil
	case second == nil:
		c.alone(f, j, first)
		return nil
	case first == nil:
		c.alone(f, j, second)
		return nil
	case first.gone():
		c.whole(f, j, first.old, second.new)
		return nil
	case first.whole() && !first.moves() || second.whole() && !second.moves():
		return c.replaced(f, j)
	case first.whole() || second.whole():
		return c.moveAnd(f, j)
	}
	return c.enter(f, j)
}

// settleEnd finds out what becomes of a place, and of its value if that came or
// went.
func (c *composition) settleEnd(f *composing, j *joint) (err *Error) {
	first, second := j.nodes()
	wasGone, comes := first != nil && first.gone(), second != nil && second.came()
	if first != nil && second != nil && wasGone != comes {
		return c.misfit(j, wasGone)
	}
	comes = comes && !wasGone || first != nil && first.came()
	wasGone = wasGone && second == nil || second != nil && second.gone()
	switch {
	case comes && wasGone:
		j.end = never
		if !c.rules.relation.Equal(first.new, second.old) {
			return c.misfit(j, false)
		}
	case comes:
		j.end = came
		if first == nil {
			j.value = second.new
		} else {
			j.value, err = c.after(f, j, first.new)
		}
	case wasGone:
		j.end = went
		if second == nil {
			j.value = first.old
		} else {
			j.value, err = c.beforehand(f, j, second.old)
		}
	default:
		j.end = stays
	}
	return err
}

// oneSided makes the node of a value that came or went.
func (c *composition) oneSided(f *composing, j *joint) {
	first, second := j.nodes()
	from := first
	if from == nil || j.end == went && second != nil {
		from = second
	}
	n := node{
		old: from.old, new: from.new, op: from.op,
		facts: from.facts&(hasOld|hasNew) | isChange | valueChanged, verdict: value.Changed,
	}
	if j.end == came {
		n.new = j.value
	} else {
		n.old = j.value
	}
	if f.kind == value.KindObject {
		n.verdict = c.rules.relation.Alone(j.value)
	}
	c.put(f, j, n)
}

// alone takes over the node of the only diff that has one here.
func (c *composition) alone(f *composing, j *joint, n *node) {
	switch {
	case !j.moved && !n.facts.has(moved), n.whole() && !n.moves():
		c.put(f, j, *n)
	default:
		old, now := known{n.old, n.facts.has(hasOld)}, known{n.new, n.facts.has(hasNew)}
		if !old.ok {
			old = f.before(j)
		}
		if !now.ok {
			now = f.behind(j)
		}
		c.keep(f, j, n.below, n.facts, old, now)
	}
}

// replaced is where one of the diffs replaces the value and the other one
// changes it.
func (c *composition) replaced(f *composing, j *joint) *Error {
	first, second := j.nodes()
	old, now := first.old, second.new
	var err *Error
	if first.whole() {
		now, err = c.after(f, j, first.new)
	} else {
		old, err = c.beforehand(f, j, second.old)
	}
	if err == nil {
		c.whole(f, j, old, now)
	}
	return err
}

// moveAnd is where one of the diffs moves the element, and the other one moves
// it or changes something inside.
func (c *composition) moveAnd(f *composing, j *joint) *Error {
	first, second := j.nodes()
	old, now, inside := first.old, second.new, first
	var err *Error
	switch {
	case first.whole() && second.whole():
		if !c.rules.relation.Equal(first.new, second.old) {
			err = c.misfit(j, false)
		}
	case first.whole():
		inside = second
		now, err = c.after(f, j, first.new)
	default:
		old, err = c.beforehand(f, j, second.old)
	}
	if err != nil {
		return err
	}
	c.keep(f, j, inside.below, inside.facts, known{old, true}, known{now, true})
	return nil
}

// enter opens a container in which both diffs change something, or that one of
// them changes itself.
func (c *composition) enter(f *composing, j *joint) *Error {
	first, second := j.nodes()
	kind := first.containerKind()
	if kind != second.containerKind() {
		return c.misfit(j, false)
	}
	if first.facts.has(own) && second.facts.has(dependenciesChanged) && !sameDependencies(first.new, second.old) {
		return c.misfit(j, false)
	}
	in := composing{
		kind: kind, base: len(c.found), at: *j, facts: first.facts | second.facts,
		old: f.before(j), now: f.behind(j), guess: f.guess,
		secret: f.secret || first.below.isSecret() || second.below.isSecret(),
	}
	in.secret = in.secret || first.secret() || second.secret()
	if in.facts.has(own) {
		if err := c.learn(f, j, &in); err != nil {
			return err
		}
	}
	c.open = append(c.open, in)
	top := &c.open[len(c.open)-1]
	if kind == value.KindArray {
		return c.elements(top, first.below, second.below)
	}
	top.items = members(first.below, second.below)
	return nil
}

// learn finds out what the whole container is, before and after.
func (c *composition) learn(f *composing, j *joint, in *composing) (err *Error) {
	first, second := j.nodes()
	switch {
	case in.old.ok:
	case first.facts.has(own):
		in.old = known{first.old, true}
	default:
		in.old.ok = true
		in.old.Value, err = c.beforehand(f, j, second.old)
	}
	switch {
	case in.now.ok || err != nil:
	case second.facts.has(own):
		in.now = known{second.new, true}
	default:
		in.now.ok = true
		in.now.Value, err = c.after(f, j, first.new)
	}
	return err
}

// containerKind is the kind of the container that the node is of.
func (n *node) containerKind() value.Kind {
	if n.below != nil {
		return n.below.kind
	}
	return n.old.Kind()
}

func (b *branch) isSecret() bool { return b != nil && b.secret }

// members merges the nodes of two objects by key.
func members(first, second *branch) []joint {
	var items []joint
	for i, k := 0, 0; i < first.count() || k < second.count(); {
		side := -1
		switch {
		case i == first.count():
			side = 1
		case k < second.count():
			side = strings.Compare(first.nodes[i].key, second.nodes[k].key)
		}
		var j joint
		if side <= 0 {
			j.first, j.key = spot{first, i}, first.nodes[i].key
			i++
		}
		if side >= 0 {
			j.second, j.key = spot{second, k}, second.nodes[k].key
			k++
		}
		items = append(items, j)
	}
	return items
}

func (b *branch) count() int {
	if b == nil {
		return 0
	}
	return len(b.nodes)
}

// close makes the node of a container that is done.
func (c *composition) close() {
	f := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	inside := c.found[f.base:]
	var own facts
	if f.facts.has(dependenciesChanged) && c.rules.dependencies(f.old.Value, f.now.Value) {
		own |= dependenciesChanged
	}
	if f.facts.has(valueChanged) && f.oldLen != f.newLen && (f.old.ContainsUnknown() || f.now.ContainsUnknown()) {
		own |= valueChanged
	}
	for i := range inside {
		if f.unordered && inside[i].facts.has(moved) {
			own |= orderChanged
		}
	}
	var below *branch
	if len(inside) > 0 {
		below = c.branch(branch{
			kind: f.kind, secret: f.secret, unordered: f.unordered, oldSize: index(f.oldLen), newSize: index(f.newLen),
		}, inside)
		c.found = c.found[:f.base]
	}
	above := &c.open[len(c.open)-1]
	c.hold(above, &f.at, below, own, f.old, f.now)
}

// misfit makes the error for a place at which the second diff does not start
// from what the first one leaves: nothing, or something else.
func (c *composition) misfit(j *joint, nothing bool) *Error {
	visible := j.second.visible()
	for depth := range c.open[1:] {
		if c.open[depth+1].secret && (visible < 0 || depth < visible) {
			visible = depth
		}
	}
	err := &Error{Op: "compose", At: path.Show(j.second.path(true), visible), err: ErrFit}
	first, second := j.nodes()
	if visible >= 0 || second.secret() || first != nil && first.secret() {
		return err
	}
	err.Want, err.Found = wanted(second), "another value"
	switch {
	case nothing:
		err.Found = "nothing"
	case second.came():
		err.Found = "something"
	}
	return err
}
