package provider

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
)

// stepSize is what a step of a path counts for, besides its key.
const stepSize = 4

// stepWeight is how many bytes the last step to a spot adds to a path.
func stepWeight(s difftree.Place) int { return len(s.Node().Key) + stepSize }

// overfull reports whether the paths of all entries would take more bytes than they
// may. It looks once, when there are many.
func (w *responder) overfull(root *difftree.Branch) bool {
	if w.listed < w.most/16 || w.fits {
		return false
	}
	w.deepest = depthListed(root, w.most)
	w.fits = w.deepest == 0
	return !w.fits
}

// bounded makes the entries anew, where they would be overfull: below a depth at
// which their paths take less the container there is updated, as a whole.
func (w *responder) bounded(root *difftree.Branch) {
	w.answer.Detailed, w.answer.Diffs, w.answer.Replaces, w.answer.Changes = w.answer.Detailed[:0], w.answer.Diffs[:0], nil, None
	w.changed, w.mixed, w.coarse = nil, false, true
	var t entryPaths // not used
	for i := range root.Nodes {
		top := root.Child(i)
		told, replaces := false, false
		for s, depth := top, 1; ; s.At++ {
			var tells, forces bool
			switch {
			case stopsAt(s):
				_, tells, forces = w.entries(t, s)
			case depth == w.deepest:
				if tells, forces = w.inside(s); tells {
					w.entry(t, s, false, Update, forces)
				}
			default:
				s, depth = s.Node().Below.Child(-1), depth+1
				continue
			}
			told, replaces = told || tells, replaces || forces
			for s != top && s.At+1 == len(s.In.Nodes) {
				s, depth = s.Container(), depth-1
			}
			if s == top {
				break
			}
		}
		if told {
			w.name(top, replaces, true)
		}
	}
}

// state is where a set of patterns has got to at a spot, on one side.
func (w *responder) state(s difftree.Place, old bool) path.State {
	if !w.coarse {
		return s.StateOn(w.opts.ReplaceOn, old)
	}
	st := w.opts.ReplaceOn.Start()
	w.room = s.Steps(w.room[:0], old)
	for _, step := range w.room {
		if st.Dead() {
			break
		}
		st = st.Step(step)
	}
	return st
}

// depthListed is the greatest depth, 1 at least, such that the paths of all
// entries down to it take no more than so many bytes, with those of the containers
// there that have entries below; 0 where any depth will do.
func depthListed(b *difftree.Branch, most int) int {
	type level struct{ entries, containers int } // in bytes
	type open struct {
		at         *difftree.Branch
		next, size int
	}
	levels := []level{{}}
	stack := []open{{at: b}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.at.Nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		s := top.at.Child(top.next)
		top.next++
		depth, size := len(stack), top.size+stepWeight(s)
		if depth == len(levels) {
			levels = append(levels, level{})
		}
		switch {
		case !stopsAt(s):
			levels[depth].containers += size
			stack = append(stack, open{at: s.Node().Below, size: size})
		case isShifted(s):
			levels[depth].entries += 2 * size
		default:
			levels[depth].entries += size
		}
	}
	deepest, entries := 1, levels[1].entries
	for depth := 2; depth < len(levels); depth++ {
		if entries += levels[depth].entries; entries+levels[depth].containers > most {
			return deepest
		}
		deepest = depth
	}
	return 0
}

// inside reports whether there is anything to tell inside a container, and whether
// that requires a replacement.
func (w *responder) inside(s difftree.Place) (told, replaces bool) {
	type open struct {
		at    *difftree.Branch
		next  int
		state path.State
	}
	stack := []open{{at: s.Node().Below, state: w.state(s, false)}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.at.Nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		child := top.at.Child(top.next)
		top.next++
		st := top.state.Step(child.In.Step(child.At, child.Node().Removed()))
		switch {
		case !stopsAt(child):
			stack = append(stack, open{at: child.Node().Below, state: st})
			continue
		case isUnreported(child):
			continue
		}
		told = true
		if w.opts.ReplaceOn.Len() == 0 {
			return true, false
		}
		if w.firesAt(child, st) || isShifted(child) && w.firesAt(child, top.state.Step(child.In.Step(child.At, true))) {
			return true, true
		}
	}
	return told, false
}
