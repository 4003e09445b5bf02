package diff

import "github.com/propalg/propalg/path"

// stepSize is what a step of a path counts for, besides its key.
const stepSize = 4

// weight is how many bytes the last step to a spot adds to a path.
func (s spot) weight() int { return len(s.node().key) + stepSize }

// overfull reports whether the paths of all entries would take more bytes than they
// may. It looks once, when there are many.
func (w *responder) overfull(root *branch) bool {
	if w.listed < w.most/16 || w.fits {
		return false
	}
	w.deepest = root.depthListed(w.most)
	w.fits = w.deepest == 0
	return !w.fits
}

// bounded makes the entries anew, where they would be overfull: below a depth at
// which their paths take less the container there is updated, as a whole.
func (w *responder) bounded(root *branch) {
	w.answer.Detailed, w.answer.Diffs, w.answer.Replaces, w.answer.Changes = w.answer.Detailed[:0], w.answer.Diffs[:0], nil, None
	w.changed, w.mixed, w.coarse = nil, false, true
	var t trail // not used
	for i := range root.nodes {
		top := spot{root, i}
		told, replaces := false, false
		for s, depth := top, 1; ; s.i++ {
			var tells, forces bool
			switch {
			case s.stops():
				_, tells, forces = w.entries(t, s)
			case depth == w.deepest:
				if tells, forces = w.inside(s); tells {
					w.entry(t, s, false, Update, forces)
				}
			default:
				s, depth = spot{s.node().below, -1}, depth+1
				continue
			}
			told, replaces = told || tells, replaces || forces
			for s != top && s.i+1 == len(s.in.nodes) {
				s, depth = spot{s.in.up, s.in.at}, depth-1
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
func (w *responder) state(s spot, old bool) path.State {
	if !w.coarse {
		return s.stateOn(w.opts.ReplaceOn, old)
	}
	st := w.opts.ReplaceOn.Start()
	w.room = s.steps(w.room[:0], old)
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
func (b *branch) depthListed(most int) int {
	type level struct{ entries, containers int } // in bytes
	type open struct {
		at         *branch
		next, size int
	}
	levels := []level{{}}
	stack := []open{{at: b}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.at.nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		s := spot{top.at, top.next}
		top.next++
		depth, size := len(stack), top.size+s.weight()
		if depth == len(levels) {
			levels = append(levels, level{})
		}
		switch {
		case !s.stops():
			levels[depth].containers += size
			stack = append(stack, open{at: s.node().below, size: size})
		case s.shifted():
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
func (w *responder) inside(s spot) (told, replaces bool) {
	type open struct {
		at    *branch
		next  int
		state path.State
	}
	stack := []open{{at: s.node().below, state: w.state(s, false)}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.at.nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		child := spot{top.at, top.next}
		top.next++
		st := top.state.Step(child.in.step(child.i, child.node().gone()))
		switch {
		case !child.stops():
			stack = append(stack, open{at: child.node().below, state: st})
			continue
		case child.untold():
			continue
		}
		told = true
		if w.opts.ReplaceOn.Len() == 0 {
			return true, false
		}
		if w.firesAt(child, st) || child.shifted() && w.firesAt(child, top.state.Step(child.in.step(child.i, true))) {
			return true, true
		}
	}
	return told, false
}
