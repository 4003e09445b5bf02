package check

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/listing"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// differ lists the differences between old and new inputs that an answer does not report.
type differ struct {
	*validator
	named map[string]bool // the names that the answer reports as a whole
	at    listing.Position
}

// matched holds how far the sets of patterns have matched at a place, and its name.
type matched struct {
	reported, ignored path.Matcher
	name              string // of the top-level property
}

// differences lists what differs between old and new inputs and is neither at a place in
// reported nor named.
func (v *validator) differences(reported *path.Set, named map[string]bool) {
	root := diff.Internal.Tree(diff.Between(v.sides.OldInputs, v.now(true), v.compare))
	if root.In == nil {
		return
	}

	d := differ{validator: v, named: named}
	top := matched{reported: reported.Matcher(), ignored: v.ignored.Matcher()}
	d.look(root, top)
	below := root.Node().Below
	difftree.Descend(below, top, func(s difftree.Place, step path.Step, above matched) (here matched, inside bool) {
		here = matched{above.reported.Next(step), above.ignored.Next(step), above.name}
		if s.In == below {
			here.name, _ = step.AsKey()
		}
		d.look(s, here)
		return here, true
	})
}

// look adds a finding about a place, if it changed and that is not reported.
func (d *differ) look(s difftree.Place, m matched) {
	n := s.Node()
	if !n.Facts.Has(difftree.IsChange) || n.IsReordered() || protocol.Unreported(n, s.In.Kind == value.KindObject) || m.ignored.MatchesAbove() {
		return
	}
	d.change(diff.Internal.ChangeAt(s), m.name)
	isSome := d.response.Changes == rpc.DiffSome
	if m.reported.MayMatchBelow() || m.reported.MatchesAbove() || d.named[m.name] || (isSome && s.In.Up == nil) {
		return // no name reports a change of the root
	}

	d.at.At = s.Steps(d.at.At[:0], s.Node().Removed())
	at, listed := d.at.Place(s.Visible())
	if listed && (!isSome || !at.Path().IsRoot()) { // nor does a name report a change of a secret root
		f := newFinding("unreported")
		f.At = at
		d.found = append(d.found, f)
	}
}

// unreported lists the differences between old and new inputs that the answer does not
// report.
func (v *validator) unreported() {
	if v.response.Changes == rpc.DiffUnknown || protocol.Nothing(v.sides.OldInputs) {
		return
	}
	var reported []path.Pattern
	named := map[string]bool{}
	for i := range v.all {
		if c := &v.all[i]; c.fate == 0 {
			reported = append(reported, c.path.Pattern())
		}
	}
	for array, t := range v.arrays {
		if t.shifts { // indexes do not say which element is which
			reported = append(reported, array.Pattern())
		}
	}

	if len(v.all) == 0 {
		for _, name := range v.response.Diffs {
			named[name] = true
		}
	}
	v.differences(path.NewSet(reported...), named)
}
