package stack_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/fuzz"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

const (
	groupType = "pkg:index:Group"
	groupURN  = "urn:pulumi:test::test::pkg:index:Group::group"
	ownType   = "pulumi:providers:pkg"
	ownURN    = "urn:pulumi:test::test::pulumi:providers:pkg::own"
)

// fake is the provider of package pkg as package engine launches it: it checks nothing, and
// its state is what it is told to return.
type fake struct {
	rpc.Provider
	diff    provider.Response
	state   value.Value // what Create, Update and Read return
	updates []value.Value
}

func (f *fake) stack(resources ...state.Resource) *engine.Stack {
	return &engine.Stack{
		Resources: resources,
		Launch:    func(context.Context, engine.Plugin) (rpc.Provider, error) { return f, nil },
	}
}

func (f *fake) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (f *fake) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func (f *fake) DiffConfig(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.NewDiffResponse(f.diff), nil
}

func (f *fake) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (f *fake) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func (f *fake) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.NewDiffResponse(f.diff), nil
}

func (f *fake) Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return &rpc.CreateResponse{ID: "id", Properties: f.state}, nil
}

func (f *fake) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	f.updates = append(f.updates, r.Olds)
	return &rpc.UpdateResponse{Properties: f.state}, nil
}

func (f *fake) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return &rpc.ReadResponse{ID: r.ID, Inputs: r.Inputs, Properties: f.state}, nil
}

func (f *fake) Delete(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}

func (f *fake) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) { return &rpc.Empty{}, nil }

// previewed returns the operations that package engine previews for a URN, and whether it
// fails.
func previewed(s *engine.Stack, urn string, goals ...engine.Goal) (ops string, failed bool) {
	var all []string

	for a, err := range s.Preview(context.Background(), engine.Program{Stack: "test", Project: "test", Resources: goals}) {
		failed = failed || err != nil
		if a.URN == urn && a.Op != "fail" {
			all = append(all, string(a.Op))
		}
	}

	return strings.Join(all, " "), failed
}

// withoutReplace leaves out the operation that the engine has for display alone.
func withoutReplace(ops string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(ops), func(op string) bool { return op == "replace" }), " ")
}

// drawPlain draws bags that language hosts can register outside of previews.
func drawPlain(t *rapid.T) fuzz.Pair {
	o := fuzz.Options{NoSealed: true, NoUnknowns: true, NoDependencies: true, NoReferences: true, NoAssets: true, Nodes: 10, Depth: 3}
	pair := fuzz.ObjectPairs(o).Draw(t, "bags")

	return fuzz.Pair{Old: bagOf(pair.Old), New: bagOf(pair.New)}
}

// TestComponentsOfTheEngine holds what is done with components against the engine.
func TestComponentsOfTheEngine(t *testing.T) {
	r := &inProcess{t: t}
	registers := func(o deploytest.ResourceOptions) registration {
		return func(monitor *deploytest.ResourceMonitor) error {
			_, err := monitor.RegisterResource(groupType, "group", false, o)
			return err
		}
	}
	before := r.made(registers(deploytest.ResourceOptions{}))
	counts := map[string]int{}

	rapid.Check(t, func(t *rapid.T) {
		pair := drawPlain(t)
		places := append(fuzz.Internal.PathsOf(pair.Old), fuzz.Internal.PathsOf(pair.New)...)
		patterns, ignored := drawPatterns(t, "ignored", places)
		_, replaces := drawPatterns(t, "replaces", places)

		if byChance(pair.Old, pair.New, patterns) {
			return
		}

		snapshot := clone(r.t, before)
		snapshot.Resources[0].Inputs = theirs(t, pair.Old)
		did := r.run(pulumiengine.Update, snapshot, true, registers(deploytest.ResourceOptions{
			Inputs: theirs(t, pair.New), IgnoreChanges: ignored, ReplaceOnChanges: replaces,
		}))

		s := (&fake{}).stack(state.Resource{URN: groupURN, Type: groupType, Inputs: pair.Old})
		got, _ := previewed(s, groupURN, engine.Goal{
			Type: groupType, Name: "group", Component: true, Inputs: pair.New, IgnoreChanges: ignored, ReplaceOnChanges: replaces,
		})

		if want := did.ops(groupURN); got != want || did.err != nil {
			t.Fatalf("the engine does %q, %v, and ours %q\nold %s\nnew %s", want, did.err, got, fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New))
		}

		counts[got]++
	})

	t.Log(counts)
}

// configOf returns a bag without what selects a plugin, which has to be texts of a form.
func configOf(bag value.Value) value.Value {
	for _, name := range []string{"name", "version", "pluginDownloadURL", "__internal"} {
		bag, _ = bag.Without(path.Path{}.Member(name))
	}

	return bag
}

// TestConfigOfTheEngine holds what is done with provider resources against the engine.
func TestConfigOfTheEngine(t *testing.T) {
	r := &inProcess{t: t}
	registers := func(o deploytest.ResourceOptions) registration {
		return func(monitor *deploytest.ResourceMonitor) error {
			_, err := monitor.RegisterResource(ownType, "own", true, o)
			return err
		}
	}
	before := r.made(registers(deploytest.ResourceOptions{}))
	counts := map[string]int{}

	rapid.Check(t, func(t *rapid.T) {
		pair := drawPlain(t)
		pair.Old, pair.New = configOf(pair.Old), configOf(pair.New)
		outputs := rapid.SampledFrom([]value.Value{pair.Old, pair.New, value.Object()}).Draw(t, "state")
		places := append(fuzz.Internal.PathsOf(pair.Old), fuzz.Internal.PathsOf(pair.New)...)
		patterns, ignored := drawPatterns(t, "ignored", places)
		_, replaces := drawPatterns(t, "replaces", places)

		if byChance(pair.Old, pair.New, patterns) {
			return
		}
		f := &fake{diff: drawResponse(t, places)}

		r.provider.DiffConfigF = func(context.Context, plugin.DiffConfigRequest) (plugin.DiffConfigResponse, error) {
			return answerOf(f.diff), nil
		}
		snapshot := clone(r.t, before)
		one := snapshot.Resources[0]
		one.Inputs, one.Outputs = theirs(t, pair.Old), theirs(t, outputs)
		did := r.run(pulumiengine.Update, snapshot, true, registers(deploytest.ResourceOptions{
			Inputs: theirs(t, pair.New), IgnoreChanges: ignored, ReplaceOnChanges: replaces,
		}))

		s := f.stack(state.Resource{URN: ownURN, Type: ownType, Custom: true, ID: string(one.ID), Inputs: pair.Old, Outputs: outputs})
		got, failed := previewed(s, ownURN, engine.Goal{
			Type: ownType, Name: "own", Inputs: pair.New, IgnoreChanges: ignored, ReplaceOnChanges: replaces,
		})

		if want := withoutReplace(did.ops(ownURN)); got != want || failed != (did.err != nil) {
			t.Fatalf("the engine does %q, %v, and ours %q\nold %s\nstate %s\nnew %s\nanswer %+v\nignored %q replaces %q", want, did.err, got,
				fuzz.GoSource(pair.Old), fuzz.GoSource(outputs), fuzz.GoSource(pair.New), f.diff, ignored, replaces)
		}

		counts[got]++
	})

	t.Log(counts)
}

// TestSecretOutputsOfTheEngine holds the outputs that are written after a creation, updates and
// a refresh, and those that providers are sent, against the engine.
func TestSecretOutputsOfTheEngine(t *testing.T) {
	r := &inProcess{t: t}

	rapid.Check(t, func(t *rapid.T) {
		f := &fake{}
		s := f.stack()

		var updates []resource.PropertyMap

		before := r.made(func(*deploytest.ResourceMonitor) error { return nil })

		for range rapid.IntRange(1, 4).Draw(t, "runs") {
			pair := drawPlain(t)
			f.state = pair.New
			f.diff = provider.Response{Changes: rapid.SampledFrom([]rpc.DiffChanges{rpc.DiffNone, rpc.DiffSome}).Draw(t, "changes")}
			state := theirs(t, f.state)

			r.provider = deploytest.Provider{
				DiffF: func(context.Context, plugin.DiffRequest) (plugin.DiffResult, error) { return answerOf(f.diff), nil },
				CreateF: func(context.Context, plugin.CreateRequest) (plugin.CreateResponse, error) {
					return plugin.CreateResponse{ID: "id", Properties: state.Copy()}, nil
				},
				UpdateF: func(_ context.Context, r plugin.UpdateRequest) (plugin.UpdateResponse, error) {
					updates = append(updates, r.OldOutputs.Copy())
					return plugin.UpdateResponse{Properties: state.Copy()}, nil
				},
				ReadF: func(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
					return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: r.ID, Inputs: r.Inputs, Outputs: state.Copy()}}, nil
				},
			}

			names := rapid.SliceOfN(rapid.SampledFrom(append(namesOf(pair.New), "id", "none")), 0, 3).Draw(t, "secret outputs")
			options := deploytest.ResourceOptions{Inputs: theirs(t, pair.Old), AdditionalSecretOutputs: keysOf(names)}

			op, run := pulumiengine.Update, s.Update(context.Background(), engine.Program{Stack: "test", Project: "test", Resources: []engine.Goal{
				{Type: thingType, Name: "one", Inputs: pair.Old, AdditionalSecretOutputs: names},
			}})
			if len(s.Resources) > 0 && rapid.Bool().Draw(t, "refresh") {
				op, run = pulumiengine.Refresh, s.Refresh(context.Background())
			}

			did := r.run(op, before, false, registers(options))
			if did.err != nil {
				t.Fatal(did.err)
			}

			for _, err := range run {
				if err != nil {
					t.Fatal(err)
				}
			}

			before = did.snapshot
			theirOne, ourOne := before.Resources[len(before.Resources)-1], s.Resources[len(s.Resources)-1]
			want, err := pulumi.FromPropertyMap(theirOne.Outputs)

			if err != nil || !want.Identical(ourOne.Outputs) {
				t.Fatalf("the engine writes\n%s, %v\nours\n%s\nsecrets %q, returned\n%s", fuzz.GoSource(want), err, fuzz.GoSource(ourOne.Outputs), names, fuzz.GoSource(f.state))
			}
		}

		for i, sent := range updates {
			want, err := pulumi.FromPropertyMap(sent)
			if err != nil || i >= len(f.updates) || !want.Identical(f.updates[i]) {
				t.Fatalf("the engine sends %s, %v, and ours %v", fuzz.GoSource(want), err, f.updates)
			}
		}
	})
}

// keysOf returns names as Pulumi's keys.
func keysOf(names []string) (keys []resource.PropertyKey) {
	for _, name := range names {
		keys = append(keys, resource.PropertyKey(name))
	}

	return keys
}

// namesOf returns the names of members.
func namesOf(bag value.Value) (names []string) {
	for name := range bag.Members() {
		names = append(names, name)
	}

	return names
}
