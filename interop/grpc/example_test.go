package grpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// greeter is a provider; what it does not write, Unimplemented has.
type greeter struct{ grpc.Unimplemented }

func (greeter) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Differ{ReplaceOn: path.NewSet(path.MustParsePattern("name"))}.Answer(r)
}

func (greeter) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	name, ok := r.Properties.Field("name").AsString()
	if !ok {
		return nil, &grpc.Error{Code: codes.InvalidArgument, Text: "name: is required"}
	}
	if name == "nobody" {
		return nil, grpc.InitFailed(&rpc.ErrorResourceInitFailed{ID: name, Properties: r.Properties, Reasons: []string{"nobody is there"}})
	}
	return &rpc.CreateResponse{ID: name, Properties: r.Properties}, nil
}

// The whole of a plugin's main.
func ExampleServe() {
	main := func() {
		err := grpc.Serve(context.Background(), greeter{}, grpc.ServeOptions{Engine: grpc.EngineAddress(os.Args)})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	_ = main
}

func ExampleClient() {
	conn, end := exampleServer(greeter{})
	defer end()
	provider := grpc.NewClient(conn)

	inputs := value.Object(value.Member{Key: "name", Value: value.String("joe")})
	r, err := provider.Create(context.Background(), &rpc.CreateRequest{Properties: inputs})
	fmt.Println(r.ID, r.Properties, err)
	d, err := provider.Diff(context.Background(), &rpc.DiffRequest{OldInputs: inputs, News: value.Object()})
	fmt.Println(d.Replaces, err)
	_, err = provider.Delete(context.Background(), &rpc.DeleteRequest{})
	fmt.Println(err)
	// Output:
	// joe {name: "joe"} <nil>
	// [name] <nil>
	// grpc: Delete: Unimplemented: the provider does not implement Delete
}

func ExampleError() {
	conn, end := exampleServer(greeter{})
	defer end()

	inputs := value.Object(value.Member{Key: "name", Value: value.String("nobody")})
	_, err := grpc.NewClient(conn).Create(context.Background(), &rpc.CreateRequest{Properties: inputs})
	fmt.Println(err)
	var e *grpc.Error
	if errors.As(err, &e) {
		if failed, ok := e.Detail.(*rpc.ErrorResourceInitFailed); ok {
			fmt.Println(e.Code, failed.ID, failed.Reasons)
		}
	}
	// Output:
	// grpc: Create: Unknown: resource exists, but was not fully initialized
	// Unknown nobody [nobody is there]
}

// An engine's side: start a plugin, call it, end it.
func ExampleLaunch() {
	plugin, err := grpc.Launch(context.Background(), "no/such/pulumi-resource-demo", grpc.LaunchOptions{Args: []string{"127.0.0.1:1"}, Stderr: io.Discard})
	if err != nil {
		fmt.Println(errors.Is(err, grpc.ErrLaunch))
		return
	}
	defer func() { _ = plugin.Close() }()
	info, err := plugin.GetPluginInfo(context.Background(), &rpc.Empty{})
	fmt.Println(info, err)
	// Output:
	// true
}
