package grpc_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// viewingEngine prints the steps that it gets for the token "t".
func viewingEngine() *google.Server {
	publish := func(_ any, _ context.Context, decode func(any) error, _ google.UnaryServerInterceptor) (any, error) {
		var r rpc.PublishViewStepsRequest
		if err := decode(&r); err != nil {
			return nil, err
		}
		if r.Token.Reveal() != "t" {
			return nil, errors.New("unknown token")
		}
		for _, s := range r.Steps {
			fmt.Println(s.Op, s.New.Type, s.New.Name, s.New.Inputs)
		}
		return &rpc.Empty{}, nil
	}
	g := google.NewServer(google.ForceServerCodec(rpc.Codec{}))
	g.RegisterService(&google.ServiceDesc{
		ServiceName: "pulumirpc.ResourceStatus", HandlerType: (*any)(nil), Methods: []google.MethodDesc{{MethodName: "PublishViewSteps", Handler: publish}},
	}, nil)
	return g
}

// A module of another tool is one resource, and shows what it has made as its views.
func ExampleResourceStatus() {
	server := viewingEngine()
	defer server.Stop()
	create := &rpc.CreateRequest{ResourceStatusAddress: listening(server), ResourceStatusToken: rpc.Hide("t")}

	engine, err := grpc.ConnectResourceStatus(create.ResourceStatusAddress)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = engine.Close() }()
	_, err = engine.PublishViewSteps(context.Background(), &rpc.PublishViewStepsRequest{Token: create.ResourceStatusToken, Steps: []rpc.ViewStep{{
		Op: rpc.ViewOpCreate, Type: "modules:tf:aws_vpc", Name: "main",
		New: &rpc.View{Type: "modules:tf:aws_vpc", Name: "main", Inputs: value.Object(value.Field("cidr", value.String("10.0.0.0/16")))},
	}}})
	fmt.Println(err)
	// Output:
	// CREATE modules:tf:aws_vpc main {cidr: "10.0.0.0/16"}
	// <nil>
}

func TestNoResourceStatus(t *testing.T) {
	for _, engine := range []*grpc.ResourceStatus{nil, {}} {
		_, err := engine.PublishViewSteps(t.Context(), &rpc.PublishViewStepsRequest{})
		var e *grpc.Error
		if !errors.As(err, &e) || e.Code != codes.Unavailable || e.Method != "/pulumirpc.ResourceStatus/PublishViewSteps" || engine.Close() != nil {
			t.Errorf("%v", err)
		}
	}
}

func TestResourceStatusRefuses(t *testing.T) {
	server := viewingEngine()
	defer server.Stop()
	engine, err := grpc.ConnectResourceStatus(listening(server))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close() }()
	var e *grpc.Error
	if _, err := engine.PublishViewSteps(t.Context(), &rpc.PublishViewStepsRequest{}); !errors.As(err, &e) || e.Code != codes.Unknown || e.Text != "unknown token" {
		t.Errorf("%v", err)
	}
}
