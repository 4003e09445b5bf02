package engine

// NOTE: Delete is called in one place, delete. What leads there: leftovers, at the end of an
// update or in a destroy; deleteFirst and deleteDependents, in a replacement (steps.go).

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
)

func (r *run) destroy() error {
	if err := r.known(); err != nil {
		return err
	}
	if err := r.refreshMarked(); err != nil {
		return err
	}
	return r.clear(decide.BecauseAsked)
}

// clear deletes what is left, and then reports a target that is not there, as engines do.
func (r *run) clear(why string) error {
	missing := r.known()
	if err := r.leftovers(why); err != nil {
		return err
	}
	if r.scope != nil && r.scope.exclude { // what is not there is not changed
		return nil
	}
	return missing
}

// leftovers deletes what is left of the state before the run, the last first. If one is
// protected, none is deleted, unless the run continues on errors.
func (r *run) leftovers(why string) error {
	may, err := r.deletable()
	if err != nil {
		return err
	}
	for _, e := range r.base {
		switch {
		case !r.isLeft(e):
		case may == nil || may[e.URN]:
			r.deletes[e.URN] = true
		default:
			live := r.live(e.URN)
			e.stays, e.passes = true, r.states[e.URN] == nil && (live == nil || !live.claimed)
		}
	}
	if err := r.passLeft(); err != nil {
		return err
	}
	for _, e := range r.base {
		if r.isLeft(e) && e.kept() && !r.stack.Options.ContinueOnError {
			return r.remove(e, why)
		}
	}
	var n *needs
	if r.stack.Options.ContinueOnError {
		n = &needs{all: map[string]string{}, waiting: map[string]string{}, providers: map[string]string{}}
	}
	for _, e := range slices.Backward(r.base) {
		if n != nil {
			e.neededBy = n.of(e, r.live(e.URN))
		}
		if err := r.removeLeft(e, why); err != nil {
			return err
		}
		if n != nil {
			n.note(e)
		}
	}
	return nil
}

// needs is what stays in need of others, by what it refers to.
type needs struct {
	all, waiting map[string]string // by URN: all of it, and what waits for its deletion
	providers    map[string]string // by the reference to its provider
}

// of returns what is in need of an entry. What is live refers to what is live of a URN, but for
// providers, of which it says which one.
func (n *needs) of(e, live *entry) string {
	if e.Delete && live != nil && !live.Delete {
		return cmp.Or(n.waiting[e.URN], n.providers[referenceOf(&e.Resource)])
	}
	return n.all[e.URN]
}

// note notes what an entry is in need of, if it stays.
func (n *needs) note(e *entry) {
	by := e.neededBy
	if e.stays {
		by = e.URN
	}
	if by == "" {
		return
	}
	for u := range references(&e.Resource) {
		n.all[u] = cmp.Or(n.all[u], by)
		if e.Delete {
			n.waiting[u] = cmp.Or(n.waiting[u], by)
		}
	}
	n.providers[e.Provider] = cmp.Or(n.providers[e.Provider], by)
}

// removeLeft removes what is left, unless something stays that depends on it, or did so.
func (r *run) removeLeft(e *entry, why string) error {
	var err error
	switch {
	case !r.isLeft(e):
		return nil
	case e.neededBy != "":
		err = r.skip(e.URN, e, decide.BecauseNeeded, []string{e.neededBy})
	default:
		err = r.remove(e, why)
	}
	if errors.Is(err, errSkipped) {
		e.stays = true
		return nil
	}
	return err
}

// isLeft reports whether something of the state before the run is to be deleted at its end.
func (r *run) isLeft(e *entry) bool { return !e.dropped && !e.stays && (!e.deleted || !e.hidden) }

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
	if r.preview || !e.Custom || e.External || e.PendingReplacement || isKept {
		return nil
	}
	if isProvider(e.Type) { // nothing can stay with it
		delete(r.instances, referenceOf(&e.Resource))
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
	if err := r.refuseReplacement(t, all); err != nil {
		return err
	}
	for _, e := range all {
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

// refuseReplacement reports what of a resource and its dependents cannot be deleted first, and
// skips the resource if one of them would not be made again.
func (r *run) refuseReplacement(t *task, dependents []*entry) error {
	for _, e := range slices.Backward(dependents) {
		if e.Protect && !e.Delete {
			return fmt.Errorf("%s is protected and cannot be replaced", e.URN)
		}
	}
	if causes := r.lacking(&t.now, (*outcome).isSkipped); len(causes) > 0 {
		if len(dependents) > 0 { // it stays also for them
			causes = append(causes, t.now.URN)
		}
		return r.skip(t.now.URN, t.old, decide.BecauseSkipped, causes)
	}
	for _, e := range append([]*entry{t.old}, dependents...) {
		if !e.deleted && !e.PendingReplacement && len(r.lacking(&e.Resource, (*outcome).isSkipped)) > 0 {
			return r.skip(t.now.URN, t.old, decide.BecauseSkipped, []string{e.URN})
		}
	}
	return nil
}
