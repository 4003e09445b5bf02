package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// planner finds out what has to be done, resource by resource.
type planner struct {
	program   program
	old       *state.File
	providers *providers
	out       bytes.Buffer
}

// plan prints a plan: first what the program declares, in its order, then what of
// the state it no longer does, the newest first, since that may depend on the rest.
func (p *planner) plan(ctx context.Context) error {
	declared := map[string]bool{}
	for _, r := range p.program.Resources {
		declared[r.urn.String()] = true
		if err := p.resource(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	var gone []urn.URN
	for r, err := range p.old.Resources() {
		if err != nil {
			return err
		}
		if u, err := urn.Parse(r.URN); err == nil && r.Custom && !declared[r.URN] && u.Package() != "pulumi" {
			gone = append(gone, u)
		}
	}
	for _, u := range slices.Backward(gone) {
		p.say(u, "delete", "the program no longer declares it")
	}
	return nil
}

// known is what an engine knows of a resource: from its state, or, of one that is
// imported, as it was just read.
type known struct {
	id            string
	inputs, state value.Value
	situation     diff.Situation
}

// resource plans one resource that the program declares.
func (p *planner) resource(ctx context.Context, r *resource) error {
	provider, err := p.providers.of(ctx, r.urn.Package())
	if err != nil {
		return err
	}
	old, exists, err := p.old.Find(r.urn.String())
	switch {
	case err != nil:
		return err
	case exists && (r.Import == "" || r.Import == old.ID):
		return p.compare(ctx, provider, r, known{old.ID, old.Inputs, old.Outputs, diff.Situation{InitErrors: len(old.InitErrors) > 0}})
	case r.Import != "":
		read, err := provider.Read(ctx, &rpc.ReadRequest{ID: r.Import, URN: r.urn.String(), Name: r.Name, Type: r.Type})
		if err != nil {
			return err
		}
		if read.ID == "" {
			return fmt.Errorf("there is nothing with the ID %q to import", r.Import)
		}
		return p.compare(ctx, provider, r, known{read.ID, read.Inputs, read.Properties, diff.Situation{Moment: diff.DuringImport}})
	}
	if _, err := check(ctx, provider, r, value.Object(), r.Properties.object()); err != nil {
		return err
	}
	p.say(r.urn, "create", "there is none yet")
	return nil
}

// compare plans what becomes of a resource that is there.
func (p *planner) compare(ctx context.Context, provider *grpc.Plugin, r *resource, k known) error {
	request := &rpc.DiffRequest{ID: k.id, URN: r.urn.String(), Name: r.Name, Type: r.Type, OldInputs: k.inputs, Olds: k.state, IgnoreChanges: r.IgnoreChanges}
	ignored := request.Ignored()
	// What is ignored is set back before the provider sees it.
	news := diff.Ignore(k.inputs, r.Properties.object(), ignored, diff.EngineIgnore).Value
	var err error
	if request.News, err = check(ctx, provider, r, k.inputs, news); err != nil {
		return err
	}
	sides, err := request.Sides()
	if err != nil {
		return err
	}
	answer, err := provider.Diff(ctx, request)
	if err != nil {
		return err
	}
	response := answer.Response()
	for _, f := range diff.Validate(response, sides, ignored) {
		if f.Severity() == diff.SeverityError {
			return fmt.Errorf("the provider's answer is not true: %v", f)
		}
	}
	// A provider that does not know leaves the comparison to the engine.
	response = diff.Fallback(response, sides, ignored)
	replaceOn := path.NewSet((&rpc.DiffRequest{IgnoreChanges: r.ReplaceOnChanges}).Ignored()...)
	response = response.ReplaceOn(sides, diff.ReplaceOptions{Patterns: replaceOn, Direction: diff.EngineOneWay, InitErrors: k.situation.InitErrors})

	if r.DeleteBeforeReplace != nil {
		k.situation.Order = map[bool]diff.Order{true: diff.DeleteFirst, false: diff.CreateFirst}[*r.DeleteBeforeReplace]
	}
	next := diff.NextStep(response, k.situation)
	if next.ChecksAgain() { // a new resource is all that the program says: nothing is old, nothing ignored
		_, err = check(ctx, provider, r, value.Object(), r.Properties.object())
	}
	if err == nil && k.situation.Moment == diff.DuringImport && next.Step != diff.StepFail {
		p.say(r.urn, "import", "it is there")
	}
	if err == nil && next.Step != diff.StepSame {
		p.say(r.urn, next.Step.String(), next.Why.String())
		p.out.Write(diff.AppendText(nil, diff.ReadResponse(response, sides).Diff, diff.TextOptions{Indent: 1}))
	}
	return err
}

// check has inputs checked, and defaults filled in.
func check(ctx context.Context, provider *grpc.Plugin, r *resource, old, news value.Value) (value.Value, error) {
	response, err := provider.Check(ctx, &rpc.CheckRequest{
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
