package engine

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func (r *run) refresh() error {
	if err := r.known(); err != nil {
		return err
	}
	return r.refreshThose(func(*entry) bool { return true })
}

// refreshMarked refreshes what a provider wants to be refreshed before each update, unless all of
// that waits for its deletion.
func (r *run) refreshMarked() error {
	isMarked := func(e *entry) bool { return e.RefreshBeforeUpdate }
	if !slices.ContainsFunc(r.base, func(e *entry) bool { return isMarked(e) && !e.Delete }) {
		return nil
	}
	if err := r.known(); err != nil {
		return err
	}
	return r.refreshThose(isMarked)
}

// refreshThose refreshes what is chosen and in the scope of the run, which ends after it if
// one failed.
func (r *run) refreshThose(chosen func(*entry) bool) (failed error) {
	var those []*entry // before references to what is not found are removed
	for _, e := range r.base {
		if chosen(e) && r.isRefreshed(e) && e.Custom && !isProvider(e.Type) && !e.PendingReplacement {
			those = append(those, e)
		}
	}
	for _, e := range those {
		a := Action{Op: "refresh", URN: e.URN, Why: decide.BecauseAsked, Old: r.refreshed(e).Resource}
		err := r.take(&a, func() error { return r.refreshOne(e, &a) })
		if errors.Is(err, errSkipped) {
			failed = errStopped
		} else if err != nil {
			return err
		}
	}
	for _, e := range r.base { // while all that is dropped is gone
		r.refreshed(e)
	}
	r.index.dependents = nil
	if r.scope != nil {
		clear(r.scope.found) // an update begins anew
	}
	return failed
}

// isRefreshed reports whether an entry is in the scope of a refresh, in which nothing depends on
// its provider.
func (r *run) isRefreshed(e *entry) bool {
	if r.scope == nil {
		return true
	}
	covers := r.scope.covers(&e.Resource, false)
	r.scope.found[e.URN] = r.scope.found[e.URN] || covers
	return covers != r.scope.exclude
}

// refreshOne reads a resource and writes what was read.
func (r *run) refreshOne(e *entry, a *Action) error {
	i, err := r.configured(e.Provider)
	if err != nil {
		return err
	}

	read, reasons, err := i.read(&e.Resource, e.ID, e.Inputs, e.Outputs)
	switch {
	case errors.Is(err, errNotFound):
		a.Why, e.dropped = decide.BecauseMissing, true
		r.forget(e.URN)
		return nil
	case err != nil:
		return err
	}

	now, _ := decide.Refreshed(e.Resource, &read, nil)
	now.InitErrors = r.reasons(reasons)
	old := e.Resource
	e.Resource, a.Now = now, now
	if old.External {
		outputs := diff.Between(protocol.Present(old.Outputs), protocol.Present(now.Outputs), diff.Options{Relation: value.Engine})
		found := provider.Differ{}.Respond(outputs)
		a.Keys, a.Response.Changes = keysOf(found, provider.Sides{OldState: old.Outputs, News: now.Outputs}, false), found.Changes
	} else {
		now.Outputs = read.Properties // as it was read, not as it is written
		answer, sides, err := i.diff(&now, old.Inputs, old.IgnoreChanges)
		if err != nil {
			return err
		}
		a.Response, a.Sides = answer.Invert(), sides
		a.Sides.OldInputs, a.Sides.News = old.Inputs, now.Inputs
		a.Keys = keysOf(a.Response, a.Sides, false)
	}
	a.Why = decide.BecauseChanged
	if a.Response.Changes == rpc.DiffNone { // what was read may differ in what is ignored
		a.Why = decide.BecauseSame
	}
	return nil
}
