package engine

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/internal/decide"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// read reads a resource that is not managed.
func (r *run) read(t *task) error {
	a := t.action("read", decide.BecauseAsked)
	replaces := t.old != nil && !t.old.External && t.old.ID != t.goal.ReadID
	if replaces {
		a.Op = "read-replacement"
	}
	now, i := &t.now, t.inst
	now.External, now.ID, now.Inputs = true, t.goal.ReadID, t.inputs
	now.Protect, now.PropertyDependencies, now.IgnoreChanges, now.ReplaceOnChanges, now.ImportID = false, nil, nil, nil, ""
	return r.take(&a, func() error {
		o := &outcome{partial: i.unknown, changed: t.old == nil || replaces}
		now.Outputs = value.Object()
		if !i.unknown {
			response, reasons, err := i.read(now, now.ID, now.Inputs, now.Inputs)
			if err != nil {
				return err
			}
			now.ID, now.Outputs, now.InitErrors = response.ID, response.Properties, r.reasons(reasons)
		}

		if replaces {
			r.supersede(t, o)
		} else {
			r.register(t, o)
		}

		a.Now = *now
		return nil
	})
}

var errNotFound = errors.New("there is nothing with this ID")

// read calls Read. A resource that is there but does not work is found, and why it does not.
func (i *instance) read(of *state.Resource, id string, inputs, outputs value.Value) (found rpc.ReadResponse, reasons []string, err error) {
	response, err := call(i, "Read", i.Read, &rpc.ReadRequest{
		ID: id, URN: of.URN, Name: nameOf(of.URN), Type: of.Type, Inputs: i.sent(inputs), Properties: i.sent(outputs), Timeout: of.CustomTimeouts.Read,
	})
	failed := initFailed(err)
	switch {
	case failed != nil:
		response = &rpc.ReadResponse{ID: failed.ID, Inputs: failed.Inputs, Properties: failed.Properties}
		reasons = failed.Reasons
	case err != nil:
		return rpc.ReadResponse{}, nil, err
	}
	if response.ID == "" {
		return rpc.ReadResponse{}, nil, fmt.Errorf("%w: %q", errNotFound, id)
	}

	found.ID, found.Inputs, found.Properties = response.ID, i.returned(&response.Inputs, inputs), i.returned(&response.Properties, outputs)
	return found, reasons, nil
}

// importOne reads a resource by its ID, and has the state have it as it was read.
func (r *run) importOne(t *task) error {
	a := t.action("import", decide.BecauseAsked)
	if t.old != nil {
		a.Op = "import-replacement"
	}

	i, imported := t.inst, *t
	now := &imported.now
	if i.unknown {
		return errors.New(decide.BecauseUnavailable)
	}

	err := r.take(&a, func() error {
		response, reasons, err := i.read(now, t.goal.ImportID, value.Null(), value.Null())
		switch {
		case err != nil:
			return err
		case response.Inputs.IsNull():
			return errors.New("the provider returned no inputs from Read, and cannot import")
		}
		now.ID, now.Inputs, now.Outputs, now.InitErrors = response.ID, response.Inputs, response.Properties, r.reasons(reasons)
		if r.imports {
			now.ImportID = ""
			_, _ = i.check(&imported, now.Inputs, now.Inputs) // engines call it, and only warn
		}
		r.supersede(&imported, &outcome{changed: true})
		a.Now = *now
		return nil
	})
	t.old = &entry{Resource: *now}
	return err
}

func (r *run) importAll() error {
	r.imports = true
	for _, e := range r.base {
		if !e.Delete {
			r.add(nameOf(e.URN), &outcome{now: e.Resource})
		}
	}

	for i := range r.program.Resources {
		g := &r.program.Resources[i]
		if u, _, err := r.urnOf(g); err == nil && g.ImportID == "" && r.states[u] != nil {
			continue // a component or provider that is there
		}
		if err := r.goal(g); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) refresh() error {
	for _, e := range r.base {
		if !e.Custom || isProvider(e.Type) || e.PendingReplacement {
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
