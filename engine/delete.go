package engine

// NOTE: Delete is called in one place, delete. What leads there: leftovers, at the end of an
// update or in a destroy; deleteFirst and deleteDependents, in a replacement (steps.go).

import (
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
)

func (r *run) destroy() error {
	if err := r.refreshMarked(); err != nil {
		return err
	}
	return r.leftovers(decide.BecauseAsked)
}

// leftovers deletes what is left of the state before the run, the last first. If one is
// protected, none is deleted.
func (r *run) leftovers(why string) error {
	for _, e := range r.base {
		if !e.dropped {
			r.deletes[e.URN] = true
		}
	}
	for _, e := range r.base {
		if !e.dropped && e.kept() {
			return r.remove(e, why)
		}
	}
	for _, e := range slices.Backward(r.base) {
		if e.dropped || (e.deleted && e.hidden) {
			continue
		}
		if err := r.remove(e, why); err != nil {
			return err
		}
	}

	return nil
}

func (r *run) remove(e *entry, why string) error {
	a := Action{Op: OpDelete, URN: e.URN, Why: why, Old: e.Resource}
	if e.Delete {
		a.Op, a.Why, a.Causes = "delete-replaced", decide.BecauseReplaced, []string{e.URN}
	}
	switch {
	case e.External && e.Delete:
		a.Op = "discard-replaced"
	case e.External:
		a.Op = "discard"
	case e.PendingReplacement && !e.Delete:
		a.Op = "remove-pending-replace"
	}

	return r.take(&a, func() error {
		if e.kept() {
			return errors.New("the resource is protected and cannot be deleted")
		}
		err := r.delete(e)
		e.dropped = err == nil
		return err
	})
}

// delete calls Delete for a resource that has one to call, outside previews.
func (r *run) delete(e *entry) error {
	isKept := e.RetainOnDelete || r.deletes[e.DeletedWith]
	if r.preview || !e.Custom || e.External || e.PendingReplacement || isKept || isProvider(e.Type) {
		return nil
	}

	i, err := r.configured(e.Provider)
	if err != nil {
		return err
	}
	return r.while("deleting", e.Resource, func() error {
		_, err := call(i, "Delete", i.Delete, &rpc.DeleteRequest{
			ID: e.ID, URN: e.URN, Name: nameOf(e.URN), Type: e.Type, Properties: i.sent(e.Outputs), OldInputs: i.sent(e.Inputs),
			Timeout: e.CustomTimeouts.Delete,
		})
		return err
	})
}

// deleteFirst deletes a resource that is then made again.
func (r *run) deleteFirst(e *entry, a Action) error {
	a.Op, a.URN, a.Old = "delete-replaced", e.URN, e.Resource
	if e.Delete {
		a.Op = OpDelete
	}
	return r.take(&a, func() error {
		if err := r.delete(e); err != nil {
			return err
		}
		if e.Delete {
			e.dropped = true
			return nil
		}

		e.Resource = decide.Written(decide.StepDeleteFirst, 1, e.Resource, state.Resource{})[0]
		a.Now = e.Resource
		return nil
	})
}

// deleteDependents deletes what has to be replaced with a resource, since it depends on
// it: those whose provider it is, and those that their providers would replace if the
// properties that depend on it changed. The same holds for what depends on those.
func (r *run) deleteDependents(t *task) error {
	root := t.old
	replaced := map[string]bool{root.URN: true}
	var all []*entry
	err := r.following(root, func(e *entry) (follow bool, err error) {
		if e.dropped || e.deleted || !e.Custom || e.External || (r.states[e.URN] != nil && !e.Delete) || (e.Delete && r.isNeeded(e)) {
			return false, nil
		}
		isReplaced, err := r.replacedWith(e, replaced)
		switch {
		case err != nil:
			return false, fmt.Errorf("%s: %w", e.URN, err)
		case isReplaced:
			all, replaced[e.URN] = append(all, e), true
		}
		return isReplaced, nil
	})
	if err != nil {
		return err
	}

	for _, e := range r.dependents(t.now.URN) {
		if slices.Contains(e.ReplaceWith, t.now.URN) && !e.dropped && !e.deleted && !e.Delete {
			e.keys, e.causes = []string{"replaceWith"}, []string{t.now.URN}
			all = append(all, e)
		}
	}
	for _, e := range slices.Backward(all) {
		if e.Protect && !e.Delete {
			return fmt.Errorf("%s is protected and cannot be replaced", e.URN)
		}
		r.deletes[e.URN] = true
	}
	for _, e := range slices.Backward(all) {
		if e.deleted {
			continue
		}
		if err := r.deleteFirst(e, Action{Why: decide.BecauseDependency, Keys: e.keys, Causes: e.causes}); err != nil {
			return err
		}
		e.deleted = true
	}

	return nil
}
