package stack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver"
	pkgresource "github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/value"
)

// TestLookup: plugins are found as the engine finds them.
func TestLookup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		versions := rapid.SampledFrom([]string{
			"", "1.2.3", "v1.2.3", "1.2.3+build", "1.2.4", "1.10.0", "2.0.0", "2.0.0-alpha", "2.0.0-alpha.1", "2.0.0-alpha.11", "2.0.0-alpha.a", "2.0.0-beta", "3.0.0-1", "0.9.0",
		})
		names := rapid.SampledFrom([]string{"aws", "aws", "gcp"})

		var installed []engine.Plugin
		var theirs []workspace.PluginInfo
		for range rapid.IntRange(0, 6).Draw(t, "plugins") {
			p := engine.Plugin{Name: names.Draw(t, "name"), Version: versions.Draw(t, "version")}
			installed = append(installed, p)
			theirs = append(theirs, workspace.PluginInfo{Name: p.Name, Kind: apitype.ResourcePlugin, Version: semverOf(p.Version)})
		}

		version := versions.Draw(t, "wanted")
		spec := workspace.PluginDescriptor{Name: "aws", Kind: apitype.ResourcePlugin, Version: semverOf(version)}

		want := workspace.LegacySelectCompatiblePlugin(theirs, spec) // for which the engine asks if no version is wanted
		if version != "" {
			want = workspace.SelectCompatiblePlugin(slices.Clone(theirs), spec)
		}

		got, err := engine.Lookup(installed, engine.Plugin{Name: "aws", Version: version})
		if (err != nil) != (want == nil) {
			t.Fatalf("%v, and the engine's %v", err, want)
		}

		if ours := semverOf(got.Version); (want != nil && (ours == nil) != (want.Version == nil)) || (want != nil && ours != nil && !ours.EQ(*want.Version)) {
			t.Fatalf("%v, and the engine's %v", got, want.Version)
		}
	})
}

// semverOf is a version as the engine has it, or nil.
func semverOf(version string) *semver.Version {
	if version == "" {
		return nil
	}

	v := semver.MustParse(strings.TrimPrefix(version, "v"))

	return &v
}

// TestDefaultProvider: default providers have the names that the engine gives them.
func TestDefaultProvider(t *testing.T) {
	for _, version := range []string{"", "1.2.3", "v1.2.3", "0.0.1-alpha", "1.2.3-alpha.10+build.5", "10.20.30+x"} {
		want := providers.NewProviderRequest("aws", semverOf(version), "", nil, nil).DefaultName()
		if got, err := decide.DefaultProvider(version); err != nil || got != want {
			t.Errorf("%s: %s, %v, and the engine's %s", version, got, err, want)
		}
	}
}

// event is a registration that is done.
type event struct{ deploy.SourceEvent }

func (event) Goal() *pkgresource.Goal            { return nil }
func (event) Done(*deploy.RegisterResult)        {}
func (event) Extension() *apitype.Extension      { return nil }
func (event) ExtensionRef() apitype.ExtensionRef { return "" }

// component is a resource that has no provider, so that a step can be applied without one.
func component(n int) *pkgresource.State {
	inputs := resource.PropertyMap{"in": resource.NewProperty(float64(n))}
	outputs := resource.PropertyMap{"out": resource.NewProperty(float64(n))}

	return &pkgresource.State{Type: "pkg:index:Component", URN: "urn:pulumi:s::p::pkg:index:Component::one", Inputs: inputs, Outputs: outputs}
}

// apply applies a step without a deployment.
func apply(t *testing.T, step deploy.Step) {
	t.Helper()

	if _, _, err := step.Apply(); err != nil {
		t.Fatal(err)
	}
}

// line is what a state has of a resource.
func line(inputs, outputs any, waits, pending bool) string {
	return fmt.Sprintf("%v %v %v %v", inputs, outputs, waits, pending)
}

// TestWritten: after each call of a step, the state has what the engine's step makes of it.
// Steps that delete need a whole deployment.
func TestWritten(t *testing.T) {
	ours := func(n float64) state.Resource {
		return state.Resource{Inputs: value.Object(value.Field("in", value.Number(n))), Outputs: value.Object(value.Field("out", value.Number(n)))}
	}

	for _, row := range []struct {
		step  decide.Step
		calls int
		apply func(old, now *pkgresource.State) []*pkgresource.State
	}{
		{decide.StepSame, 0, func(old, now *pkgresource.State) []*pkgresource.State {
			apply(t, deploy.NewSameStep(nil, event{}, old, now))

			return []*pkgresource.State{now}
		}},
		{decide.StepUpdate, 1, func(old, now *pkgresource.State) []*pkgresource.State {
			apply(t, deploy.NewUpdateStep(nil, event{}, old, now, nil, nil, nil, nil, nil))

			return []*pkgresource.State{now}
		}},
		{decide.StepCreateFirst, 1, func(old, now *pkgresource.State) []*pkgresource.State {
			apply(t, deploy.NewCreateReplacementStep(nil, event{}, old, now, nil, nil, nil, true))

			return []*pkgresource.State{now, old}
		}},
	} {
		var got, want []string

		for _, r := range decide.Written(row.step, row.calls, ours(1), ours(2)) {
			got = append(got, line(r.Inputs.Field("in"), r.Outputs.Field("out"), r.Delete, r.PendingReplacement))
		}

		for _, r := range row.apply(component(1), component(2)) {
			want = append(want, line(r.Inputs["in"].NumberValue(), r.Outputs["out"].NumberValue(), r.Delete, r.PendingReplacement))
		}

		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, and the engine's %v", row.step, got, want)
		}
	}
}
