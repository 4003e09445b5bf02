package diff

import (
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Compose returns the diff that makes the changes of first and then those of second.
//
// Apply(v, Compose(first, second)) equals Apply(Apply(v, first), second) under their
// Relation. Changes that second undoes are left out: Compose(d, d.Invert()) is empty.
// The empty diff is the neutral element.
//
// A value that first adds and second changes is added with its final content; one that
// first changes and second removes is removed with its original content; and so on. If
// one diff replaces a value inside which the other has changes, the result replaces it
// too. The matches of elements in both diffs determine which elements of the first
// array correspond to those of the last one; where a match was a guess, the verdict
// stays [value.Maybe].
//
// The error is an [*Error] that wraps [ErrFit]: the diffs have different Relations, or
// their contents show that second does not start from the result of first. The time is
// linear in the diffs and in the number of children of containers that either replaces,
// times a logarithm for elements that were added, removed or moved. It does not depend
// on the length of arrays.
func Compose(first, second Diff) (Diff, error) { return composed(first, second, false) }

// composed is Compose. That elements are rebuilt means that those that first
// takes and those that second brings between the same neighbours are the same
// ones, if they are as many.
func composed(first, second Diff, rebuilt bool) (Diff, error) {
	uncertain := first.uncertain || second.uncertain
	switch {
	case first.Empty() && second.Empty():
		r := difftree.Rules{Relation: first.rules.Relation | second.rules.Relation, Unknowns: max(first.rules.Unknowns, second.rules.Unknowns)}
		return Diff{rules: r, uncertain: uncertain}, nil
	case second.Empty():
		first.uncertain = uncertain
		return first, nil
	case first.Empty():
		second.uncertain = uncertain
		return second, nil
	case first.rules.Relation != second.rules.Relation:
		return Diff{}, &Error{
			Op: "compose", Want: first.rules.Relation.String(), Found: second.rules.Relation.String(), err: ErrFit,
		}
	}
	c := composition{growth: growth{rules: first.rules}, rebuilt: rebuilt}
	c.rules.Unknowns = max(first.rules.Unknowns, second.rules.Unknowns)
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
	found []difftree.Node // those of the open containers that are in no branch yet

	rebuilt bool // see composed
}

// composing is a container in which both diffs change something; the outermost
// one is none, and has the root in it.
type composing struct {
	kind      value.Kind
	items     []joint
	next      int
	base      int            // its nodes so far are found[base:]
	at        joint          // the container itself, in the one above
	old, now  known          // all of it, before the first diff and after the second
	facts     difftree.Facts // of the container in either diff
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
	first, second difftree.Place // the zero spot where a diff has none
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
func (j *joint) nodes() (first, second *difftree.Node) {
	if j.first.In != nil {
		first = j.first.Node()
	}
	if j.second.In != nil {
		second = j.second.Node()
	}
	return first, second
}

// isMoveOnly reports whether the node says only that its element stands elsewhere.
func isMoveOnly(n *difftree.Node) bool { return n.Whole() && n.Op == difftree.OpMove }

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
	case first.Removed():
		c.whole(f, j, first.Old, second.New)
		return nil
	case first.Whole() && !isMoveOnly(first) || second.Whole() && !isMoveOnly(second):
		return c.replaced(f, j)
	case first.Whole() || second.Whole():
		return c.moveAnd(f, j)
	}
	return c.enter(f, j)
}

// settleEnd finds out what becomes of a place, and of its value if that came or
// went.
func (c *composition) settleEnd(f *composing, j *joint) (err *Error) {
	first, second := j.nodes()
	wasGone, comes := first != nil && first.Removed(), second != nil && second.Added()
	if first != nil && second != nil && wasGone != comes {
		return c.misfit(j, wasGone)
	}
	comes = comes && !wasGone || first != nil && first.Added()
	wasGone = wasGone && second == nil || second != nil && second.Removed()
	switch {
	case comes && wasGone:
		j.end = never
		if !c.rules.Relation.Equal(first.New, second.Old) {
			return c.misfit(j, false)
		}
	case comes:
		j.end = came
		if first == nil {
			j.value = second.New
		} else {
			j.value, err = c.after(f, j, first.New)
		}
	case wasGone:
		j.end = went
		if second == nil {
			j.value = first.Old
		} else {
			j.value, err = c.beforehand(f, j, second.Old)
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
	n := difftree.Node{
		Old: from.Old, New: from.New, Op: from.Op,
		Facts: from.Facts&(difftree.HasOld|difftree.HasNew) | difftree.IsChange | difftree.ValueChanged, Verdict: value.Changed,
	}
	if j.end == came {
		n.New = j.value
	} else {
		n.Old = j.value
	}
	if f.kind == value.KindObject {
		n.Verdict = c.rules.Relation.Alone(j.value)
	}
	c.put(f, j, n)
}

// alone takes over the node of the only diff that has one here.
func (c *composition) alone(f *composing, j *joint, n *difftree.Node) {
	switch {
	case !j.moved && !n.Facts.Has(difftree.Moved), n.Whole() && !isMoveOnly(n):
		c.put(f, j, *n)
	default:
		old, now := known{n.Old, n.Facts.Has(difftree.HasOld)}, known{n.New, n.Facts.Has(difftree.HasNew)}
		if !old.ok {
			old = f.before(j)
		}
		if !now.ok {
			now = f.behind(j)
		}
		c.keep(f, j, n.Below, n.Facts, old, now)
	}
}

// replaced is where one of the diffs replaces the value and the other one
// changes it.
func (c *composition) replaced(f *composing, j *joint) *Error {
	first, second := j.nodes()
	old, now := first.Old, second.New
	var err *Error
	if first.Whole() {
		now, err = c.after(f, j, first.New)
	} else {
		old, err = c.beforehand(f, j, second.Old)
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
	old, now, inside := first.Old, second.New, first
	var err *Error
	switch {
	case first.Whole() && second.Whole():
		if !c.rules.Relation.Equal(first.New, second.Old) {
			err = c.misfit(j, false)
		}
	case first.Whole():
		inside = second
		now, err = c.after(f, j, first.New)
	default:
		old, err = c.beforehand(f, j, second.Old)
	}
	if err != nil {
		return err
	}
	c.keep(f, j, inside.Below, inside.Facts, known{old, true}, known{now, true})
	return nil
}

// enter opens a container in which both diffs change something, or that one of
// them changes itself.
func (c *composition) enter(f *composing, j *joint) *Error {
	first, second := j.nodes()
	kind := containerKindOf(first)
	if kind != containerKindOf(second) {
		return c.misfit(j, false)
	}
	if first.Facts.Has(difftree.Own) && second.Facts.Has(difftree.DependenciesChanged) && !difftree.SameDependencies(first.New, second.Old) {
		return c.misfit(j, false)
	}
	in := composing{
		kind: kind, base: len(c.found), at: *j, facts: first.Facts | second.Facts,
		old: f.before(j), now: f.behind(j), guess: f.guess,
		secret: f.secret || isSecretBranch(first.Below) || isSecretBranch(second.Below),
	}
	in.secret = in.secret || first.Secret() || second.Secret()
	if in.facts.Has(difftree.Own) {
		if err := c.learn(f, j, &in); err != nil {
			return err
		}
	}
	c.open = append(c.open, in)
	top := &c.open[len(c.open)-1]
	if kind == value.KindArray {
		return c.elements(top, first.Below, second.Below)
	}
	top.items = members(first.Below, second.Below)
	return nil
}

// learn finds out what the whole container is, before and after.
func (c *composition) learn(f *composing, j *joint, in *composing) (err *Error) {
	first, second := j.nodes()
	switch {
	case in.old.ok:
	case first.Facts.Has(difftree.Own):
		in.old = known{first.Old, true}
	default:
		in.old.ok = true
		in.old.Value, err = c.beforehand(f, j, second.Old)
	}
	switch {
	case in.now.ok || err != nil:
	case second.Facts.Has(difftree.Own):
		in.now = known{second.New, true}
	default:
		in.now.ok = true
		in.now.Value, err = c.after(f, j, first.New)
	}
	return err
}

// containerKindOf is the kind of the container that the node is of.
func containerKindOf(n *difftree.Node) value.Kind {
	if n.Below != nil {
		return n.Below.Kind
	}
	return n.Old.Kind()
}

func isSecretBranch(b *difftree.Branch) bool { return b != nil && b.Secret }

// members merges the nodes of two objects by key.
func members(first, second *difftree.Branch) []joint {
	var items []joint
	for i, k := 0, 0; i < elementCount(first) || k < elementCount(second); {
		side := -1
		switch {
		case i == elementCount(first):
			side = 1
		case k < elementCount(second):
			side = strings.Compare(first.Nodes[i].Key, second.Nodes[k].Key)
		}
		var j joint
		if side <= 0 {
			j.first, j.key = first.Child(i), first.Nodes[i].Key
			i++
		}
		if side >= 0 {
			j.second, j.key = second.Child(k), second.Nodes[k].Key
			k++
		}
		items = append(items, j)
	}
	return items
}

func elementCount(b *difftree.Branch) int {
	if b == nil {
		return 0
	}
	return len(b.Nodes)
}

// close makes the node of a container that is done.
func (c *composition) close() {
	f := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	inside := c.found[f.base:]
	var own difftree.Facts
	if f.facts.Has(difftree.DependenciesChanged) && c.rules.DependenciesDiffer(f.old.Value, f.now.Value) {
		own |= difftree.DependenciesChanged
	}
	if f.facts.Has(difftree.ValueChanged) && f.oldLen != f.newLen && (f.old.ContainsUnknown() || f.now.ContainsUnknown()) {
		own |= difftree.ValueChanged
	}
	for i := range inside {
		if f.unordered && inside[i].Facts.Has(difftree.Moved) {
			own |= difftree.OrderChanged
		}
	}
	var below *difftree.Branch
	if len(inside) > 0 {
		below = c.branch(difftree.Branch{
			Kind: f.kind, Secret: f.secret, Unordered: f.unordered, OldSize: difftree.ClampIndex(f.oldLen), NewSize: difftree.ClampIndex(f.newLen),
		}, inside)
		c.found = c.found[:f.base]
	}
	above := &c.open[len(c.open)-1]
	c.hold(above, &f.at, below, own, f.old, f.now)
}

// misfit makes the error for a place at which the second diff does not start
// from what the first one leaves: nothing, or something else.
func (c *composition) misfit(j *joint, nothing bool) *Error {
	visible := j.second.Visible()
	for depth := range c.open[1:] {
		if c.open[depth+1].secret && (visible < 0 || depth < visible) {
			visible = depth
		}
	}
	err := &Error{Op: "compose", At: path.Show(j.second.Path(true), visible), err: ErrFit}
	first, second := j.nodes()
	if visible >= 0 || second.Secret() || first != nil && first.Secret() {
		return err
	}
	err.Want, err.Found = wanted(second), "another value"
	switch {
	case nothing:
		err.Found = "nothing"
	case second.Added():
		err.Found = "something"
	}
	return err
}
