package resource_test

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

type noteArgs struct {
	Name     string `pulumi:"name" provider:"replaceOnChanges,shown"`
	Text     string `pulumi:"text"`
	Password string `pulumi:"password,optional" provider:"secret"`
}

type note struct {
	noteArgs
	URL string `pulumi:"url"`
}

// A provider of notes, and what an engine does with it: the address is unknown in a preview,
// and a secret since there is one in it. The first action of a run is that of the provider itself.
func Example() {
	notes := resource.Of[noteArgs, note]{
		Token: "demo:index:Note",
		Create: func(_ context.Context, args noteArgs) (id string, state note, err error) {
			return args.Name, note{args, "https://" + args.Password + "@notes.test"}, nil
		},
		Update: func(_ context.Context, _ string, old note, args noteArgs) (note, error) {
			return note{args, old.URL}, nil
		},
	}
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{notes}})
	if err != nil {
		panic(err)
	}

	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return p, nil }}
	program := engine.Program{Stack: "dev", Project: "shop", Resources: []engine.Goal{{
		Type: "demo:index:Note", Name: "n",
		Inputs: value.Object(value.Field("name", value.String("a")), value.Field("text", value.String("b")), value.Field("password", value.String("hunter2"))),
	}}}
	ctx := context.Background()
	for action := range stack.Preview(ctx, program) {
		fmt.Println(action.Op, action.Now.Outputs)
	}
	for action := range stack.Update(ctx, program) {
		fmt.Println(action.Op, action.Now.Outputs)
	}
	// Output:
	// create {}
	// create {name: "a", password: [secret], text: "b", url: [unknown]}
	// create {}
	// create {name: "a", password: [secret], text: "b", url: [secret]}
}
