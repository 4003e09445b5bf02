package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// Tree returns the root of the tree of d, the zero Place for the empty diff.
func (exporter) Tree(d Diff) difftree.Place { return d.root() }

// ChangeAt returns the change at a place of the tree.
func (exporter) ChangeAt(p difftree.Place) Change { return Change{p.Handle()} }

// MaybeIsChanged returns the option under which the diff was made.
func (exporter) MaybeIsChanged(d Diff) bool { return d.rules.MaybeIsChanged }

// Builder returns a builder of a diff under the Relation and MaybeIsChanged of o.
func (exporter) Builder(o Options) *builder { return &builder{rules: o.rules()} }

// WalkOptions returns o for package provider, which compares values without making a diff.
func (exporter) WalkOptions(o *Options) walk.Options { return walkOptions(o) }

// BetweenUnsure is [Between] for package equality; see betweenUnsure.
func (exporter) BetweenUnsure(old, now value.Value, o Options, unsure *path.Set) Diff {
	return betweenUnsure(old, now, o, unsure)
}

// Tracing returns the tree of the diff from old to now, which is nil if they are equal, and what
// ends the use of it. Two containers of which one is secret are compared by what is in them: the
// tree is for package provider, which makes values of it, and is not shown.
func (exporter) Tracing(old, now value.Value, o Options) (top *difftree.Node, done func()) {
	rules := o.rules()
	if walk.Equal(rules, old, now) {
		return nil, func() {}
	}

	options := walkOptions(&o)
	options.ThroughSecrets = true
	t := builders.Get().(*treeBuilder) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	t.lends = true
	if t.done == nil {
		t.done = func() {
			t.wipe()
			builders.Put(t)
		}
	}
	t.walker.Between(old, now, &options, t)
	return &t.nodes[0], t.done
}
