package guides_test

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

func Example_unknowns() {
	known := value.Object(value.Field("subnet", value.String("10.0.0.0/24")), value.Field("size", value.Number(1)))
	later, _ := known.WithField("subnet", value.Unknown())
	bigger, _ := later.WithField("size", value.Number(2))

	fmt.Println(later, later.ContainsUnknown())
	fmt.Println(value.Engine.Compatible(known, known), value.Engine.Compatible(known, later), value.Engine.Compatible(known, bigger))
	// Output:
	// {size: 1, subnet: [unknown]} true
	// same maybe changed
}

type networkArgs struct {
	Subnet string `pulumi:"subnet"`
	Size   int    `pulumi:"size"`
}

func checkNetwork(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if _, err := bind.Decode(r.News, &networkArgs{}, bind.Options{AllowUnknown: true}); err != nil {
		return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(r.News, err)}, nil
	}

	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func Example_unknownsDiff() {
	old := value.Object(value.Field("subnet", value.String("10.0.0.0/24")), value.Field("size", value.Number(1)))
	now, _ := old.WithField("subnet", value.Unknown())

	checked, _ := checkNetwork(context.Background(), &rpc.CheckRequest{News: now})
	fmt.Println(checked.Inputs, checked.Failures)

	answer, err := provider.Differ{}.Answer(&rpc.DiffRequest{OldInputs: old, Olds: old, News: checked.Inputs})
	fmt.Println(answer.Changes, answer.Diffs, err)
	// Output:
	// {size: 1, subnet: [unknown]} []
	// DIFF_SOME [subnet] <nil>
}

func configureNetwork(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true, SupportsPreview: true}, nil
}

func createNetwork(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if r.Preview {
		return &rpc.CreateResponse{Properties: r.Properties.WithUnknowns("gateway")}, nil
	}

	gateway := value.String("10.0.0.1") // from the API
	state, _ := r.Properties.WithField("gateway", gateway)

	return &rpc.CreateResponse{ID: "net-1", Properties: state}, nil
}

func Example_unknownsCreate() {
	inputs := value.Object(value.Field("subnet", value.Unknown()), value.Field("size", value.Number(1)))

	features, _ := configureNetwork(context.Background(), &rpc.ConfigureRequest{})
	preview, _ := createNetwork(context.Background(), &rpc.CreateRequest{Properties: inputs, Preview: features.SupportsPreview})
	fmt.Println(preview.Properties)
	// Output:
	// {gateway: [unknown], size: 1, subnet: [unknown]}
}

func Example_unknownsLift() {
	greet := func(args ...value.Value) (value.Value, error) {
		name, _ := args[0].AsString()

		return value.String("hello " + name), nil
	}

	for _, name := range []value.Value{value.String("ann"), value.Unknown()} {
		greeting, err := value.Lift(greet, name)
		fmt.Println(greeting, err)
	}
	// Output:
	// "hello ann" <nil>
	// [unknown] <nil>
}
