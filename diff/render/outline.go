package render

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// entry is a line, or a container of lines, of the text of a diff.
type entry struct {
	at       difftree.Place
	up       *entry // the entry above
	rest     int    // how many steps lead here from the entry above
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

// shows reports whether an entry shows more than changes inside.
func (e *entry) shows() bool { return e.showing != showBelow }

// outliner arranges the changes of a diff as nested entries, as deep as texts
// nest. Changes inside a secret become one entry at the secret, unless secrets
// are revealed, and so do those that are hidden. It goes through the tree of the
// diff, not through paths, so that it is linear in its size at any depth.
type outliner struct {
	opts   Options
	levels int // to nest
	left   int // entries that may still be made
}

// above describes what the places inside a place inherit.
type above struct {
	depth int // of the place; the root has 0
	state standing
	entry *entry // the innermost entry that nests
	cover *entry // the entry of an outer place whose inside is not shown, or nil
}

type standing struct{ replace, hide path.Matcher }

func (s standing) step(to path.Step) standing {
	return standing{s.replace.Next(to), s.hide.Next(to)}
}

// intoElement returns the standing below an element that only one side has: a pattern
// that continues there does not make it replace (see [difftree.Node.Forces]).
func (s standing) intoElement() standing {
	s.replace = difftree.Reached(s.replace)
	return s
}

// outline returns the entry of the root of a diff that is not empty.
func outline(top difftree.Place, opts Options, levels int) *entry {
	o := outliner{opts: opts, levels: max(levels, 0), left: opts.MaxLines}
	root := &entry{at: top}
	state := standing{opts.ReplaceOn.Matcher(), opts.HideDiffs.Matcher()}
	here, inside := o.visit(root, above{state: state, entry: root})
	if inside {
		difftree.Descend(top.Node().Below, here, func(s difftree.Place, step path.Step, up above) (above, bool) {
			e := &entry{at: s, up: up.entry}
			up.depth++
			up.state = up.state.step(step)
			return o.visit(e, up)
		})
	}

	return root
}

// visit records what to show of the place of an entry. It returns what holds inside, and
// whether to visit the places there.
func (o *outliner) visit(e *entry, here above) (inside above, deeper bool) {
	n, st := e.at.Node(), here.state
	forces := n.Forces(e.at.In.Rules, e.at.In.Kind, st.replace, false)
	if !forces {
		st.replace = path.Matcher{}
	}
	if here.cover != nil {
		here.cover.replaces = here.cover.replaces || forces
		return here, !here.cover.replaces
	}
	if !n.Facts.Has(difftree.IsChange) && n.Below == nil {
		return here, false // an element that moved, if order does not count
	}

	show := o.show(e.at, st)
	if here.depth > o.levels && show == showBelow {
		return here, true
	}
	if here.depth > 0 && !o.add(e, here.depth) {
		return here, false
	}
	e.showing, e.state, e.replaces = show, st, forces
	if here.depth <= o.levels {
		here.entry = e
	}
	if show == showChange || show == showSecret {
		e.up.mark()
	}
	if show == showSecret || show == showHidden {
		here.cover = e
		return here, !forces && o.opts.ReplaceOn.Len() > 0
	}

	return here, true
}

func (o *outliner) show(s difftree.Place, st standing) showing {
	n := s.Node()
	switch {
	case st.hide.MatchesAbove():
		return showHidden
	case o.opts.Secrets != value.RevealSecrets && n.Below != nil && n.Below.Secret:
		return showSecret
	case n.Facts.Has(difftree.IsChange):
		return showChange
	}

	return showBelow
}

// add adds an entry below that of its container. If there are too many it returns false,
// and the entry of the container counts it.
func (o *outliner) add(e *entry, depth int) bool {
	up := e.up
	if o.left == 0 || (depth > o.levels && len(up.below) == maxDeep) {
		up.more++
		up.mark()
		return false
	}

	o.left--
	up.below = append(up.below, e)
	if depth > o.levels {
		e.rest = depth - o.levels
		e.label = pathLabelOf(e.at, e.rest)
		return true
	}
	e.rest = 1
	e.label = labelOf(e.at)
	return true
}

// mark records in an entry, and those above it, that something inside is shown.
func (e *entry) mark() {
	for ; e != nil && !e.shown; e = e.up {
		e.shown = true
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
