package diff

import (
	"sync"

	"github.com/propalg/propalg/internal/arena"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Between returns the changes from one value to another.
//
// Objects are compared by key, arrays as o says; the default is index by index. Memory
// that both values share is not examined. Nothing is allocated if nothing differs. The
// time is at most linear in the size of the values, times the logarithm of their depth
// or, if elements are matched, of their number.
func Between(old, now value.Value, o Options) Diff { return between(old, now, &o) }

// between is not inlined, Between is.
func between(old, now value.Value, o *Options) Diff {
	d := Diff{rules: o.rules(), uncertain: old.ContainsUnknown() || now.ContainsUnknown()}
	if walk.Equal(d.rules, old, now) {
		return d
	}
	options := walkOptions(o)
	d.walk(old, now, &options)
	return d
}

// walk makes d the diff of values that differ.
func (d *Diff) walk(old, now value.Value, o *walk.Options) {
	t := builders.Get().(*treeBuilder) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	result := t.walker.Between(old, now, o, t)
	d.top = t.finish(d.rules)
	builders.Put(t)
	d.count, d.verdict = result.Count, d.rules.ResultOf(result.Verdict)
	d.uncertain = d.uncertain || result.Maybe
}

// betweenUnsure returns the diff of [Between] with the verdict [value.Maybe] for changes at
// and below the places that unsure names, unless o.MaybeIsChanged.
func betweenUnsure(old, now value.Value, o Options, unsure *path.Set) Diff {
	d := between(old, now, &o)
	if unsure.Len() == 0 || o.MaybeIsChanged {
		return d
	}
	d.verdict, d.uncertain = value.Same, true
	for s := d.root(); s.In != nil; s = s.Next() {
		n := s.Node()
		if !n.Facts.Has(difftree.IsChange) {
			continue
		}
		if s.State(unsure).MatchesAbove() {
			n.Verdict = value.Maybe
		}
		d.verdict = max(d.verdict, n.Verdict)
	}

	return d
}

// treeBuilder makes the tree of what a walk reports.
type treeBuilder struct {
	walker walk.Walker
	nodes  []difftree.Node // of the open containers, those of inner ones last
	open   []openBranch

	lends    bool   // the tree is in the arenas, and not kept
	done     func() // ends the use of such a tree
	kept     arena.Of[difftree.Node]
	branches arena.Of[difftree.Branch]
}

// openBranch is a container that was entered.
type openBranch struct {
	node   difftree.Node
	branch difftree.Branch
	first  int // of its nodes
}

var builders = sync.Pool{New: func() any { return new(treeBuilder) }} //nolint:gochecknoglobals // the one pool of the package

// A builder keeps room for at most manyNodes nodes and branches.
const manyNodes = 256

// Enter implements walk.Sink.
func (t *treeBuilder) Enter(n *difftree.Node, b *difftree.Branch) {
	t.open = append(t.open, openBranch{*n, *b, len(t.nodes)})
}

// Change implements walk.Sink.
func (t *treeBuilder) Change(n *difftree.Node) { t.nodes = append(t.nodes, *n) }

// Leave implements walk.Sink.
func (t *treeBuilder) Leave() {
	top := len(t.open) - 1
	o := &t.open[top]
	inside := t.nodes[o.first:]
	b, nodes := t.room(len(inside))
	copy(nodes, inside)
	*b = o.branch
	b.Attach(nodes)
	o.node.Below = b

	clear(inside)
	t.nodes = append(t.nodes[:o.first], o.node)
	*o = openBranch{}
	t.open = t.open[:top]
}

// finish returns the tree, if there is one, and wipes what was noted.
func (t *treeBuilder) finish(r difftree.Rules) (top veil.Pointer[difftree.Branch]) {
	if len(t.nodes) > 0 {
		top = veil.Hide(topOf(r, t.nodes[0]))
	}
	t.wipe()
	return top
}

// wipe makes the builder ready for other values.
func (t *treeBuilder) wipe() {
	clear(t.nodes)
	t.nodes, t.open = t.nodes[:0], t.open[:0]
	if cap(t.nodes) > manyNodes {
		t.nodes = nil
	}
	if cap(t.open) > manyNodes {
		t.open = nil
	}
	if t.lends {
		t.kept.Wipe()
		t.branches.Wipe()
		t.lends = false
	}
}

// room returns memory for a branch and its nodes.
func (t *treeBuilder) room(nodes int) (*difftree.Branch, []difftree.Node) {
	if t.lends {
		return &t.branches.Take(1)[0], t.kept.Take(nodes)
	}
	return new(difftree.Branch), make([]difftree.Node, nodes)
}
