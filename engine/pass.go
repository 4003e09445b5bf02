package engine

// NOTE: What a run may not change is passed: it is the same. What the program declares is passed
// when it is registered, with what it refers to, and the rest in front of what is deleted.

import (
	"fmt"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
)

// pass leaves a resource as the state has it, since the run may not change it.
func (r *run) pass(t *task) error {
	if t.old == nil {
		a := t.action(OpSame, decide.BecauseNoTarget)
		t.missing, r.lacks = true, true
		return r.step(t, &a, func() error {
			r.add(t.goal.Name, &outcome{now: t.now, missing: true, partial: true})
			return nil
		})
	}
	if p := t.old.Provider; p != "" && r.instances[p] == nil {
		return fmt.Errorf("it is no target, and the run does not have its provider %s", providerOf(p))
	}
	if err := r.passNeeded(t.old); err != nil {
		return err
	}

	u, wanted := t.now.URN, t.now
	t.now = t.old.Resource
	err := r.passOne(t, &wanted)
	if u != t.now.URN {
		r.byName[u] = append(r.byName[u], t.now.URN)
	}
	return err
}

// passNeeded has the state have what a resource refers to before it, if the program does not
// declare it.
func (r *run) passNeeded(e *entry) error {
	if p := r.index.providers[e.Provider]; p != nil && p.Delete {
		return fmt.Errorf("it is no target, and its provider %s is replaced", p.URN)
	}
	for u, by := range references(&e.Resource) {
		needed := r.live(u)
		switch {
		case needed == nil || needed.at > e.at || needed.dropped || needed.claimed || r.states[u] != nil:
			continue
		case by == asProvider && referenceOf(&needed.Resource) != e.Provider: // one that replaced it
			continue
		case needed.deleted:
			return fmt.Errorf("it is no target, and %s was deleted, which it depends on", u)
		}
		err := r.passNeeded(needed)
		if err == nil {
			err = r.passOne(passed(needed), nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// passed returns a task for what the program does not declare, and cannot name but by its URN.
func passed(e *entry) *task {
	return &task{goal: &Goal{Name: e.URN}, old: e, now: e.Resource}
}

func (r *run) passOne(t *task, wanted *state.Resource) error {
	t.passes = true
	a := t.action(OpSame, decide.BecauseNoTarget)
	return r.step(t, &a, func() error {
		r.register(t, &outcome{wanted: wanted})
		a.Now = t.now
		return nil
	})
}

// passLeft has the state have what the program does not declare and the run may not delete
// before what it deletes.
func (r *run) passLeft() error {
	if r.scope == nil {
		return nil
	}
	left := map[string]bool{} // the URNs of what is where it was in the state
	for _, e := range r.base {
		left[e.URN] = left[e.URN] || !e.dropped
	}
	for _, e := range r.base {
		if !e.passes {
			continue
		}
		a := Action{Op: OpSame, URN: e.URN, Why: decide.BecauseNoTarget, Old: e.Resource, Now: e.Resource}
		if err := r.take(&a, func() error { return nil }); err != nil {
			return err
		}
		if !r.refersToLeft(e, left) {
			e.dropped, left[e.URN], r.made = true, false, append(r.made, &outcome{now: e.Resource})
		}
	}
	return nil
}

// refersToLeft reports whether something refers to what the run has not made, but left where
// it was in the state.
func (r *run) refersToLeft(e *entry, left map[string]bool) bool {
	if p := r.index.providers[e.Provider]; p != nil && !p.dropped {
		return true
	}
	for u := range references(&e.Resource) {
		if o := r.states[u]; left[u] && (o == nil || o.isAbsent()) {
			return true
		}
	}
	return false
}
