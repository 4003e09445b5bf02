package engine_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/propalg/propalg/codec/rpc"
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
	return provider.Differ{ReplaceOn: path.MustSet("zone"), DeleteBeforeReplace: true}.Answer(r)
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

// A program that asks for no version gets the newest one that is released.
func ExampleLookup() {
	installed := []engine.Plugin{{"aws", "6.9.0"}, {"aws", "6.10.0"}, {"aws", "7.0.0-alpha.1"}}
	fmt.Println(engine.Lookup(installed, engine.Plugin{Name: "aws"}))
	fmt.Println(engine.Lookup(installed, engine.Plugin{Name: "aws", Version: "6.8.0"}))
	// Output:
	// {aws 6.10.0} <nil>
	// { } engine: no plugin of that package and version is installed
}

// A plugin without a version serves whoever wants one.
func ExamplePlugin() {
	fmt.Println(engine.Lookup([]engine.Plugin{{Name: "aws"}}, engine.Plugin{Name: "aws", Version: "6.8.0"}))
	// Output:
	// {aws } <nil>
}
