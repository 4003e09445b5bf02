package stack_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/backend"
	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/pkg/v3/secrets/b64"
	"github.com/pulumi/pulumi/pkg/v3/util/cancel"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/contract"
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
	hangs    bool // it waited for what never came, until it was ended
}

// run runs an operation, or its preview, on a copy of a snapshot, which may be nil. The engine writes
// its state as it does for the CLI, but only once: the framework has it write three, and compares them.
func (r *inProcess) run(op lt.TestOp, before *deploy.Snapshot, preview bool, program registration) (did ran) {
	r.t.Helper()

	loader := deploytest.NewProviderLoader("pkg", semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
		p := r.provider
		return &p, nil
	})
	language := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
	host := deploytest.NewPluginHostF(nil, nil, language, nil, nil, loader)()
	defer contract.IgnoreClose(host)
	options := lt.TestUpdateOptions{UpdateOptions: r.options}.Options()
	options.HostFactory = func(context.Context, diag.Sink, diag.Sink, plugin.DebugContext) (plugin.Host, error) {
		return host, nil
	}

	events, drained := make(chan pulumiengine.Event), make(chan struct{})
	go func() {
		defer close(drained)
		for e := range events {
			if e.Type == pulumiengine.ResourcePreEvent {
				did.steps = append(did.steps, e.Payload().(pulumiengine.ResourcePreEventPayload).Metadata)
			}
		}
	}()

	target := r.plan.GetTarget(r.t, before)
	cancelled, source := cancel.NewContext(context.Background())
	defer source.Terminate() // what the engine leaves behind
	late := time.AfterFunc(time.Minute, func() {
		did.hangs = true
		source.Terminate()
	})
	defer late.Stop()
	ctx := &pulumiengine.Context{Cancel: cancelled, Events: events, PluginManager: lt.NopPluginManager{}}
	journal := pulumiengine.NewTestJournal()
	var wrong []error
	if !preview {
		persister := &backend.ValidatingPersister{ErrorFunc: func(err error) {
			if err != nil {
				wrong = append(wrong, fmt.Errorf("validation error: %w", err))
			}
		}}
		ctx.SnapshotManager = &pulumiengine.CombinedManager{Managers: []pulumiengine.SnapshotManager{
			journal, backend.NewSnapshotManager(persister, b64.NewBase64SecretsManager(), target.Snapshot, nil),
		}}
	}
	_, _, did.err = op(lt.NewUpdateInfo(r.plan.GetProject(), target), ctx, options, preview)
	close(events)
	<-drained
	if preview {
		return did
	}

	closed := ctx.SnapshotManager.Close()
	after, err := journal.Entries().Snap(target.Snapshot)
	if err == nil {
		err = after.VerifyIntegrity()
	}
	if did.err = errors.Join(append(wrong, closed, did.err, err)...); err == nil {
		did.snapshot = after
	}
	return did
}

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
