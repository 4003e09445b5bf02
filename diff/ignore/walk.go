package ignore

// NOTE: walk.go goes through both values, rules.go says where a step of a pattern leads and
// what is a mismatch, by mode, and edit.go rebuilds containers. No edit changes the length of
// an array: rules.go allows none, edit.go and the documentation of Changes rely on it.

import (
	"cmp"
	"slices"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// walker applies patterns. It goes down from the root with all patterns at a time, so
// that a container is rebuilt once however many of them change it. That is the same
// as one pattern after the other: what is done at a place depends only on what was
// done there before, and on whether an earlier mismatch has ended the pattern; so it
// suffices that every place gets its patterns in their order, and that every pattern
// gets its places in theirs.
type walker struct {
	mode    Mode
	isDeep  bool            // a pattern has the wildcard of any depth, and may have several tasks at a place
	results []PatternResult // by the numbers of the tasks
}

type task struct {
	step   path.Step    // the last step to the place
	rest   path.Pattern // the steps below; the root pattern: the place is to be set back
	number int
	deep   bool // the steps are anywhere below the place
}

// place is a place in both values. Values are as they come out of their containers:
// what is in a secret is secret.
type place struct {
	up           *place // nil at the root
	step         path.Step
	old, now     value.Value // now is what the patterns have made of it so far
	inOld, inNow bool        // whether there is such a place
	changed      bool
	depth        int
	outermost    int   // the depth of the outermost secret above, in old or now; -1 for none
	link         *link // the path, once a mismatch has referred to it
}

func (p *place) child(s path.Step, old value.Value) place {
	c := place{up: p, step: s, depth: p.depth + 1, outermost: p.outermostSecret()}
	if name, ok := s.AsKey(); ok {
		c.old, c.inOld = old.Lookup(name)
		c.now, c.inNow = p.now.Lookup(name)
		return c
	}

	i, _ := s.AsIndex()
	c.old, c.inOld = old.Elem(i), i < old.Len()
	c.now, c.inNow = p.now.Elem(i), i < p.now.Len()
	return c
}

// outermostSecret returns the depth of the outermost secret at or above the place, in
// old or now, and -1 if there is none.
func (p *place) outermostSecret() int {
	if p.outermost < 0 && (p.old.IsSecret() || p.now.IsSecret()) {
		return p.depth
	}
	return p.outermost
}

// apply applies tasks to a place, in order.
func (w *walker) apply(p *place, tasks []task) {
	if w.isDeep {
		tasks = slices.DeleteFunc(deepened(tasks, p.inNow), w.ended)
	}
	for len(tasks) > 0 {
		t := tasks[0]
		done := 1

		switch {
		case !t.rest.IsRoot() && p.inNow:
			done = w.together(p, tasks)
			w.descend(p, tasks[:done])
		case !t.rest.IsRoot():
			if p.inOld && (!w.isDeep || !w.ended(t)) {
				w.mismatch(p, t, missingSide)
			}
		case p.up == nil && w.mode == AsEngine:
			w.mismatch(p, t, kindDiffers)
		case p.inOld || p.inNow:
			p.now, p.inNow, p.changed = p.old, p.inOld, true
			w.results[t.number].Matched++
		}

		tasks = tasks[done:]
	}
}

// deepened returns tasks with two in the place of each that is at a wildcard of any depth: one
// that is done with it, and one that leads to the children. Of equal ones the first is kept.
// Where the place is not in new, a wildcard leads no further, so that only what ends there stays.
func deepened(tasks []task, inNow bool) []task {
	isDeep := func(t task) bool {
		step, _, ok := t.rest.Cut()
		return ok && step.IsAnyDepth()
	}
	var all []task
	seen := map[task]bool{}
	add := func(t task) {
		if t.step = (path.Step{}); !seen[t] {
			seen[t], all = true, append(all, t)
		}
	}
	for _, t := range tasks {
		here := t
		for isDeep(here) {
			_, here.rest, _ = here.rest.Cut()
		}
		if inNow || here.rest == t.rest || here.rest.IsRoot() {
			add(here)
		}
		if inNow && here.rest != t.rest && !here.rest.IsRoot() { // else all that is below is done
			add(task{rest: here.rest, number: t.number, deep: true})
		}
	}
	return all
}

// together returns how many of the tasks, at least one, can be done in one descent:
// those before the next that changes the place itself.
func (w *walker) together(p *place, tasks []task) int {
	for i, t := range tasks[1:] {
		if t.rest.IsRoot() || w.spreadsSecret(p, t) {
			return i + 1
		}
	}
	return len(tasks)
}

// descend applies tasks to the children of a place.
func (w *walker) descend(p *place, tasks []task) {
	if w.spreadsSecret(p, tasks[0]) {
		p.now, p.changed = value.Secret(p.now), true
	}

	var (
		fewTasks, fewDue [2]task
		fewSteps         [2]path.Step
		fewEdits         [2]edit
		child            place
	)
	exact, wild := w.appendLeading(fewTasks[:0], p, tasks)
	steps := appendSteps(fewSteps[:0], p, exact, wild)
	edits := slices.Grow(fewEdits[:0], len(steps))
	due := fewDue[:0]
	old := p.old
	if !w.form(old).container() {
		old = value.Null()
	}
	for _, s := range steps {
		child = p.child(s, old)
		n := 0
		for n < len(exact) && exact[n].step == s {
			n++
		}
		due = w.appendDue(due[:0], &child, exact[:n], wild)
		exact = exact[n:]
		w.apply(&child, due)
		if child.changed {
			edits = append(edits, edit{step: s, value: child.now, remove: !child.inNow})
		}
	}

	for _, t := range wild {
		if !w.ended(t) && t.step.IsWildcard() {
			w.checkLengths(p, t)
		}
	}

	p.edit(edits)
}

// appendLeading takes the next step of the tasks that may lead to children of a place. It
// appends those that take an exact step, sorted by step, and returns those that take a
// wildcard. Both are in the order of the patterns otherwise.
func (w *walker) appendLeading(to []task, p *place, tasks []task) (exact, wild []task) {
	exact = to
	for _, t := range tasks {
		switch {
		case w.isDeep && w.ended(t): // by another task of the pattern
			continue
		case t.deep:
			if w.leadsDown(p) {
				t.step, t.deep = path.AnyDepth(), false
				t.rest = path.PatternOf(path.AnyDepth()).Append(slices.Collect(t.rest.Steps())...)
				wild = append(wild, t)
			}
			continue
		}
		step, below, _ := t.rest.Cut()
		if !w.leads(p, t, step, below.IsRoot()) {
			continue
		}
		t.step, t.rest = step, below

		if step.IsWildcard() {
			wild = append(wild, t)
		} else {
			exact = append(exact, t)
		}
	}
	slices.SortStableFunc(exact, func(t, u task) int { return t.step.Compare(u.step) })
	return exact, wild
}

// appendDue appends the tasks that lead to a child, in the order of the patterns.
func (w *walker) appendDue(due []task, child *place, exact, wild []task) []task {
	due = append(due, exact...)

	if !child.inOld && !child.inNow {
		wild = nil // a wildcard leads to children that there are
	}
	for _, t := range wild {
		// An inner wildcard of the engine visits what old has.
		visits := w.mode != AsEngine || child.inOld || t.rest.IsRoot()
		if visits && !w.ended(t) {
			due = append(due, t)
		}
	}
	slices.SortFunc(due, func(t, u task) int { return cmp.Compare(t.number, u.number) })
	return due
}

// appendSteps appends the steps to the children that tasks may lead to, in order.
func appendSteps(all []path.Step, p *place, exact, wild []task) []path.Step {
	for _, t := range exact {
		all = append(all, t.step)
	}
	switch {
	case len(wild) == 0:
	case p.now.Kind() == value.KindArray:
		for i := range min(p.old.Len(), p.now.Len()) {
			all = append(all, path.Index(i))
		}
	default:
		for _, side := range []value.Value{p.old, p.now} {
			for name := range side.Keys() {
				all = append(all, path.Key(name))
			}
		}
	}
	slices.SortFunc(all, path.Step.Compare)

	return slices.Compact(all)
}

// mismatch reports a mismatch at a place, or at a child of it.
func (w *walker) mismatch(p *place, t task, why reason, below ...path.Step) {
	at := p.linked()
	for _, s := range below {
		at = &link{up: at, step: s}
	}
	m := Mismatch{outermost: p.outermostSecret(), why: why}
	if at != nil {
		m.at = veil.Hide(at)
	}

	r := &w.results[t.number]
	r.Mismatches = append(r.Mismatches, m)
}

// ended reports whether a mismatch has ended a pattern.
func (w *walker) ended(t task) bool {
	return w.mode == AsEngine && len(w.results[t.number].Mismatches) > 0
}

func (p *place) linked() *link {
	if p.link == nil && p.up != nil {
		p.link = &link{up: p.up.linked(), step: p.step}
	}
	return p.link
}
