package engine

import (
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/value"
)

// read reads a resource that is not managed.
func (r *run) read(t *task) error {
	a := t.action("read", decide.BecauseAsked)
	replaces := t.old != nil && !t.old.External && t.old.ID != t.goal.ReadID
	if replaces {
		a.Op, t.waits = "read-replacement", true
	}
	now, i := &t.now, t.inst
	now.External, now.ID, now.Inputs = true, t.goal.ReadID, t.inputs
	now.Protect, now.PropertyDependencies, now.IgnoreChanges, now.ReplaceOnChanges, now.ImportID = false, nil, nil, nil, ""
	now.RetainOnDelete, now.DeletedWith, now.ReplaceWith, now.HideDiff, now.ReplacementTrigger = false, "", nil, nil, value.Null()
	now.RefreshBeforeUpdate = false
	return r.step(t, &a, func() error {
		o := &outcome{partial: i.unknown, changed: t.old == nil || replaces, another: replaces}
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

// read calls Read. A resource that is there but does not work is found, and why it does not.
func (i *instance) read(of *state.Resource, id string, inputs, outputs value.Value) (found rpc.ReadResponse, reasons []string, err error) {
	response, err := call(i, "Read", i.Read, &rpc.ReadRequest{
		ID: id, URN: of.URN, Name: nameOf(of.URN), Type: of.Type, Inputs: i.sent(inputs), Properties: i.sent(outputs), Timeout: of.CustomTimeouts.Read,
	})
	failed := initFailed(err)
	switch {
	case failed != nil:
		response = &rpc.ReadResponse{ID: failed.ID, Inputs: failed.Inputs, Properties: failed.Properties, RefreshBeforeUpdate: failed.RefreshBeforeUpdate}
		reasons = failed.Reasons
	case err != nil:
		return rpc.ReadResponse{}, nil, err
	}
	if response.ID == "" {
		return rpc.ReadResponse{}, nil, fmt.Errorf("%w: %q", errNotFound, id)
	}

	found.RefreshBeforeUpdate = response.RefreshBeforeUpdate
	found.ID, found.Inputs, found.Properties = response.ID, i.returned(&response.Inputs, inputs), i.returned(&response.Properties, outputs)
	return found, reasons, nil
}
