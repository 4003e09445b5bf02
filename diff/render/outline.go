package render

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
)

// entry is a line, or a container of lines, of the text of a diff.
type entry struct {
	at       difftree.Place
	rest     int // how many steps lead here from the entry above
	label    label
	showing  showing
	replaces bool // a change here, or one inside that is not shown, forces a replacement
	shown    bool // something inside is shown, and is not hidden
	state    standing
	below    []*entry
	more     int // places inside that are too many, or too deep, to be shown
}

// showing selects what an entry shows of its place.
type showing uint8

const (
	showBelow  showing = iota // only changes inside
	showChange                // a change, and changes inside
	showSecret                // that something changed inside a secret
	showHidden                // that something changed
)

// told reports whether an entry shows more than changes inside.
func (e *entry) told() bool { return e.showing != showBelow }

// outliner arranges the changes of a diff as nested entries, as deep as texts
// nest. Changes inside a secret become one entry at the secret, unless secrets
// are revealed, and so do those that are hidden. It goes through the tree of the
// diff, not through paths, so that it is linear in its size at any depth.
type outliner struct {
	opts   Options
	levels int      // to nest
	left   int      // entries that may still be made
	open   []*entry // the entries above and at the place, the root first
	states []standing
	cover  *entry // its inside is not shown: a place is inside while deeper than depth
	depth  int    // of cover
}

// standing holds how far the patterns of the options have matched at a place.
type standing struct{ replace, hide path.State }

func (s standing) step(to path.Step) standing {
	return standing{s.replace.Step(to), s.hide.Step(to)}
}

// intoElement returns the standing below an element that only one side has: a pattern
// that continues there does not make it replace (see [provider.TwoWay]).
func (s standing) intoElement() standing {
	if !s.replace.Covers() {
		s.replace = path.State{}
	}
	return s
}

// outline returns the entry of the root of a diff that is not empty.
func outline(top difftree.Place, opts Options, levels int) *entry {
	o := outliner{opts: opts, levels: max(levels, 0), left: opts.MaxLines}
	root := &entry{at: top}
	o.open = append(o.open, root)
	for s, depth := top, 0; s.In != nil; {
		if o.visit(s, depth) && s.Node().Below != nil {
			s, depth = s.Node().Below.Child(0), depth+1
			continue
		}
		for s.In != nil && s.At+1 == len(s.In.Nodes) {
			s, depth = s.Container(), depth-1
		}
		s.At++
	}
	return root
}

// visit records what to show of a place, and reports whether to visit the places inside.
func (o *outliner) visit(s difftree.Place, depth int) bool {
	n := s.Node()
	st := standing{o.opts.ReplaceOn.Start(), o.opts.HideDiffs.Start()}
	if depth > 0 {
		st = o.states[depth-1].step(s.In.Step(s.At, n.Removed()))
	}
	o.states = append(o.states[:depth], st)
	forces := n.Facts.Has(difftree.IsChange) && (st.replace.Covers() || s.Holds(st.replace, false))
	if o.cover != nil && depth > o.depth {
		o.cover.replaces = o.cover.replaces || forces
		return !o.cover.replaces
	}
	o.cover = nil
	show := o.show(s, st)
	if !n.Facts.Has(difftree.IsChange) && n.Below == nil {
		return false // an element that moved, if order does not count
	}
	if depth > o.levels && show == showBelow {
		return true
	}
	e := o.entry(s, depth)
	if e == nil {
		return false
	}
	e.showing, e.state, e.replaces = show, st, forces
	if show == showChange || show == showSecret {
		o.mark(depth)
	}
	if show == showSecret || show == showHidden {
		o.cover, o.depth = e, depth
		return !forces && o.opts.ReplaceOn.Len() > 0
	}
	return true
}

// show decides what to show of a place.
func (o *outliner) show(s difftree.Place, st standing) showing {
	n := s.Node()
	switch {
	case st.hide.Covers():
		return showHidden
	case o.opts.Secrets != RevealSecrets && n.Below != nil && n.Below.Secret:
		return showSecret
	case n.Facts.Has(difftree.IsChange):
		return showChange
	}
	return showBelow
}

// entry makes the entry for a place, below that of its container. If there are too many
// it returns nil, and the entry of the container counts it.
func (o *outliner) entry(s difftree.Place, depth int) *entry {
	if depth == 0 {
		return o.open[0]
	}
	parent := o.open[min(depth-1, o.levels)]
	if o.left == 0 || depth > o.levels && len(parent.below) == maxDeep {
		parent.more++
		o.mark(depth)
		return nil
	}
	o.left--
	e := &entry{at: s, rest: 1}
	parent.below = append(parent.below, e)
	if depth > o.levels {
		e.rest = depth - o.levels
		e.label = pathLabelOf(s, e.rest)
		return e
	}
	e.label = labelOf(s)
	o.open = append(o.open[:depth], e)
	return e
}

// mark records in the entries above a place that something inside them is shown.
func (o *outliner) mark(depth int) {
	for i := min(depth-1, o.levels); i >= 0 && !o.open[i].shown; i-- {
		o.open[i].shown = true
	}
}

// flat returns the entries to write for what is inside a container: in place of
// containers in which all is hidden, what is hidden in them, named by path. It
// recurses no deeper than entries nest.
func flat(dst, es []*entry, above int) []*entry {
	for _, e := range es {
		switch {
		case e.showing == showHidden:
			e.label = pathLabelOf(e.at, above+e.rest)
			dst = append(dst, e)
		case e.showing == showBelow && !e.shown:
			dst = flat(dst, e.below, above+e.rest)
		default:
			dst = append(dst, e)
		}
	}
	return dst
}
