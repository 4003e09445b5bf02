package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/value"
)

type task struct {
	goal     *Goal
	now      state.Resource // what the state will have
	old      *entry         // nil: none
	inst     *instance      // nil: a component
	inputs   value.Value    // the program's
	imported bool           // old was, a moment ago
	missing  bool           // there is no old, and it is no target
	passes   bool           // it is left as the state has it
	another  bool           // it is to be replaced
	waits    bool           // old is deleted in the end, also if it is deleted already
}

func (t *task) action(op Op, why string) Action {
	a := Action{Op: op, URN: t.now.URN, Why: why}
	if t.old != nil {
		a.Old = t.old.Resource
	}
	return a
}

func (r *run) goal(g *Goal) error {
	t, err := r.task(g)
	if err == nil {
		err = r.dispatch(t)
	}
	if errors.Is(err, errSkipped) {
		r.leave(t)
		return nil
	}
	return r.fail(t.now.URN, err)
}

func (r *run) fail(u string, err error) error {
	if err == nil || errors.Is(err, errStopped) {
		return err
	}
	return r.take(&Action{Op: "fail", URN: u, Why: decide.BecauseAsked}, func() error { return err })
}

func (r *run) task(g *Goal) (t *task, err error) {
	t = &task{goal: g}
	u, parent, err := r.urnOf(g)
	t.now.URN = cmp.Or(u, g.Name)
	if err == nil {
		err = r.admits(g, u)
	}
	if err != nil {
		return t, err
	}
	inputs, depends, err := r.inputs(g)
	if err != nil {
		return t, err
	}

	var all []string
	for _, name := range g.DependsOn {
		if u, err = r.find(name); err != nil {
			return t, fmt.Errorf("dependsOn: %w", err)
		}
		all = append(all, u)
	}
	for _, urns := range depends {
		all = append(all, urns...)
	}
	t.inputs = inputs
	t.now = state.Resource{
		URN: t.now.URN, Type: g.Type, Custom: !g.Component, Parent: parent, Protect: g.Protect, ImportID: g.ImportID, Inputs: inputs,
		Dependencies: protocol.Union(all, nil), PropertyDependencies: depends,
		IgnoreChanges: g.IgnoreChanges, ReplaceOnChanges: g.ReplaceOnChanges, CustomTimeouts: g.Timeouts,
		AdditionalSecretOutputs: g.AdditionalSecretOutputs, RetainOnDelete: g.RetainOnDelete, HideDiff: g.HideDiff,
		ReplacementTrigger: withoutDependencies(g.ReplacementTrigger),
	}
	if err := r.relate(t); err != nil {
		return t, err
	}
	if !r.preview && inputs.ContainsUnknown() && len(r.lacking(&t.now, (*outcome).isAbsent)) == 0 {
		return t, errors.New("inputs: unknown outside a preview")
	}
	if err := r.claim(t); err != nil {
		return t, err
	}
	if t.old != nil { // there is no clock here
		t.now.Created, t.now.Modified = t.old.Created, t.old.Modified
		t.now.RefreshBeforeUpdate = t.old.RefreshBeforeUpdate // until the provider says otherwise
	}
	return t, r.provide(t)
}

// admits reports what is wrong with the declaration of a resource.
func (r *run) admits(g *Goal, u string) error {
	hasProvider := !g.Component && !isProvider(g.Type)
	switch {
	case r.states[u] != nil && r.imports:
		return errors.New("the state has the resource already")
	case r.states[u] != nil:
		return errors.New("the program declares the resource twice")
	case (g.ImportID != "" || g.ReadID != "") && !hasProvider:
		return errors.New("only a resource of a provider can be imported or read")
	case r.imports && g.ImportID == "" && hasProvider:
		return errors.New("the resource has no ImportID")
	}
	return nil
}

// relate finds the resources with which a resource is deleted and replaced.
func (r *run) relate(t *task) (err error) {
	g, now := t.goal, &t.now
	for _, name := range g.ReplaceWith {
		u, err := r.find(name)
		if err != nil {
			return fmt.Errorf("replaceWith: %w", err)
		}
		now.ReplaceWith = append(now.ReplaceWith, u)
	}
	if parent := r.states[now.Parent]; g.DeletedWith == "" && parent != nil {
		now.DeletedWith = parent.declared().DeletedWith
	} else if g.DeletedWith != "" {
		if now.DeletedWith, err = r.find(g.DeletedWith); err != nil {
			return fmt.Errorf("deletedWith: %w", err)
		}
	}
	return nil
}

// provide finds the provider of a resource, and registers a default provider if there is
// none yet.
func (r *run) provide(t *task) (err error) {
	g := t.goal
	switch {
	case g.Component:
		return nil
	case isProvider(g.Type):
		t.inst, err = r.launch(g.Type, t.inputs)
		return err
	}

	var u string
	if parent := r.states[t.now.Parent]; g.Provider != "" {
		u, err = r.find(g.Provider)
	} else if parent != nil && packageOf(parent.now.Type) == packageOf(g.Type) && parent.declared().Provider != "" {
		u = providerOf(parent.declared().Provider)
	} else {
		u, err = r.defaultProvider(packageOf(g.Type))
	}
	if err != nil {
		return fmt.Errorf("provider: %w", err)
	}
	if r.states[u].skipped { // nobody can be asked
		return r.skip(t.now.URN, t.old, decide.BecauseSkipped, []string{u})
	}
	of := &r.states[u].now
	if want := providerType + packageOf(g.Type); of.Type != want {
		return fmt.Errorf("provider: expected a resource of type %s, found %s", want, of.Type)
	}
	t.now.Provider = referenceOf(of)
	t.inst, err = r.configured(t.now.Provider)
	return err
}

func (r *run) defaultProvider(pkg string) (u string, err error) {
	g := Goal{Type: providerType + pkg, Inputs: r.program.Defaults[pkg]}
	version, _ := g.Inputs.Field("version").AsString()
	if g.Name, err = decide.DefaultProvider(version); err != nil {
		return "", err
	}
	u, _, err = r.urnOf(&g)
	if err != nil || r.states[u] != nil {
		return u, err
	}

	return u, r.goal(&g)
}

// dispatch decides what is done with a resource.
func (r *run) dispatch(t *task) error {
	var old *state.Resource
	if t.old != nil {
		old = &t.old.Resource
	}
	kind := decide.KindOf(t.goal.ReadID, t.goal.ImportID, t.goal.Component, old)
	if kind == decide.KindManage {
		return r.manage(t)
	}
	if err := r.refuseMissing(t); err != nil { // whether or not it is a target
		return err
	}
	if kind == decide.KindRead {
		return r.read(t)
	}
	if err := r.importOne(t); err != nil || r.imports {
		return err
	}
	t.imported = true
	return r.manage(t)
}

// refuseMissing reports what a resource depends on that is no target, and that the state lacks.
func (r *run) refuseMissing(t *task) error {
	if missing := r.lacking(&t.now, (*outcome).isMissing); len(missing) > 0 {
		return fmt.Errorf("it depends on %s, which is no target and not there", missing[0])
	}
	return nil
}

// ignoring returns the program's inputs with the old ones of what it ignores.
func (t *task) ignoring() value.Value {
	return ignore.Changes(t.old.Inputs, t.inputs, ignored(t.goal.IgnoreChanges), ignore.AsEngine).Value
}

func (r *run) manage(t *task) error {
	old := t.old
	isRecreated := old != nil && old.deleted && old.URN == t.now.URN           // engines do not see it under another name
	isReplaced := old != nil && (isRecreated || old.External || r.isForced(t)) // whatever Diff would say
	isIncluded, isCreated := r.includes(t), old == nil || isRecreated || old.External
	if isIncluded || (isCreated && old != nil) {
		if err := r.refuseMissing(t); err != nil {
			return err
		}
	}
	olds, news := value.Null(), t.inputs
	if old != nil && !isReplaced {
		olds, news = old.Inputs, t.ignoring()
	}
	switch {
	case !isIncluded && old == nil:
		return r.pass(t)
	case t.inst == nil: // what components have is written as it is
	case !isIncluded:
		t.now.Inputs = old.Inputs
	default:
		checked, err := t.inst.check(t, olds, news)
		if err != nil {
			return err
		}
		t.now.Inputs = checked
	}

	switch {
	case !isIncluded && !isCreated:
		return r.pass(t)
	case old == nil:
		return r.create(t, t.action(OpCreate, decide.BecauseNew))
	case old.External:
		return r.create(t, t.action(OpCreateReplacement, decide.BecauseNew))
	case isRecreated:
		delete(r.deletes, old.URN)
		t.another = true
		a := t.action(OpCreateReplacement, decide.BecauseDependency)
		a.Keys, a.Causes = old.keys, old.causes
		return r.create(t, a)
	default:
		return r.compare(t)
	}
}
