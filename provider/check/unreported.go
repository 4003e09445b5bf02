package check

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// differ lists the differences between old and new inputs that an answer does not report.
type differ struct {
	*validator
	named      map[string]bool // the names that the answer reports as a whole
	topVisible int             // of the top-level properties, as path.Show has it
	size       int             // bytes of the paths listed so far
	last       string          // the top-level property that was listed last, past these
	room       []path.Step
}

// matched holds how far the sets of patterns have matched at a place, and its name.
type matched struct {
	reported, ignored path.State
	name              string // of the top-level property
}

// differences lists what differs between old and new inputs and is neither at a place in
// reported nor named.
func (v *validator) differences(reported *path.Set, named map[string]bool) {
	root := diff.Internal.Tree(diff.Between(v.sides.OldInputs, v.now(true), v.compare))
	if root.In == nil {
		return
	}

	d := differ{validator: v, named: named, topVisible: -1}
	top := matched{reported: reported.Start(), ignored: v.ignored.Start()}
	d.look(root, top)
	below := root.Node().Below
	if below != nil && below.Secret {
		d.topVisible = 0
	}
	difftree.Descend(below, top, func(s difftree.Place, step path.Step, above matched) (here matched, inside bool) {
		here = matched{above.reported.Step(step), above.ignored.Step(step), above.name}
		if s.In == below {
			here.name, _ = step.Key()
		}
		d.look(s, here)
		return here, true
	})
}

// look adds a finding about a place, if it changed and that is not reported. Past
// [path.MaxListed] bytes of paths it lists the top-level property, once.
func (d *differ) look(s difftree.Place, m matched) {
	n := s.Node()
	if !n.Facts.Has(difftree.IsChange) || n.IsReordered() || protocol.Unreported(n, s.In.Kind == value.KindObject) || m.ignored.Covers() {
		return
	}
	d.change(diff.Internal.ChangeAt(s), m.name)
	isSome := d.response.Changes == provider.Some
	if m.reported.Touches() || m.reported.Covers() || d.named[m.name] || (isSome && s.In.Up == nil) {
		return // no name reports a change of the root
	}

	f := newFinding("unreported")
	switch {
	case d.size <= path.MaxListed:
		d.room = s.Steps(d.room[:0], s.Node().Removed())
		f.At = path.Show(path.Of(d.room...), s.Visible())
		d.size += f.At.RevealPath().Size()
	case d.last == m.name:
		return
	default:
		d.last, f.At = m.name, path.Show(path.Of(path.Key(m.name)), d.topVisible)
	}
	if !isSome || !f.At.Path().IsRoot() { // nor does a name report a change of a secret root
		d.found = append(d.found, f)
	}
}
