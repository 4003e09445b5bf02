package ignore

import (
	"slices"

	"github.com/propalg/propalg/internal/marks"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Mode says by whose rules [Changes] works.
type Mode uint8

// The modes.
const (
	// Engine gives what Pulumi's engine gives (3.194 and later), but in
	// index and key order, where the engine goes through objects at random. The
	// first mismatch ends its pattern: what came before is set back, what comes
	// after is not. A container with dependencies is no container. After `o[*]`,
	// where o is secret in old only, its members are secret, their keys are not.
	Engine Mode = iota
	// Corrected is [Engine] without its traps: a mismatch ends only its
	// own branch; where old has nothing, or null, it counts as an empty container
	// of new's kind, so that `t[*]` empties a t that came, as `t.x` takes an x out
	// of it; a wildcard goes on into members that only new has; containers with
	// dependencies are containers; what is in something not known is a mismatch,
	// never a reason to delete, unless the same unknown is on both sides; and an
	// object that gets its members from a secret one becomes secret, since keys are.
	Corrected
)

// String returns "engine" or "corrected".
func (m Mode) String() string {
	switch m {
	case Engine:
		return "engine"
	case Corrected:
		return "corrected"
	}
	return "invalid ignore mode"
}

// Changes sets every property of now that a pattern names back to what it is in
// old, as an engine does with ignoreChanges before it asks a provider for a diff:
// copies what old has, and removes what it has not. Where the two have no common
// shape there is no such property; the report says where, and why. Patterns are
// applied in the order given, each to the result of the one before.
//
// Both sides are seen through their secret marks. What is copied out of a secret
// stays one; containers keep their marks (law 7). No array changes its length.
// The rules are those of the specification of ignoreChanges (spec, section 4).
// The root pattern sets back all in the corrected mode; the engine takes it for a
// mismatch. A mode that there is not is [Corrected].
//
// Applying the patterns again changes nothing in the corrected mode; in the
// engine's this is true of one pattern, since of several a later one may make
// room for one that was stopped (law 12). The time is linear in the parts of the
// values that the patterns lead to, and in the containers that are made anew,
// however many patterns share them. Who applies one list to many values makes an
// [Ignorer] of it.
func Changes(old, now value.Value, patterns []path.Pattern, mode Mode) Result {
	reports := make([]PatternResult, len(patterns))
	in := keysAtRoots(old, now, mode, len(patterns))
	var a *ignoring
	waiting := -1 // a pattern that may do something, until it is known whether another comes
	for i := range patterns {
		reports[i].Pattern = patterns[i]
		switch {
		case in.lacks(patterns[i]):
			continue
		case waiting >= 0:
			a = a.orNew(old, now, mode, reports)
			a.apply(waiting)
		}
		waiting = i
	}
	if a == nil && waiting >= 0 {
		if made, matched, done := ignoreOne(old, now, mode, patterns[waiting]); done {
			reports[waiting].Matched = matched
			return Result{Value: made, Patterns: reports}
		}
	}
	if waiting >= 0 {
		a = a.orNew(old, now, mode, reports)
		a.apply(waiting)
		now = a.result()
	}
	return Result{Value: now, Patterns: reports}
}

// ignoring is a Changes call under way. The stack leads from the root to the place
// where the pattern of the moment has got to: frame i is where its step i is to be
// taken from.
type ignoring struct {
	old, now value.Value
	given    value.Value // now, as it was
	top      *draft      // of now, once something in it has changed
	mode     Mode
	reports  []PatternResult
	// inherited: now was handed out of a secret.
	inherited bool

	report  *PatternResult
	steps   []path.PatternStep
	stack   []frame
	walks   []wildcard // of the frames that a wildcard goes through
	stopped bool

	// room for what most patterns need
	fewSteps  [4]path.PatternStep
	fewFrames [4]frame
}

// orNew begins, if that has not been done.
func (a *ignoring) orNew(old, now value.Value, mode Mode, reports []PatternResult) *ignoring {
	if a == nil {
		a = &ignoring{
			old: old, now: now, mode: mode, reports: reports,
			inherited: now.IsSecret() && !now.OwnSecret(),
		}
		a.given = now
		a.steps, a.stack = a.fewSteps[:0], a.fewFrames[:0]
	}
	return a
}

// result is new as the patterns have left it.
func (a *ignoring) result() value.Value {
	result := a.now
	if a.top != nil {
		result = a.top.freeze()
	}
	if a.inherited {
		result = marks.KeepInherited(a.given, result)
	}
	return result
}

// frame is a place on both sides. There may be a million, so it is small.
type frame struct {
	old, now  value.Value
	draft     *draft    // of now, once something in it has changed
	crumb     *crumb    // of the place, once something refers to it
	step      path.Step // to here
	outermost int32     // how many steps down the outermost secret of either side is, -1 for none
	secret    bool      // new is secret here, or above
	begun     bool      // it has a walk
	done      bool
}

// wildcard is how far a wildcard has got in a container.
type wildcard struct {
	next  int      // the child to go to next
	count int      // how many there are
	keys  []string // over objects: the keys of both sides, where those of old are not enough
}

// apply applies one pattern, by its number.
func (a *ignoring) apply(number int) {
	a.report = &a.reports[number]
	p := a.report.Pattern
	switch {
	case p.IsRoot() && a.mode == Engine:
		a.report.Mismatches = []Mismatch{{outermost: -1, why: KindDiffers}}
		return
	case p.IsRoot():
		a.now, a.top = settled(a.old, a.inherited), nil
		a.report.Matched++
		return
	}
	a.steps = a.steps[:0]
	for s, below, ok := p.Cut(); ok; s, below, ok = below.Cut() {
		a.steps = append(a.steps, s)
	}
	a.stopped = false
	root := frame{old: a.old, now: a.now, draft: a.top, secret: a.inherited || a.now.IsSecret(), outermost: -1}
	if a.top != nil {
		root.now, root.secret = a.top.marks, a.top.secret
	}
	if root.secret || a.old.IsSecret() {
		root.outermost = 0
	}
	deepest := min(len(a.steps), max(a.old.Depth(), a.now.Depth())+1)
	a.stack = append(slices.Grow(a.stack[:0], deepest), root)
	a.walks = a.walks[:0]
	for len(a.stack) > 0 && !a.stopped {
		f := a.here()
		if !f.done {
			a.advance()
			continue
		}
		if f.begun {
			a.walks = a.walks[:len(a.walks)-1]
		}
		a.stack = a.stack[:len(a.stack)-1]
	}
}

func (a *ignoring) here() *frame { return &a.stack[len(a.stack)-1] }

// advance takes the next step of the pattern from the innermost place.
func (a *ignoring) advance() {
	f, last := a.here(), len(a.stack) == len(a.steps)
	s, exact := a.steps[len(a.stack)-1].Step()
	f.done = exact || last
	name, isKey := s.Key()
	i, _ := s.Index()
	switch {
	case exact && isKey && last:
		a.lastKey(name)
	case exact && isKey:
		a.innerKey(name)
	case exact && last:
		a.lastIndex(i)
	case exact:
		a.innerIndex(i)
	case last:
		a.lastAny()
	default:
		a.innerAny()
	}
}

// enter goes one step down, to a place that new has. Where old has none it is as
// good as null there.
func (a *ignoring) enter(s path.Step, old value.Value) {
	f := a.here()
	now, below, _ := f.child(s)
	next := frame{
		old: old, now: now, draft: below, step: s,
		secret: f.secret || now.IsSecret(), outermost: f.outermost,
	}
	if next.outermost < 0 && (old.IsSecret() || now.IsSecret()) {
		next.outermost = int32(min(len(a.stack), path.MaxIndex)) //nolint:gosec // it fits
	}
	a.stack = append(a.stack, next)
}

// child is what new has below a place by now.
func (f *frame) child(s path.Step) (v value.Value, below *draft, there bool) {
	if f.draft != nil {
		return f.draft.child(s)
	}
	if i, indexed := s.Index(); indexed {
		return f.now.Elem(i), nil, i < f.now.Len()
	}
	name, _ := s.Key()
	v, there = f.now.Lookup(name)
	return v, nil, there
}

// width is how many elements an array of new has; no pattern changes that.
func (f *frame) width() int { return f.now.Len() }

// open makes the innermost place one that can be written to, and with it those
// above.
func (a *ignoring) open() *draft {
	i := len(a.stack) - 1
	for i >= 0 && a.stack[i].draft == nil {
		i--
	}
	for i++; i < len(a.stack); i++ {
		f := &a.stack[i]
		f.draft = &draft{marks: f.now, from: f.now, secret: f.secret}
		if i == 0 {
			a.top = f.draft
		} else {
			a.stack[i-1].draft.put(f.step, slot{state: slotOpen, below: f.draft})
		}
	}
	return a.here().draft
}

// set copies what old has.
func (a *ignoring) set(s path.Step, old value.Value) {
	d := a.open()
	d.put(s, slot{state: slotSet, value: settled(old, d.secret)})
	a.report.Matched++
}

// stop notes a mismatch at the innermost place, or a step below it; in the
// engine's mode it is the pattern's end.
func (a *ignoring) stop(why Reason, below ...path.Step) {
	i := len(a.stack) - 1
	for i > 0 && a.stack[i].crumb == nil {
		i--
	}
	up := a.stack[i].crumb
	for i++; i < len(a.stack); i++ {
		f := &a.stack[i]
		f.crumb = newCrumb(up, f.step)
		up = f.crumb
	}
	m := Mismatch{why: why, outermost: int(a.here().outermost)}
	for _, s := range below {
		up = newCrumb(up, s)
	}
	if up != nil {
		m.at = veil.Hide(up)
	}
	a.report.Mismatches = append(a.report.Mismatches, m)
	a.stopped = a.mode == Engine
}
