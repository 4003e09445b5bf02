package check

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// differences looks at what differs between old and new inputs, and lists what
// nothing reports: no place in reported, nor a name. Past [path.MaxListed] bytes of
// paths it lists the top-level property, once.
func (v *validator) differences(reported *path.Set, named map[string]bool) {
	type open struct {
		at                *difftree.Branch
		next              int
		reported, ignored path.State
		name              string
	}
	stack := make([]open, 0, 16)
	size, last, topVisible := 0, "", -1
	var room []path.Step
	look := func(s difftree.Place, told, ignored path.State, name string) {
		c := diff.ChangeAt(s)
		if !s.Node().Facts.Has(difftree.IsChange) || ignored.Covers() {
			return
		}
		v.change(c, name)
		if told.Touches() || told.Covers() || named[name] || v.response.Changes == provider.Some && s.In.Up == nil {
			return // no name tells of the root
		}
		f := newFinding("unreported")
		switch {
		case size <= path.MaxListed:
			room = s.Steps(room[:0], s.Node().Removed())
			f.At = path.Show(path.Of(room...), s.Visible())
			size += f.At.RevealPath().Size()
		case last == name:
			return
		default:
			last, f.At = name, path.Show(path.Of(path.Key(name)), topVisible)
		}
		if v.response.Changes != provider.Some || !f.At.Path().IsRoot() { // of a secret one no name does either
			v.found = append(v.found, f)
		}
	}
	root := diff.Tree(diff.Between(v.sides.OldInputs, v.news, diff.Options{Relation: value.Engine}))
	if root.In == nil {
		return
	}
	look(root, reported.Start(), v.ignored.Start(), "")
	if below := root.Node().Below; below != nil {
		if below.Secret {
			topVisible = 0
		}
		stack = append(stack, open{at: below, reported: reported.Start(), ignored: v.ignored.Start()})
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.at.Nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		s := top.at.Child(top.next)
		top.next++
		step := s.In.Step(s.At, s.Node().Removed())
		here := open{at: s.Node().Below, reported: top.reported.Step(step), ignored: top.ignored.Step(step), name: top.name}
		if len(stack) == 1 {
			here.name, _ = step.Key()
		}
		look(s, here.reported, here.ignored, here.name)
		if here.at != nil {
			stack = append(stack, here)
		}
	}
}
