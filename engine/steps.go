package engine

import (
	"encoding/hex"
	"errors"
	"maps"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// same leaves a resource as it is.
func (r *run) same(t *task, a Action) error {
	a.Op = OpSame
	return r.step(t, &a, func() error {
		t.now = decide.Written(decide.StepSame, 0, t.old.Resource, t.now)[0]
		if isProvider(t.now.Type) {
			configured := t.now
			configured.Inputs = t.old.Inputs // which Diff finds the same
			if err := t.inst.configure(&configured); err != nil {
				return err
			}
		}

		r.register(t, &outcome{})
		a.Now = t.now
		return nil
	})
}

// register has the state have what was made of a task, in place of the old resource.
func (r *run) register(t *task, o *outcome) {
	t.now = decide.WithSecretOutputs(t.now)
	o.now = t.now
	if t.old != nil {
		t.old.dropped = true
	}
	if have := r.states[t.now.URN]; have != nil { // it was imported a moment ago
		*have = *o
		return
	}

	r.made = append(r.made, o)
	r.add(t.goal.Name, o)
}

// supersede registers what replaces the old resource of a task, which may wait for deletion.
func (r *run) supersede(t *task, o *outcome) {
	old := t.old
	r.register(t, o)
	if old == nil {
		return
	}
	isDeleted := old.PendingReplacement && !r.isNeeded(old)
	if t.waits || !isDeleted {
		old.Resource = decide.Written(decide.StepCreateFirst, 1, old.Resource, t.now)[1]
		old.dropped, old.hidden = false, isDeleted
	}
}

// isNeeded reports whether the state has a resource that is not managed and that a provider,
// which was replaced, has read, or a component that refers to that provider. Nothing replaces
// these with it, and until they are registered again, or dropped, it has to be in the state.
func (r *run) isNeeded(replaced *entry) bool {
	return isProvider(replaced.Type) && slices.ContainsFunc(r.dependents(replaced.URN), func(e *entry) bool {
		return !e.dropped && (e.External || !e.Custom) && e.Provider == referenceOf(&replaced.Resource)
	})
}

// create makes a resource, which may replace another.
func (r *run) create(t *task, a Action) error {
	t.now.RefreshBeforeUpdate = false
	return r.apply(t, a, r.callCreate, r.supersede)
}

// apply has the provider make or change a resource, if it has a provider, and has the state
// have the result. Of a call that fails, there is a result if the resource is there.
func (r *run) apply(t *task, a Action, do func(*task) error, write func(*task, *outcome)) error {
	now, i := &t.now, t.inst
	return r.step(t, &a, func() (err error) {
		o := &outcome{changed: true, another: a.Op == OpCreateReplacement && !t.old.External, partial: r.preview && now.Custom && !isProvider(now.Type)}
		switch {
		case i == nil:
		case isProvider(now.Type):
			if seed := seedOf(now, t.old); now.ID == "" {
				now.ID = hex.EncodeToString(seed[:16])
			}
			now.Outputs = configOf(now.Inputs)
			err = i.configure(now)
		case i.unknown: // in a preview, as all that engines then take outputs for
			now.Outputs = value.Object()
		default:
			err = do(t)
		}
		failed := initFailed(err)
		if failed != nil {
			properties := failed.Properties
			now.Outputs, now.InitErrors = i.returned(&properties, now.Inputs), r.reasons(failed.Reasons)
			now.RefreshBeforeUpdate = failed.RefreshBeforeUpdate
		}

		if err == nil || failed != nil {
			write(t, o)
			a.Now = *now
		}

		return err
	})
}

func (r *run) callCreate(t *task) error {
	now, i := &t.now, t.inst
	if r.preview && !i.previews {
		now.Outputs = now.Inputs
		return nil
	}

	request := &rpc.CreateRequest{
		URN: now.URN, Name: t.goal.Name, Type: now.Type, Properties: i.sent(now.Inputs), Timeout: now.CustomTimeouts.Create, Preview: r.preview,
	}
	return r.while("creating", *now, func() error {
		response, err := call(i, "Create", i.Create, request)
		if failed := initFailed(err); failed != nil {
			now.ID = failed.ID
		} else if err == nil {
			now.ID, now.Outputs = response.ID, i.returned(&response.Properties, now.Inputs)
			now.RefreshBeforeUpdate = response.RefreshBeforeUpdate
		}
		if now.ID == "" && err == nil && !r.preview {
			return errors.New("the provider returned no ID from Create")
		}
		return err
	})
}

func (r *run) callUpdate(t *task) error {
	now, i := &t.now, t.inst
	if r.preview && !i.previews {
		now.Outputs = now.Inputs
		return nil
	}

	request := &rpc.UpdateRequest{
		ID: now.ID, URN: now.URN, Name: t.goal.Name, Type: now.Type, IgnoreChanges: t.goal.IgnoreChanges,
		OldInputs: i.sent(t.old.Inputs), Olds: i.sent(t.old.Outputs), News: i.sent(now.Inputs), Timeout: now.CustomTimeouts.Update, Preview: r.preview,
	}
	return r.while("updating", *now, func() error {
		response, err := call(i, "Update", i.Update, request)
		if err == nil {
			now.Outputs = i.returned(&response.Properties, now.Inputs)
			now.RefreshBeforeUpdate = response.RefreshBeforeUpdate
		} else if initFailed(err) != nil {
			now.Inputs = t.old.Inputs // see decide.Written
		}
		return err
	})
}

// replace makes a resource anew, before or after it deletes the old one.
func (r *run) replace(t *task, next decide.Decision, a Action) error {
	if t.inst != nil && !r.isForced(t) { // else it is checked so already
		checked, err := t.inst.check(t, value.Null(), t.inputs)
		if err != nil {
			return err
		}
		t.now.Inputs = checked
	}

	t.another, t.waits = true, next.Step == decide.StepCreateFirst
	if !t.waits {
		if err := r.deleteDependents(t); err != nil {
			return err
		}
		if !t.old.PendingReplacement {
			if err := r.deleteFirst(t.old, a); err != nil {
				return err
			}
		}
	}
	a.Op, a.Old = OpCreateReplacement, t.old.Resource
	return r.create(t, a)
}

// replacedWith reports whether a resource has to be replaced if those with these URNs are.
func (r *run) replacedWith(e *entry, replaced map[string]bool) (bool, error) {
	if u := providerOf(e.Provider); replaced[u] {
		e.keys, e.causes = []string{"provider"}, []string{u}
		return true, nil
	}
	inputs, causes := e.Inputs, map[string][]string{}
	for name, urns := range e.PropertyDependencies {
		for _, u := range urns {
			if replaced[u] && inputs.Has(path.Path{}.Member(name)) {
				causes[name] = append(causes[name], u)
				inputs, _ = inputs.WithField(name, value.Unknown())
			}
		}
	}
	if len(causes) == 0 {
		return false, nil
	}

	reference := e.Provider
	if isProvider(e.Type) {
		reference = referenceOf(&e.Resource)
	}
	if e.PendingReplacement && r.instances[reference] == nil && r.provider(reference) == nil {
		return false, nil // deleted, as its provider was, by a run that did not end: it is made again in any case
	}
	i, err := r.configured(reference)
	if err != nil {
		return false, err
	}
	if i.unknown { // in a preview
		e.keys = slices.Sorted(maps.Keys(causes))
		return true, nil
	}

	response, sides, err := i.diff(&e.Resource, inputs, e.IgnoreChanges)
	if err != nil {
		return false, err
	}

	response = replacing(response, sides, e.ReplaceOnChanges, false)
	e.keys, e.causes = keysOf(response, sides, true), nil
	for _, key := range e.keys {
		e.causes = append(e.causes, causes[key]...)
	}
	e.causes = protocol.Union(e.causes, nil)
	return response.Replace(), nil
}
