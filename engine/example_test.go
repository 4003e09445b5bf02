package engine_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// memory is a provider that is tested: of things in memory, which another zone replaces.
type memory struct {
	rpc.Unimplemented                        // the methods that are not written below
	things            map[string]value.Value // inputs, by ID
}

func (*memory) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Answer(r, provider.Options{ReplaceOn: path.MustSet("zone"), DeleteBeforeReplace: true})
}

// Create is not called in previews, as Configure does not ask for that.
func (m *memory) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	id := fmt.Sprint("id-", len(m.things))
	m.things[id] = r.Properties
	return &rpc.CreateResponse{ID: id, Properties: r.Properties}, nil
}

func (m *memory) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return &rpc.ReadResponse{ID: r.ID, Inputs: m.things[r.ID], Properties: m.things[r.ID]}, nil
}

func (m *memory) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	m.things[r.ID] = r.News
	return &rpc.UpdateResponse{Properties: r.News}, nil
}

func (m *memory) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	delete(m.things, r.ID)
	return &rpc.Empty{}, nil
}

// The whole life of a provider's resources, as a test.
func ExampleStack() {
	ctx, tested := context.Background(), &memory{things: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }}
	program := func(zone string, size float64) engine.Program {
		return engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{
			{Type: "demo:index:Network", Name: "net", Inputs: value.Object(value.Field("zone", value.String(zone)))},
			{Type: "demo:index:Machine", Name: "web", Compute: func(output func(resource, property string) value.Value) value.Value {
				return value.Object(value.Field("network", output("net", "id")), value.Field("size", value.Number(size)))
			}},
		}}
	}
	for _, run := range []iter.Seq2[engine.Action, error]{
		stack.Update(ctx, program("a", 1)), stack.Update(ctx, program("a", 2)), stack.Refresh(ctx), stack.Destroy(ctx),
	} {
		for action, err := range run {
			fmt.Println(action, err)
		}
	}
	// Output:
	// create pulumi:providers:demo default: it is not managed yet <nil>
	// create demo:index:Network net: it is not managed yet <nil>
	// create demo:index:Machine web: it is not managed yet <nil>
	// same pulumi:providers:demo default: nothing changed <nil>
	// same demo:index:Network net: nothing changed <nil>
	// update demo:index:Machine web: something changed (size) <nil>
	// refresh demo:index:Network net: nothing changed <nil>
	// refresh demo:index:Machine web: nothing changed <nil>
	// delete demo:index:Machine web: the run asks for it <nil>
	// delete demo:index:Network net: the run asks for it <nil>
	// delete pulumi:providers:demo default: the run asks for it <nil>
}

// refusing is a provider that tells secrets.
type refusing struct{ rpc.Unimplemented }

func (refusing) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	key, _ := r.Properties.Field("key").AsString()
	return nil, fmt.Errorf("bad key %x", key)
}

// What a provider says is shown if nothing was secret, or by a call whose name says so.
func ExampleRevealError() {
	for _, key := range []value.Value{value.String("hunter2"), value.Secret(value.String("hunter2"))} {
		stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return refusing{}, nil }}
		program := engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{
			{Type: "demo:index:Machine", Name: "web", Inputs: value.Object(value.Field("key", key))},
		}}
		for _, err := range stack.Update(context.Background(), program) {
			if err != nil {
				fmt.Println(err)
				fmt.Println(engine.RevealError(err))
			}
		}
	}
	// Output:
	// engine: urn:pulumi:dev::shop::demo:index:Machine::web: Create: bad key 68756e74657232
	// bad key 68756e74657232
	// engine: urn:pulumi:dev::shop::demo:index:Machine::web: Create: [secret]: what was said may quote a secret, see engine.RevealError
	// bad key 68756e74657232
}

// Why a machine would be replaced: its network would be, which is in another zone.
func ExampleExplain() {
	ctx, tested := context.Background(), &memory{things: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }}
	program := func(zone string) engine.Program {
		return engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{
			{Type: "demo:index:Network", Name: "net", Inputs: value.Object(value.Field("zone", value.String(zone)))},
			{Type: "demo:index:Machine", Name: "web", Compute: func(output func(resource, property string) value.Value) value.Value {
				return value.Object(value.Field("zone", output("net", "zone")))
			}},
		}}
	}
	for range stack.Update(ctx, program("a")) {
	}
	var actions []engine.Action
	for action := range stack.Preview(ctx, program("b")) {
		actions = append(actions, action)
	}
	for _, action := range engine.Explain(actions, "urn:pulumi:dev::shop::demo:index:Machine::web") {
		fmt.Println(action)
	}
	// Output:
	// create-replacement demo:index:Network net: something changed that replaces (zone)
	// create-replacement demo:index:Machine web: a resource that it depends on is replaced, and deleted first (zone), because of demo:index:Network net
}

// machine returns the inputs of a virtual machine, and its state, which also has a url.
func machine(name string, size float64) (inputs, state value.Value) {
	inputs = value.Object(value.Field("name", value.String(name)), value.Field("size", value.Number(size)))
	state, _ = inputs.WithField("url", value.String("https://"+name))
	return inputs, state
}

// show prints an answer, a line for each entry.
func show(r provider.Response) {
	fmt.Println(r.Changes, r.Diffs, r.Replaces, r.Stables)
	for _, e := range r.Detailed {
		fmt.Println(" ", e.Key, e.Kind, e.InputDiff)
	}
}

func ExampleFallback() {
	old, state := machine("web", 1)
	news, _ := machine("www", 2)
	sides := provider.Sides{OldInputs: old, OldState: state, News: news}
	show(engine.Fallback(provider.Response{Replaces: []string{"name"}}, sides, []path.Pattern{path.MustParsePattern("size")}))
	// Output:
	// DIFF_SOME [name] [name] []
	//   name UPDATE true
}

func ExampleReplaceOptions() {
	old, state := machine("web", 1)
	news, _ := machine("www", 1)
	sides := provider.Sides{OldInputs: old, OldState: state, News: news}
	o := engine.ReplaceOptions{Patterns: path.NewSet(path.MustParsePattern("name"))}
	show(engine.ReplaceOnChanges(provider.Response{Changes: provider.Some, Diffs: []string{"name"}}, sides, o))
	// Output:
	// DIFF_SOME [name] [name] []
}

func ExampleNext() {
	old, state := machine("web", 1)
	news, _ := machine("www", 1)
	options := provider.Options{ReplaceOn: path.MustSet("name")}
	answer := provider.Compare(provider.Sides{OldInputs: old, OldState: state, News: news}, options).Response(options)
	next := engine.Next(answer, engine.Situation{Order: engine.DeleteFirst})
	fmt.Println(next.Step, "-", next.Why, "- checks again:", next.ChecksAgain())
	// Output:
	// delete first - something changed that replaces - checks again: true
}

func ExampleSituation() {
	none := provider.Response{Changes: provider.None}
	fmt.Println(engine.Next(none, engine.Situation{}), engine.Next(none, engine.Situation{InitErrors: true}))
	// Output:
	// {same nothing changed} {update the last operation failed}
}

func ExampleOperation() {
	some := provider.Response{Changes: provider.Some, Replaces: []string{"name"}}
	for _, m := range []engine.Operation{engine.DuringUpdate, engine.DuringImport, engine.DuringRefresh} {
		fmt.Println(engine.Next(some, engine.Situation{Operation: m}).Step)
	}
	// Output:
	// create first
	// fail
	// update
}

func ExampleReplaceOrder() {
	replace := provider.Response{Changes: provider.Some, Replaces: []string{"name"}, DeleteBeforeReplace: true}
	for _, o := range []engine.ReplaceOrder{engine.ProviderDecides, engine.CreateFirst, engine.DeleteFirst} {
		fmt.Println(engine.Next(replace, engine.Situation{Order: o}).Step)
	}
	// Output:
	// delete first
	// create first
	// delete first
}

func ExampleStep() {
	fmt.Println(engine.StepCreateFirst)
	// Output:
	// create first
}

func ExampleReason() {
	fmt.Println(engine.BecauseTrigger)
	// Output:
	// the replacement trigger fired
}

func ExampleDecision() {
	next := engine.Next(provider.Response{}, engine.Situation{Unavailable: true})
	fmt.Println(next.Step, next.Warns())
	// Output:
	// update true
}

// The option import stays in a program, and is done once.
func ExampleKindOf() {
	r := engine.Goal{ImportID: "i-1"}
	fmt.Println(engine.KindOf(r, nil))
	fmt.Println(engine.KindOf(r, &state.Resource{ID: "i-1"}))
	// Output:
	// import
	// manage
}

// A program that asks for no version gets the newest one that is released.
func ExampleLookup() {
	installed := []engine.Plugin{{"aws", "6.9.0"}, {"aws", "6.10.0"}, {"aws", "7.0.0-alpha.1"}}
	fmt.Println(engine.Lookup(installed, "aws", ""))
	fmt.Println(engine.Lookup(installed, "aws", "6.8.0"))
	// Output:
	// {aws 6.10.0} <nil>
	// { } engine: no plugin of that package and version is installed
}

func ExampleDefaultProvider() {
	fmt.Println(engine.DefaultProvider("6.10.0"))
	// Output:
	// default_6_10_0 <nil>
}

// A run that is killed between the calls of a replacement leaves both resources, and the
// next run deletes the old one.
func ExampleWritten() {
	old, now := state.Resource{ID: "i-1"}, state.Resource{ID: "i-2"}
	for _, r := range engine.Written(engine.StepCreateFirst, 1, old, now) {
		fmt.Println(r.ID, r.Delete)
	}
	// Output:
	// i-2 false
	// i-1 true
}

// What Read does not find is dropped from the state.
func ExampleRefreshed() {
	_, there := engine.Refreshed(state.Resource{ID: "i-1"}, &rpc.ReadResponse{}, nil)
	fmt.Println(there)
	// Output:
	// false
}

func ExampleKind() {
	fmt.Println(engine.Read)
	// Output:
	// read
}

func ExamplePlugin() {
	fmt.Println(engine.Lookup([]engine.Plugin{{Name: "aws"}}, "aws", "6.8.0"))
	// Output:
	// {aws } <nil>
}

func ExampleGoal() {
	fmt.Println(engine.KindOf(engine.Goal{ReadID: "i-1"}, nil))
	// Output:
	// read
}
