package stack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/backend/display"
	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	pkgresource "github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"

	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/value"
)

// digest returns what `pulumi preview --json` prints for the events of a log.
func digest(t *testing.T, events []apitype.EngineEvent) []byte {
	t.Helper()
	full := func(m *pulumiengine.StepEventStateMetadata) {
		if m != nil { // which events in JSON have only a part of
			m.State = &pkgresource.State{
				Type: m.Type, URN: m.URN, Custom: m.Custom, Delete: m.Delete, ID: m.ID, Inputs: m.Inputs, Outputs: m.Outputs,
				Parent: m.Parent, Protect: m.Protect, External: m.External, Provider: m.Provider,
			}
			if !m.Custom {
				m.State.ID = "" // in place of which some recorded logs have a number
			}
		}
	}
	in := make(chan pulumiengine.Event, len(events))
	for _, each := range events {
		e, err := display.ConvertJSONEvent(each)
		if err != nil {
			t.Fatal(err)
		}
		switch p := e.Payload().(type) {
		case pulumiengine.ResourcePreEventPayload:
			full(p.Metadata.Old)
			full(p.Metadata.New)
		case pulumiengine.ResourceOutputsEventPayload:
			full(p.Metadata.Old)
			full(p.Metadata.New)
		}
		in <- e
	}
	close(in)

	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stdout := os.Stdout
	os.Stdout = file // where it writes to
	display.ShowPreviewDigest(in, make(chan bool), display.Options{Color: colors.Never, JSONDisplay: true, ShowSameResources: true, ShowReplacementSteps: true})
	os.Stdout = stdout
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPreviewsOfTheEngine prints the recorded previews as the CLI does. A preview has the
// steps of its log, and says alike how the run went.
func TestPreviewsOfTheEngine(t *testing.T) {
	previews, counted := 0, 0
	recordedLogs(t, "engine/lifecycletest/testdata/output", func(l *recorded) {
		if l.summary == nil || !l.summary.IsPreview {
			return
		}
		previews++
		want, log := l.read(t)
		slices.SortFunc(want, func(a, b *steps.Step) int { return a.Number - b.Number })

		data := digest(t, l.events)
		if format := steps.FormatOf(data); format != "preview" && len(want) > 0 {
			t.Errorf("%s: format %q", l.name, format)
		}
		found, run := (&recorded{name: l.name, data: data}).read(t)
		if run.Failed() != log.Failed() || !maps.Equal(run.Changes, log.Changes) || len(run.Diagnostics) > len(log.Diagnostics) || run.Kind != log.Kind && log.Kind != "refresh" {
			t.Errorf("%s: failed %v, want %v; changes %v, want %v; %s, want %s", l.name, run.Failed(), log.Failed(), run.Changes, log.Changes, run.Kind, log.Kind)
		}
		if len(found) != len(want) {
			t.Errorf("%s: %d steps, want %d", l.name, len(found), len(want))
			return
		}

		isExact := !log.Failed() // failed steps are in a preview like others, and it has no outputs of reads and refreshes
		for i, s := range found {
			isExact = isExact && want[i].Op != steps.OpRefresh && want[i].Op != steps.OpRead
			if s.Op != want[i].Op && want[i].Op == steps.OpRefresh {
				continue // which it shows as what it found
			}
			if s.Op != want[i].Op || s.URN != want[i].URN || (s.Old == nil) != (want[i].Old == nil) || s.Status != steps.Planned {
				t.Errorf("%s: step %d is %s %s, want %s %s", l.name, i, s.Op, s.URN, want[i].Op, want[i].URN)
			}
			if s.Old != nil && ((s.Old.Custom && s.Old.ID != want[i].Old.ID) || (s.Old.Inputs.Len()+want[i].Old.Inputs.Len() > 0 && value.Strict.Compatible(s.Old.Inputs, want[i].Old.Inputs) == value.Changed)) {
				t.Errorf("%s: step %d has old inputs %v, want %v", l.name, i, s.Old.Inputs, want[i].Old.Inputs)
			}
		}
		if isExact {
			counted++
			if !maps.Equal(run.Counts, run.Changes) {
				t.Errorf("%s: counted %v, the engine %v", l.name, run.Counts, run.Changes)
			}
		}
	})
	if previews < 350 || counted < 250 {
		t.Errorf("%d previews, %d counted", previews, counted)
	}
}

// TestPlansOfTheEngine lets the engine plan, writes the plan as the CLI does, and reads it.
func TestPlansOfTheEngine(t *testing.T) {
	r := &inProcess{t: t, provider: deploytest.Provider{
		CreateF: creates,
		DiffF: func(_ context.Context, q plugin.DiffRequest) (plugin.DiffResult, error) {
			if q.NewInputs["n"].DeepEquals(q.OldInputs["n"]) {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			var keys []resource.PropertyKey
			if q.URN.Name() == "replaced" {
				keys = append(keys, "n")
			}
			return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: keys, ChangedKeys: []resource.PropertyKey{"n"}}, nil
		},
	}}
	program := func(names []string, n float64) registration {
		return func(monitor *deploytest.ResourceMonitor) error {
			for _, name := range names {
				inputs := resource.PropertyMap{"n": resource.NewProperty(n), "k": resource.NewProperty("same"), "s": resource.MakeSecret(resource.NewProperty(n))}
				if name == "same" {
					inputs = resource.PropertyMap{"n": resource.NewProperty(1.0)}
				}
				if _, err := monitor.RegisterResource(thingType, name, true, deploytest.ResourceOptions{Inputs: inputs}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	before := r.made(program([]string{"updated", "replaced", "same", "deleted"}, 1))

	loader := deploytest.NewProviderLoader("pkg", semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
		p := r.provider
		return &p, nil
	})
	after := program([]string{"updated", "replaced", "same", "created"}, 2)
	language := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return after(monitor) })
	options := lt.TestUpdateOptions{T: quiet{t}, SkipDisplayTests: true, HostF: deploytest.NewPluginHostF(nil, nil, language, nil, nil, loader)}
	options.GeneratePlan = true
	made, err := lt.TestOp(pulumiengine.Update).Plan(r.plan.GetProject(), r.plan.GetTarget(t, before), options, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	data := planText(t, made)

	found, run := (&recorded{name: "plan", data: data}).read(t)
	if run.Format != "plan" || run.Failed() || steps.FormatOf(data) != "plan" {
		t.Error(run)
	}
	ops := map[string][]steps.Op{}
	for _, s := range found {
		name := resource.URN(s.URN).Name()
		ops[name] = append(ops[name], s.Op)
		if name == "updated" && (s.New.Inputs.String() != `{n: 2, s: [secret]}` || s.Old.Inputs.String() != `{n: [unknown], s: [unknown]}`) {
			t.Errorf("%v => %v", s.Old.Inputs, s.New.Inputs)
		}
	}
	delete(ops, "default")
	if want := map[string][]steps.Op{
		"updated": {steps.OpUpdate}, "same": {steps.OpSame}, "created": {steps.OpCreate}, "deleted": {steps.OpDelete},
		"replaced": {steps.OpCreateReplacement, steps.OpReplace, steps.OpDeleteReplaced},
	}; !maps.EqualFunc(ops, want, slices.Equal) {
		t.Errorf("%v, want %v\n%s", ops, want, data)
	}
	if want := (map[steps.Op]int{steps.OpUpdate: 1, steps.OpSame: 1, steps.OpCreate: 1, steps.OpDelete: 1, steps.OpReplace: 1}); !maps.Equal(run.Counts, want) {
		t.Errorf("counted %v", run.Counts)
	}
}

// planText returns a plan as `pulumi preview --save-plan` writes it.
func planText(t *testing.T, made *deploy.Plan) []byte {
	t.Helper()
	plan, err := stack.SerializePlan(made, config.BlindingCrypter, false)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetIndent("", "    ")
	if err := out.Encode(plan); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}
