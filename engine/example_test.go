package engine_test

import (
	"context"
	"errors"
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

// machines is a program: a network in a zone, and a machine of a size in it.
func machines(zone string, size float64) engine.Program {
	return engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{
		{Type: "demo:index:Network", Name: "net", Inputs: value.Object(value.Field("zone", value.String(zone)))},
		{Type: "demo:index:Machine", Name: "web", Compute: func(output func(resource, property string) value.Value) value.Value {
			return value.Object(value.Field("network", output("net", "id")), value.Field("size", value.Number(size)))
		}},
	}}
}

// The whole life of a provider's resources, as a test.
func ExampleStack() {
	ctx, tested := context.Background(), &memory{things: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }}
	for _, run := range []iter.Seq2[engine.Action, error]{
		stack.Update(ctx, machines("a", 1)), stack.Update(ctx, machines("a", 2)), stack.Refresh(ctx), stack.Destroy(ctx),
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

// To refuse an update that replaces something, preview it.
func ExampleStack_Preview() {
	ctx, tested := context.Background(), &memory{things: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }}
	for range stack.Update(ctx, machines("a", 1)) {
	}
	for action := range stack.Preview(ctx, machines("b", 1)) {
		if action.Op == engine.OpCreateReplacement {
			fmt.Println("refused:", action.URN, action.Keys)
			break
		}
	}
	// Output:
	// refused: urn:pulumi:dev::shop::demo:index:Network::net [zone]
}

// full is a provider that makes networks, and no machines.
type full struct{ *memory }

func (p full) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if r.Type == "demo:index:Machine" {
		return nil, errors.New("no room")
	}
	return p.memory.Create(ctx, r)
}

// After a failure the stack has what was made, and another update goes on from there.
func ExampleStack_Update() {
	ctx, tested := context.Background(), &memory{things: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return full{tested}, nil }}
	for _, err := range stack.Update(ctx, machines("a", 1)) {
		if err != nil {
			fmt.Println(err)
		}
	}
	for _, r := range stack.Resources {
		fmt.Println("made:", r.Type)
	}
	stack.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }
	for action, err := range stack.Update(ctx, machines("a", 1)) {
		fmt.Println(action, err)
	}
	// Output:
	// engine: urn:pulumi:dev::shop::demo:index:Machine::web: Create: no room
	// made: pulumi:providers:demo
	// made: demo:index:Network
	// same pulumi:providers:demo default: nothing changed <nil>
	// same demo:index:Network net: nothing changed <nil>
	// create demo:index:Machine web: it is not managed yet <nil>
}

// What changed in the cloud, and not by the program, is found by a refresh.
func ExampleStack_Refresh() {
	ctx, tested := context.Background(), &memory{things: map[string]value.Value{}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }}
	for range stack.Update(ctx, machines("a", 1)) {
	}
	tested.things["id-1"], _ = tested.things["id-1"].WithField("size", value.Number(7))
	for action, err := range stack.Refresh(ctx) {
		fmt.Println(action, err)
	}
	// Output:
	// refresh demo:index:Network net: nothing changed <nil>
	// refresh demo:index:Machine web: something changed (size) <nil>
}

// A network that exists already is managed from the import on.
func ExampleStack_Import() {
	tested := &memory{things: map[string]value.Value{"old": value.Object(value.Field("zone", value.String("a")))}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return tested, nil }}
	program := engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{{Type: "demo:index:Network", Name: "net", ImportID: "old"}}}
	for action, err := range stack.Import(context.Background(), program) {
		fmt.Println(action, err)
	}
	fmt.Println(len(stack.Resources))
	// Output:
	// create pulumi:providers:demo default: it is not managed yet <nil>
	// import demo:index:Network net: the run asks for it <nil>
	// 2
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
