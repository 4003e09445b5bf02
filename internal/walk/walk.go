package walk

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Sink receives what differs between two values, in the order of the tree of a diff. What
// the pointers refer to is valid during the call.
type Sink interface {
	// Enter reports a container with differences inside. The node is its place in the
	// container above, with its own change if it has one; the branch describes it,
	// without nodes. All that is inside is reported before Leave.
	Enter(n *difftree.Node, b *difftree.Branch)
	// Change reports a difference with nothing inside: a change, or an element that
	// moved in an array whose order is a fact of the array.
	Change(n *difftree.Node)
	// Leave ends the container that was entered last.
	Leave()
}

// Tree reports what is in the tree of a diff, as the walk that made it did.
func Tree(n *difftree.Node, sink Sink) {
	if n.Below == nil {
		sink.Change(n)
		return
	}

	sink.Enter(n, n.Below)
	for i := range n.Below.Nodes {
		Tree(&n.Below.Nodes[i], sink)
	}
	sink.Leave()
}

// Result sums up the changes that a walk reported.
type Result struct {
	Count   int
	Verdict value.Verdict // the gravest, not yet changed by Rules.ResultOf
	Maybe   bool          // some change may turn out to be none
}

// Equal reports whether two values are equal. It allocates nothing.
func Equal(r difftree.Rules, old, now value.Value) bool {
	return value.Internal.SharesMemory(old, now) || r.Relation.Equal(old, now)
}

// Between reports to the sink what differs between two values that are not [Equal].
func (w *Walker) Between(old, now value.Value, o *Options, sink Sink) Result {
	w.Options, w.sink = *o, sink
	if w.walkable(old, now) {
		w.enter(&place{}, &old, &now)
	} else {
		w.update(&place{}, &old, &now)
	}

	result := w.Result
	w.wipe()
	return result
}

// Walker compares values. The zero Walker is ready for use, and keeps memory for the next
// comparison.
type Walker struct {
	Options
	Result
	sink    Sink
	levels  []level
	entered int            // so many levels were reported to the sink
	states  []path.Matcher // of the patterns of array rules, at the open containers
	prints  *prints        // nil until elements are matched
	node    difftree.Node
	branch  difftree.Branch
}

// A Walker keeps room for at most manyLevels levels.
const manyLevels = 64

func (w *Walker) wipe() {
	levels := w.levels
	if cap(levels) > manyLevels {
		levels = nil
	}
	*w = Walker{levels: levels}
}

type level struct {
	place
	old, now  value.Value
	own       difftree.Facts // what is different about the containers themselves
	guess     bool           // which elements are compared is a guess, here or above
	unordered bool           // the order of elements is a fact of the array
}

// place is where a pair is in its containers.
type place struct {
	key                string
	oldAt, newAt       int32 // in arrays, as in difftree.Node
	oldPrint, newPrint int   // places of the prints of the pair, or noPrint
	moved              bool
}

// elementAt returns the place of elements with these indexes.
func elementAt(oldAt, newAt int) place {
	return place{oldAt: difftree.ClampIndex(oldAt), newAt: difftree.ClampIndex(newAt)}
}

// walkable reports whether values are compared by what is in them: containers of one
// kind, both secret or neither unless o.ThroughSecrets.
func (o *Options) walkable(old, now value.Value) bool {
	return old.Kind() == now.Kind() && old.Kind().IsContainer() && (o.ThroughSecrets || !o.Rules.SecretsDiffer(old, now))
}

// pair compares two values. If differ is true they are known to, and are not compared
// again.
func (w *Walker) pair(at *place, old, now *value.Value, differ bool) {
	switch {
	case !differ && (value.Internal.SharesMemory(*old, *now) || w.samePrints(at, old, now)):
		w.same(at)
	case w.walkable(*old, *now):
		w.enter(at, old, now)

	case !differ && w.Rules.Relation.Equal(*old, *now):
		w.same(at)
	default:
		w.update(at, old, now)
	}
}

// samePrints reports whether two containers have prints and are equal.
func (w *Walker) samePrints(at *place, old, now *value.Value) bool {
	return at.oldPrint != noPrint && old.Kind().IsContainer() &&
		w.prints.all[at.oldPrint].sum == w.prints.all[at.newPrint].sum &&
		w.Rules.Relation.Equal(*old, *now)
}

// deepEnough is how deep containers are in which equal containers are passed over by
// Agree, which compares all that is in them. In deeper ones that is done only if their
// depth is a power of two, so that no part is compared more often than the logarithm of
// the depth says, and in the root, which [Equal] has compared anyway.
const deepEnough = 4

// looksDeep reports whether equal containers in a container are passed over.
func (w *Walker) looksDeep(at *place, old *value.Value) bool {
	depth := old.Depth()
	return at.oldPrint == noPrint && (depth <= deepEnough || depth&(depth-1) == 0 || len(w.levels) == 1)
}

func (w *Walker) enter(at *place, old, now *value.Value) {
	w.levels = append(w.levels, level{place: *at, old: *old, now: *now})
	depth := len(w.levels) - 1
	l := &w.levels[depth]
	if depth > 0 {
		l.guess = w.levels[depth-1].guess
	}
	if w.Rules.DependenciesDiffer(*old, *now) {
		l.own = difftree.DependenciesChanged
	}
	if w.Rules.SecretsDiffer(*old, *now) {
		l.own |= difftree.SecretChanged
	}
	if w.Matches.Set != nil {
		st := w.Matches.Set.Matcher()
		if depth > 0 {
			st = w.states[depth-1].Next(w.levels[depth-1].step(at))
		}
		w.states = append(w.states[:depth], st)
	}

	if s := w.match(l); s != nil {
		w.matched(s, old, now)
	} else {
		w.children(at, old, now)
	}
	w.leave()
}

func (l *level) step(at *place) path.Step {
	if l.old.Kind() == value.KindObject {
		return path.Key(at.key)
	}
	return path.Index(int(at.newAt))
}

func (w *Walker) leave() {
	depth := len(w.levels) - 1
	l := &w.levels[depth]
	at, own := l.place, l.own
	entered := w.entered > depth
	if !entered && own != 0 { // one Change, without Enter, since nothing inside differs
		w.announce(depth)
		w.container(depth)
	}

	*l = level{}
	w.levels = w.levels[:depth]
	w.entered = min(w.entered, depth)
	switch {
	case entered:
		w.sink.Leave()
	case own != 0:
		w.sink.Change(&w.node)
	default:
		w.same(&at)
	}
}

// announce reports the first levels, as many as that, that were not reported before.
func (w *Walker) announce(levels int) {
	if w.entered < levels {
		w.announceMore(levels)
	}
}

func (w *Walker) announceMore(levels int) {
	for ; w.entered < levels; w.entered++ {
		w.container(w.entered)
		l, b := &w.levels[w.entered], &w.branch
		*b = difftree.Branch{Kind: l.old.Kind(), Rules: w.Rules, Secret: l.old.IsSecret() || l.now.IsSecret(), Unordered: l.unordered}
		if b.Kind == value.KindArray {
			b.OldSize, b.NewSize = difftree.ClampIndex(l.old.Len()), difftree.ClampIndex(l.now.Len())
		}

		w.sink.Enter(&w.node, b)
	}
}

func (w *Walker) container(depth int) {
	l := &w.levels[depth]
	n := w.newNode(&l.place)
	switch {
	case l.moved && !w.levels[depth-1].unordered: // the root never moved
		n.Op = difftree.OpMove
	case l.own != 0:
		n.Op = difftree.OpUpdate
	default:
		return
	}

	verdict := value.Changed
	if l.guess && l.own == difftree.OrderChanged {
		verdict = value.Maybe
	}
	n.Facts |= difftree.HasOld | difftree.HasNew | difftree.Own | l.own
	n.Old, n.New = l.old, l.now
	w.judge(depth, verdict)
}

func (w *Walker) newNode(at *place) *difftree.Node {
	n := &w.node
	n.Key, n.OldIndex, n.NewIndex = at.key, at.oldAt, at.newAt
	n.Old, n.New = value.Value{}, value.Value{}
	n.Facts, n.Op, n.Verdict = 0, 0, value.Same

	if at.moved {
		n.Facts = difftree.Moved
	}
	return n
}

// judge makes the node a change with a verdict. Levels is the number of open containers
// above it.
func (w *Walker) judge(levels int, verdict value.Verdict) {
	if levels > 0 && w.levels[levels-1].guess {
		verdict = value.Maybe
	}
	w.Count++

	w.Verdict = max(w.Verdict, verdict)
	if verdict == value.Maybe {
		w.Maybe = true
	}
	w.node.Facts |= difftree.IsChange
	w.node.Verdict = w.Rules.ResultOf(verdict)
}

// same deals with two equal values. They are reported only if they are an element that
// moved.
func (w *Walker) same(at *place) {
	if !at.moved {
		return
	}
	last := &w.levels[len(w.levels)-1]
	old, now := last.old.Elem(int(at.oldAt)), last.now.Elem(int(at.newAt))
	if !last.unordered {
		w.change(at, difftree.OpMove, 0, value.Changed, &old, &now)
		return
	}

	w.announce(len(w.levels))
	n := w.newNode(at)
	n.Op, n.Verdict, n.Old, n.New = difftree.OpMove, value.Changed, old, now
	n.Facts |= difftree.HasOld | difftree.HasNew
	w.sink.Change(n)
}

func (w *Walker) update(at *place, old, now *value.Value) {
	facts, verdict := w.Rules.Update(*old, *now)
	w.change(at, difftree.OpUpdate, facts, verdict, old, now)
}

func (w *Walker) change(at *place, op difftree.Op, f difftree.Facts, verdict value.Verdict, old, now *value.Value) {
	w.announce(len(w.levels))
	n := w.newNode(at)
	n.Op, n.Facts = op, n.Facts|f
	if old != nil {
		n.Old, n.Facts = *old, n.Facts|difftree.HasOld
	}
	if now != nil {
		n.New, n.Facts = *now, n.Facts|difftree.HasNew
	}

	w.judge(len(w.levels), verdict)
	w.sink.Change(n)
}

// Options selects what counts as a difference, and how elements are matched.
type Options struct {
	Rules   difftree.Rules
	Matches Matches
	// ThroughSecrets compares two containers by what is in them even if only one is secret,
	// which is then a fact of the container. Diffs, which must not show what is in it, don't.
	ThroughSecrets bool
}
