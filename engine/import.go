package engine

import (
	"errors"

	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/value"
)

var errNotFound = errors.New("there is nothing with this ID")

// importOne reads a resource by its ID, and has the state have it as it was read.
func (r *run) importOne(t *task) error {
	a := t.action("import", decide.BecauseAsked)
	i, imported := t.inst, *t
	if imported.waits = t.old != nil && !t.old.deleted; imported.waits {
		a.Op = "import-replacement"
	}

	now := &imported.now
	if i.unknown {
		return errors.New(decide.BecauseUnavailable)
	}

	err := r.step(t, &a, func() error {
		response, reasons, err := i.read(now, t.goal.ImportID, value.Null(), value.Null())
		switch {
		case err != nil:
			return err
		case response.Inputs.IsNull():
			return errors.New("the provider returned no inputs from Read, and cannot import")
		}
		now.ID, now.Inputs, now.Outputs, now.InitErrors = response.ID, response.Inputs, response.Properties, r.reasons(reasons)
		now.RefreshBeforeUpdate = response.RefreshBeforeUpdate
		if r.imports {
			now.ImportID = ""
			_, _ = i.check(&imported, now.Inputs, now.Inputs) // engines call it, and only warn
		}
		r.supersede(&imported, &outcome{changed: true})
		a.Now = *now
		return nil
	})
	t.now.ReplacementTrigger = value.Null() // as in the engine
	t.old, t.now.RefreshBeforeUpdate = &entry{Resource: *now}, now.RefreshBeforeUpdate
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
