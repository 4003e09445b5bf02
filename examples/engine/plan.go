package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// planner finds out what has to be done, resource by resource.
type planner struct {
	program   program
	old       *state.File
	all       []state.Resource // of it
	providers *providers
	out       bytes.Buffer
}

// plan prints a plan: first what the program declares, in its order, then what is
// to go, the newest first, since that may depend on the rest. Nothing is left to
// be found out while it is carried out: what this planner does not know how to plan
// is an error.
func (p *planner) plan(ctx context.Context) error {
	declared := map[string]bool{}
	for r, err := range p.old.Resources() {
		if err != nil {
			return err
		}
		if r.ViewOf != "" || r.RefreshBeforeUpdate || !r.ReplacementTrigger.IsNull() {
			return fmt.Errorf("%s: views, refreshes before an update and triggers of replacements are not planned here", r.URN)
		}
		p.all = append(p.all, r)
	}
	for _, r := range p.program.Resources {
		declared[r.urn.String()] = true
		if err := p.resource(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	for _, r := range slices.Backward(p.all) {
		if u, err := urn.Parse(r.URN); err == nil && r.Custom && u.Package() != "pulumi" {
			p.leftover(u, r, declared[r.URN])
		}
	}
	return nil
}

// leftover plans what becomes of a resource of the state beyond what the program
// says of its URN.
func (p *planner) leftover(u urn.URN, r state.Resource, isDeclared bool) {
	switch {
	case r.Delete && r.External:
		p.say(u, "discard", "it was replaced, and is not managed")
	case r.Delete:
		p.say(u, "delete", "it was replaced, and waits for that")
	case isDeclared && r.External:
		p.say(u, "discard", "it is not managed")
	case isDeclared:
	case r.External:
		p.say(u, "discard", "the program no longer declares it, and it is not managed")
	case r.PendingReplacement:
		p.say(u, "forget", "the program no longer declares it, and it was deleted to be replaced")
	case r.Protect:
		p.say(u, "fail", "the program no longer declares it, and it is protected")
	default:
		p.say(u, "delete", "the program no longer declares it")
	}
}

// known is what an engine knows of a resource: from its state, or, of one that is
// imported, as it was just read.
type known struct {
	id            string
	inputs, state value.Value
	situation     engine.Situation
	taint         bool // to be replaced, whatever the provider says
}

// resource plans one resource that the program declares.
func (p *planner) resource(ctx context.Context, r *resource) error {
	plugin, err := p.providers.of(ctx, r.urn.Package())
	if err != nil {
		return err
	}
	// One that waits for deletion is there no more.
	var old *state.Resource
	if at := slices.IndexFunc(p.all, func(old state.Resource) bool { return old.URN == r.urn.String() && !old.Delete }); at >= 0 {
		old = &p.all[at]
	}
	isImport := engine.KindOf(engine.Goal{ImportID: r.Import}, old) == engine.Import
	isManaged := old != nil && !old.External
	switch {
	case isImport && isManaged:
		p.say(r.urn, "replace", "it is there with another ID than what is imported")
	case isManaged:
		return p.compare(ctx, plugin, r, known{old.ID, old.Inputs, old.Outputs, engine.Situation{
			InitErrors: len(old.InitErrors) > 0, PendingReplacement: old.PendingReplacement,
		}, old.Taint})
	}
	if isImport {
		read, err := plugin.Read(ctx, &rpc.ReadRequest{ID: r.Import, URN: r.urn.String(), Name: r.Name, Type: r.Type})
		if err != nil {
			return err
		}
		if read.ID == "" {
			return fmt.Errorf("there is nothing with the ID %q to import", r.Import)
		}
		return p.compare(ctx, plugin, r, known{read.ID, read.Inputs, read.Properties, engine.Situation{Operation: engine.DuringImport}, false})
	}
	if _, err := checkInputs(ctx, plugin, r, value.Object(), r.Properties.object()); err != nil {
		return err
	}
	why := "there is none yet"
	if old != nil {
		why = "the one that is there is not managed"
	}
	p.say(r.urn, "create", why)
	return nil
}

// compare plans what becomes of a resource that is there.
func (p *planner) compare(ctx context.Context, plugin *grpc.Plugin, r *resource, k known) error {
	request := &rpc.DiffRequest{ID: k.id, URN: r.urn.String(), Name: r.Name, Type: r.Type, OldInputs: k.inputs, Olds: k.state, IgnoreChanges: r.IgnoreChanges}
	ignored := provider.IgnoredOf(request)
	// What is ignored is set back before the provider sees it.
	news := ignore.Changes(k.inputs, r.Properties.object(), ignored, ignore.Engine).Value
	var err error
	if request.News, err = checkInputs(ctx, plugin, r, k.inputs, news); err != nil {
		return err
	}
	sides, err := provider.SidesOf(request)
	if err != nil {
		return err
	}
	if k.taint { // the provider is not asked
		return p.taint(ctx, plugin, r)
	}
	answer, err := plugin.Diff(ctx, request)
	if err != nil {
		return err
	}
	response := provider.ResponseOf(answer)
	for _, f := range check.Validate(response, sides, provider.Options{Ignored: ignored}) {
		if f.Severity == check.SeverityError {
			return fmt.Errorf("the provider's answer is not true: %v", f)
		}
	}
	// A provider that does not know leaves the comparison to the engine.
	response = engine.Fallback(response, sides, ignored)
	replaceOn := path.NewSet(provider.IgnoredOf(&rpc.DiffRequest{IgnoreChanges: r.ReplaceOnChanges})...)
	response = engine.ReplaceOnChanges(response, sides, engine.ReplaceOptions{Patterns: replaceOn, Direction: provider.EngineOneWay, InitErrors: k.situation.InitErrors})

	if r.DeleteBeforeReplace != nil {
		k.situation.Order = map[bool]engine.ReplaceOrder{true: engine.DeleteFirst, false: engine.CreateFirst}[*r.DeleteBeforeReplace]
	}
	next := engine.Next(response, k.situation)
	replaces := next.Step == engine.StepCreateFirst || next.Step == engine.StepDeleteFirst
	switch {
	case replaces && r.Import != "":
		next = engine.Decision{Step: engine.StepFail, Why: engine.BecauseImportDiffers}
	case next.Step == engine.StepDeleteFirst:
		if err := p.alone(r.urn.String()); err != nil {
			return err
		}
	}
	if next.ChecksAgain() { // a new resource is all that the program says: nothing is old, nothing ignored
		_, err = checkInputs(ctx, plugin, r, value.Object(), r.Properties.object())
	}
	if err == nil && k.situation.Operation == engine.DuringImport && next.Step != engine.StepFail {
		p.say(r.urn, "import", "it is there")
	}
	if err == nil && next.Step != engine.StepSame {
		p.say(r.urn, next.Step.String(), next.Why.String())
		p.out.Write(render.AppendText(nil, check.Read(response, sides).Diff, render.Options{Indent: 1}))
	}
	return err
}

// taint plans the replacement of a resource that a user marked for that.
func (p *planner) taint(ctx context.Context, plugin *grpc.Plugin, r *resource) error {
	step := engine.StepCreateFirst
	if r.DeleteBeforeReplace != nil && *r.DeleteBeforeReplace {
		step = engine.StepDeleteFirst
		if err := p.alone(r.urn.String()); err != nil {
			return err
		}
	}
	_, err := checkInputs(ctx, plugin, r, value.Object(), r.Properties.object())
	if err == nil {
		p.say(r.urn, step.String(), "it is marked to be replaced")
	}
	return err
}

// alone refuses to plan that a resource is deleted before others that depend on it:
// an engine deletes those too, and makes them again.
func (p *planner) alone(urn string) error {
	for _, r := range p.all {
		depends := r.Parent == urn || r.DeletedWith == urn || slices.Contains(r.Dependencies, urn) || slices.Contains(r.ReplaceWith, urn)
		for _, list := range r.PropertyDependencies {
			depends = depends || slices.Contains(list, urn)
		}
		if depends && !r.Delete {
			return fmt.Errorf("%s depends on it, and has to be replaced with it, which is not planned here", r.URN)
		}
	}
	return nil
}

// checkInputs has inputs checked, and defaults filled in.
func checkInputs(ctx context.Context, plugin *grpc.Plugin, r *resource, old, news value.Value) (value.Value, error) {
	response, err := plugin.Check(ctx, &rpc.CheckRequest{
		URN: r.urn.String(), Name: r.Name, Type: r.Type, Olds: old, News: news,
		RandomSeed: []byte(r.urn.String()), // an engine draws one for each resource, and keeps it
	})
	if err != nil {
		return value.Null(), err
	}
	return response.Inputs, refusal(response)
}

// refusal is the error of what a check refused.
func refusal(r *rpc.CheckResponse) error {
	if len(r.Failures) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s (and %d more)", r.Failures[0].Property, r.Failures[0].Reason, len(r.Failures)-1)
}

// say prints one step.
func (p *planner) say(u urn.URN, step, why string) {
	fmt.Fprintf(&p.out, "%s %s %s: %s\n", step, u.Type(), u.Name(), why)
}
