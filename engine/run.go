package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

type run struct {
	program Program
	ctx     context.Context
	endless context.Context // the same, but it does not end: that of calls
	stack   *Stack
	preview bool
	yield   func(Action, error) bool

	base    []*entry            // the state before the run, in order
	index   index               // of base
	made    []*outcome          // of this run, in order: the state has them before those of base
	imports bool                // the state has them after base
	byName  map[string][]string // the URNs of what is registered
	states  map[string]*outcome // that, by URN
	aliasOf map[string]string   // what these are called in the state, if they have other names there
	forced  map[string]bool     // the URNs of what is replaced in any case
	deletes map[string]bool     // the URNs of what is deleted at the end, or to be replaced, until it is
	pending []state.Operation
	scope   *scope // of what it may change; nil: of all
	lacks   bool   // something of the program is missing or skipped

	instances map[string]*instance // configured, by reference: the URN, two colons and the ID
	launched  []*instance
	calls     []Call // since the last action

	left    bool      // the caller has left the loop
	cancels []*job    // the calls of Cancel, if the context ended during a call
	end     time.Time // of the wait for these and for that call
}

// errStopped ends a run whose last action was yielded.
var errStopped = errors.New("engine: run stopped")

// errRunning reports that a run began during another of the same stack.
var errRunning = errors.New("engine: another run of the stack is in progress")

func (s *Stack) run(ctx context.Context, p Program, preview bool, do func(*run) error) iter.Seq2[Action, error] {
	if ctx == nil {
		panic("engine: nil context")
	}
	return func(yield func(Action, error) bool) {
		if s.running.Open() != nil {
			yield(Action{Op: "fail", Why: decide.BecauseAsked}, errRunning)
			return
		}

		r := &run{
			program: p, ctx: ctx, endless: context.WithoutCancel(ctx), stack: s, preview: preview, yield: yield, pending: slices.Clone(s.Pending),
			aliasOf: map[string]string{}, deletes: map[string]bool{}, byName: map[string][]string{}, states: map[string]*outcome{}, instances: map[string]*instance{},
		}
		resources, err := r.withDefaultProviders(s.Resources)
		r.base, r.index = indexed(resources)
		if err == nil {
			r.scope, err = scopeOf(s.Options)
		}
		if !preview {
			s.running, s.Resources, s.Pending = veil.Hide(r), nil, nil
			defer func() {
				s.running = veil.Pointer[run]{}
				s.Resources, s.Pending = r.state()
			}()
		}
		defer func() { _ = r.close() }() // if a provider panics

		if err == nil {
			err = r.start()
		}
		if err == nil {
			err = do(r)
		}
		if errors.Is(err, errStopped) {
			err = nil
		}
		if err = cmp.Or(err, r.close()); err != nil && !r.left {
			yield(Action{Op: "fail", Why: decide.BecauseAsked, Calls: r.calls}, failed("", err))
		}
	}
}

// start reads the state, and reports what an earlier run did not end.
func (r *run) start() error {
	for _, g := range r.program.Resources {
		r.see(g.Inputs, g.ReplacementTrigger)
		r.expect(g.AdditionalSecretOutputs)
	}
	for _, inputs := range r.program.Defaults {
		r.see(inputs)
	}
	for _, old := range r.base {
		r.see(old.Inputs, old.Outputs, old.ReplacementTrigger)
		r.expect(old.AdditionalSecretOutputs)
		if what := unsupported(&old.Resource); what != "" {
			return fmt.Errorf("%s: %s is not supported", old.URN, what)
		}
	}

	for _, op := range r.pending {
		a := Action{Op: "pending", URN: op.Resource.URN, Why: decide.BecauseInterrupted, Keys: []string{op.Type}, Old: op.Resource, Now: op.Resource}
		if err := r.take(&a, func() error { r.pending = r.pending[1:]; return nil }); err != nil {
			return err
		}
	}
	return nil
}

// take takes an action: it does what the function does, and yields. If the action fails, it
// returns errSkipped if the run goes on, and errStopped if not.
func (r *run) take(a *Action, do func() error) error {
	err := r.ctx.Err()
	if err == nil {
		err = do()
	}

	a.Calls, r.calls = r.calls, nil
	if err != nil {
		err = failed(a.URN, err)
	}
	r.left = !r.yield(*a, err)
	switch {
	case err == nil && !r.left:
		return nil
	case r.left || !r.stack.Options.ContinueOnError || a.Op == "fail" || r.imports || r.ctx.Err() != nil:
		return errStopped
	}
	return errSkipped
}

// errSkipped reports that nothing was done with a resource, and that the run goes on.
var errSkipped = errors.New("engine: skipped")

// step takes an action for a resource of the program, or skips that if something that the
// resource refers to failed or was skipped.
func (r *run) step(t *task, a *Action, do func() error) error {
	if causes := r.lacking(&t.now, (*outcome).isSkipped); len(causes) > 0 {
		return r.skip(t.now.URN, t.old, decide.BecauseSkipped, causes)
	}
	return r.take(a, do)
}

func (r *run) skip(u string, old *entry, why string, causes []string) error {
	a := Action{Op: "skip", URN: u, Why: why, Causes: causes}
	if old != nil {
		a.Old = old.Resource
	}
	return cmp.Or(r.take(&a, func() error { return nil }), errSkipped)
}

// leave has the state keep what it has of a task that failed or was skipped.
func (r *run) leave(t *task) {
	r.lacks = true
	if o := r.states[t.now.URN]; o != nil { // it is there, and does not work
		o.skipped = true
		return
	}
	if t.old != nil {
		t.old.stays = true
	}
	if !t.passes {
		t.now.Outputs = value.Null()
	}
	r.add(t.goal.Name, &outcome{now: t.now, missing: t.missing, another: t.another, skipped: true, partial: true})
}

// while does something that changes a resource. Meanwhile, the state has a pending
// operation.
func (r *run) while(operation string, of state.Resource, do func() error) error {
	r.pending = append(r.pending, state.Operation{Type: operation, Resource: of})
	err := do()
	if !errors.Is(err, errRuns) {
		r.pending = r.pending[:len(r.pending)-1]
	}
	return err
}

// see notes that values may have secrets.
func (r *run) see(values ...value.Value) {
	r.stack.secret = r.stack.secret || slices.ContainsFunc(values, value.Value.ContainsSecret)
}

// expect notes that outputs are secrets, whatever the provider says of them.
func (r *run) expect(outputs []string) { r.stack.secret = r.stack.secret || len(outputs) > 0 }

// update registers what the program declares, and deletes what it does not.
func (r *run) update() error {
	if err := r.refreshMarked(); err != nil {
		return err
	}
	if len(r.program.Replace) > 0 {
		r.forced = map[string]bool{}
	}
	for _, u := range r.program.Replace {
		if !slices.ContainsFunc(r.index.byURN[u], func(e *entry) bool { return !e.dropped }) {
			return fmt.Errorf("%s: there is nothing to replace in the state", u)
		}
		r.forced[u] = true
	}
	for i := range r.program.Resources {
		if err := r.goal(&r.program.Resources[i]); err != nil {
			return err
		}
	}
	return r.clear(decide.BecauseUndeclared)
}
