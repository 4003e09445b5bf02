package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/value"
)

// read reads a resource that is not managed.
func (r *run) read(t *task) error {
	a := Action{Op: "read", URN: t.now.URN, Why: BecauseAsked}
	if t.old != nil {
		a.Old = t.old.Resource
	}
	replaces := t.old != nil && !t.old.External && t.old.ID != t.goal.ReadID
	if replaces {
		a.Op = "read-replacement"
	}
	now, i := &t.now, t.inst
	if i == nil || isProvider(now.Type) {
		return errors.New("only a resource of a provider can be read")
	}
	now.External, now.ID, now.Inputs = true, t.goal.ReadID, t.inputs
	now.Protect, now.PropertyDependencies, now.IgnoreChanges, now.ReplaceOnChanges, now.ImportID = false, nil, nil, nil, ""
	return r.take(&a, func() error {
		o := &outcome{partial: i.unknown, changed: t.old == nil || replaces}
		now.Outputs = value.Object()
		if !i.unknown {
			request := &rpc.ReadRequest{
				ID: now.ID, URN: now.URN, Name: t.goal.Name, Type: now.Type, Inputs: i.sent(now.Inputs), Properties: i.sent(now.Inputs), Timeout: now.CustomTimeouts.Read,
			}
			response, failed, err := r.callRead(i, request)
			switch {
			case err != nil:
				return err
			case response.ID == "":
				return notFound(now.ID)
			}
			now.ID, now.Outputs, now.InitErrors = response.ID, i.returned(response.Properties, now.Inputs), failed
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

// callRead calls Read. A resource that is there but does not work is found, with errors.
func (r *run) callRead(i *instance, request *rpc.ReadRequest) (*rpc.ReadResponse, []value.Value, error) {
	response, err := call(r, "Read", i.Read, request)
	if failed := initFailed(err); failed != nil {
		return &rpc.ReadResponse{ID: failed.ID, Inputs: failed.Inputs, Properties: failed.Properties}, secretTexts(failed.Reasons), nil
	}
	return response, nil, err
}

// notFound returns the error for a resource that Read does not find.
func notFound(id string) error { return fmt.Errorf("there is nothing with the ID %q", id) }

// importOne reads a resource by its ID, and has the state have it as it was read.
func (r *run) importOne(t *task) error {
	a := Action{Op: "import", URN: t.now.URN, Why: BecauseAsked}
	if t.old != nil {
		a.Op, a.Old = "import-replacement", t.old.Resource
	}
	i, imported := t.inst, *t
	now := &imported.now
	if i == nil || isProvider(now.Type) {
		return errors.New("only a resource of a provider can be imported")
	}
	if i.unknown {
		return errors.New(BecauseUnavailable.String())
	}
	err := r.take(&a, func() error {
		request := &rpc.ReadRequest{ID: t.goal.ImportID, URN: now.URN, Name: t.goal.Name, Type: now.Type, Timeout: now.CustomTimeouts.Read}
		response, failed, err := r.callRead(i, request)
		switch {
		case err != nil:
			return err
		case response.ID == "":
			return notFound(t.goal.ImportID)
		case response.Inputs.IsNull():
			return errors.New("Read: the provider returned no inputs, and cannot import")
		}
		now.ID, now.InitErrors = response.ID, failed
		now.Inputs, now.Outputs = i.returned(response.Inputs, t.inputs), i.returned(response.Properties, t.inputs)
		if r.imports {
			now.ImportID = ""
			r.checkImported(&imported)
		}
		r.supersede(&imported, &outcome{changed: true})
		a.Now = *now
		return nil
	})
	t.old = &entry{Resource: *now}
	return err
}

// checkImported calls Check for inputs that were read, as engines do. What it says changes
// nothing.
func (r *run) checkImported(t *task) {
	_, _ = t.inst.check(t, t.now.Inputs, t.now.Inputs) // the call shows what is wrong with them
}

// importAll imports resources of a program.
func (r *run) importAll() error {
	r.imports = true
	for _, e := range r.base {
		if !e.Delete {
			r.add(nameOf(e.URN), &outcome{now: e.Resource})
		}
	}
	for i := range r.program.Resources {
		g := &r.program.Resources[i]
		u, _, err := r.urnOf(g)
		switch {
		case err == nil && g.ImportID == "" && r.states[u] != nil:
			continue
		case err == nil && g.ImportID == "" && (g.Component || isProvider(g.Type)):
			err = r.goal(g)
		case err == nil:
			err = r.importGoal(u, g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// importGoal imports a resource of a program.
func (r *run) importGoal(u string, g *Goal) error {
	a := Action{URN: u}
	fail := func(err error) error { return r.take(&a, func() error { return err }) }
	switch {
	case r.states[u] != nil:
		return fail(errors.New("the state has the resource already"))
	case g.ImportID == "":
		return fail(errors.New("the resource has no ImportID"))
	}
	t, err := r.task(g)
	if err == nil {
		err = r.importOne(t)
	}
	if err != nil && !errors.Is(err, errStopped) {
		return fail(err)
	}
	return err
}

// refresh reads all resources.
func (r *run) refresh() error {
	for _, e := range r.base {
		if !e.Custom || isProvider(e.Type) || e.PendingReplacement {
			continue
		}
		a := Action{Op: "refresh", URN: e.URN, Old: e.Resource}
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
	response, failed, err := r.callRead(i, &rpc.ReadRequest{
		ID: e.ID, URN: e.URN, Name: nameOf(e.URN), Type: e.Type, Inputs: i.sent(e.Inputs), Properties: i.sent(e.Outputs), Timeout: e.CustomTimeouts.Read,
	})
	if err != nil {
		return err
	}
	read := *response
	read.Properties = i.returned(read.Properties, e.Outputs)
	if !read.Inputs.IsNull() {
		read.Inputs = i.returned(read.Inputs, e.Inputs)
	}
	now, there := Refreshed(e.Resource, &read, nil)
	if !there {
		a.Why, e.dropped = BecauseMissing, true
		r.forget(e.URN)
		return nil
	}
	now.InitErrors = failed
	old := e.Resource
	e.Resource, a.Now = now, now
	if !old.External {
		answer, sides, err := i.diff(&now, old.Inputs, old.IgnoreChanges)
		if err != nil {
			return err
		}
		a.Response, a.Sides = answer.Invert(), sides
		a.Sides.OldInputs, a.Sides.News = old.Inputs, now.Inputs
		a.Keys = keysOf(a.Response, false)
	}
	a.Why = BecauseChanged
	if len(a.Keys) == 0 {
		a.Keys = differing(old.Outputs, now.Outputs)
	}
	if len(a.Keys) == 0 {
		a.Why = BecauseSame
	}
	return nil
}

// differing returns the names of the top-level properties that two bags differ in.
func differing(old, now value.Value) []string {
	names := map[string]bool{}
	for c := range diff.Between(protocol.Present(old), protocol.Present(now), diff.Options{Relation: value.Engine}).Changes() {
		if name, ok := protocol.TopName(c.Path()); ok {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// forget removes references to a resource that was not found.
func (r *run) forget(u string) {
	is := func(other string) bool { return other == u }
	for _, e := range r.base {
		e.Dependencies = slices.DeleteFunc(slices.Clone(e.Dependencies), is)
		depends := map[string][]string{}
		for name, urns := range e.PropertyDependencies {
			if left := slices.DeleteFunc(slices.Clone(urns), is); len(left) > 0 {
				depends[name] = left
			}
		}
		e.PropertyDependencies = depends
		if e.Parent == u {
			e.Parent = ""
		}
	}
}
