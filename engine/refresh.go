package engine

import (
	"errors"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

func (r *run) refresh() error { return r.refreshThose(func(*entry) bool { return true }) }

// refreshMarked refreshes what a provider wants to be refreshed before each update.
func (r *run) refreshMarked() error {
	return r.refreshThose(func(e *entry) bool { return e.RefreshBeforeUpdate })
}

func (r *run) refreshThose(chosen func(*entry) bool) error {
	for _, e := range r.base {
		if !chosen(e) || !e.Custom || isProvider(e.Type) || e.PendingReplacement {
			continue
		}
		a := Action{Op: "refresh", URN: e.URN, Why: decide.BecauseAsked, Old: r.refreshed(e).Resource}
		if err := r.take(&a, func() error { return r.refreshOne(e, &a) }); err != nil {
			return err
		}
	}

	return nil
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
