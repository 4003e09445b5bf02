package stack_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/display"
	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

// The resource that real engines are asked about, and its URN in their stack.
const (
	thingType = "pkg:index:Thing"
	thingURN  = "urn:pulumi:test::test::pkg:index:Thing::one"
)

// inProcess is Pulumi's engine in process, with the provider of one package.
type inProcess struct {
	t        *testing.T
	provider deploytest.Provider // as it is when a run begins
	packages []string            // that have it, besides pkg
	plan     lt.TestPlan
	options  pulumiengine.UpdateOptions
}

// quiet is a test that keeps the engine's diagnostics to itself.
type quiet struct{ *testing.T }

func (quiet) Log(...any)          {}
func (quiet) Logf(string, ...any) {}

// registration registers resources.
type registration func(*deploytest.ResourceMonitor) error

// ran is what a run did.
type ran struct {
	steps    []pulumiengine.StepEventMetadata
	snapshot *deploy.Snapshot // nil after a preview
	err      error
}

// run runs an operation, or its preview, on a copy of a snapshot, which may be nil.
func (r *inProcess) run(op lt.TestOp, before *deploy.Snapshot, preview bool, program registration) (did ran) {
	r.t.Helper()

	var loaders []*deploytest.ProviderLoader
	for _, name := range append(r.packages, "pkg") {
		loaders = append(loaders, deploytest.NewProviderLoader(tokens.Package(name), semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
			p := r.provider
			return &p, nil
		}))
	}
	language := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
	options := lt.TestUpdateOptions{UpdateOptions: r.options, T: quiet{r.t}, SkipDisplayTests: true, HostF: deploytest.NewPluginHostF(nil, nil, language, nil, nil, loaders...)}

	// The framework asks for plans, with which the engine panics where something deleted is imported.
	unplanned := lt.TestOp(func(i pulumiengine.UpdateInfo, ctx *pulumiengine.Context, o pulumiengine.UpdateOptions, isPreview bool) (*deploy.Plan, display.ResourceChanges, error) {
		o.GeneratePlan = false
		return op(i, ctx, o, isPreview)
	})
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	did.snapshot, did.err = unplanned.RunWithContextStep(ctx, r.plan.GetProject(), r.plan.GetTarget(r.t, before), options, preview, nil,
		func(_ workspace.Project, _ deploy.Target, _ pulumiengine.JournalEntries, events []pulumiengine.Event, err error) error {
			for _, e := range events {
				if e.Type == pulumiengine.ResourcePreEvent {
					did.steps = append(did.steps, e.Payload().(pulumiengine.ResourcePreEventPayload).Metadata)
				}
			}

			return err
		}, "")
	if ctx.Err() != nil {
		did.err = errWaits
	}

	return did
}

// In one of some thousands of drawn programs the engine waits forever. It is ended after more time
// than a run takes under any load.
const patience = 2 * time.Minute

var errWaits = errors.New("the engine waits")

// ops returns the operations on a resource.
func (d ran) ops(urn string) string {
	var all []string

	for _, s := range d.steps {
		if string(s.URN) == urn {
			all = append(all, string(s.Op))
		}
	}

	return strings.Join(all, " ")
}

// step returns a step on a resource.
func (d ran) step(urn string, op string) (s pulumiengine.StepEventMetadata, ok bool) {
	for _, s := range d.steps {
		if string(s.URN) == urn && string(s.Op) == op {
			return s, true
		}
	}

	return s, false
}

// made returns the snapshot of a program that makes it from nothing.
func (r *inProcess) made(program registration) *deploy.Snapshot {
	r.t.Helper()

	did := r.run(pulumiengine.Update, nil, false, program)
	if did.err != nil {
		r.t.Fatal(did.err)
	}

	return did.snapshot
}

// creates answers every Create with the inputs as the state.
func creates(_ context.Context, r plugin.CreateRequest) (plugin.CreateResponse, error) {
	return plugin.CreateResponse{ID: "id", Properties: r.Properties}, nil
}

// registers registers the resource.
func registers(o deploytest.ResourceOptions) registration {
	return func(monitor *deploytest.ResourceMonitor) error {
		_, err := monitor.RegisterResource(thingType, "one", true, o)
		return err
	}
}

// clone returns a copy of a snapshot that shares nothing with it.
func clone(t *testing.T, s *deploy.Snapshot) *deploy.Snapshot {
	t.Helper()
	return lt.CloneSnapshot(t, s)
}
