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
)

// loggingEngine prints the messages that it gets.
func loggingEngine() *google.Server {
	log := func(_ any, _ context.Context, decode func(any) error, _ google.UnaryServerInterceptor) (any, error) {
		var r rpc.LogRequest
		if err := decode(&r); err != nil {
			return nil, err
		}
		fmt.Println(r.Severity, r.URN, r.Message, r.Ephemeral)
		return &rpc.Empty{}, nil
	}
	g := google.NewServer(google.ForceServerCodec(rpc.Codec{}))
	g.RegisterService(&google.ServiceDesc{
		ServiceName: "pulumirpc.Engine", HandlerType: (*any)(nil), Methods: []google.MethodDesc{{MethodName: "Log", Handler: log}},
	}, nil)
	return g
}

// While a long operation runs, a provider says how far it is.
func ExampleEngine() {
	server := loggingEngine()
	defer server.Stop()
	handshake := &rpc.ProviderHandshakeRequest{EngineAddress: listening(server)}

	engine, err := grpc.ConnectEngine(handshake.EngineAddress)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = engine.Close() }()
	create := &rpc.CreateRequest{URN: "urn:pulumi:dev::shop::demo:index:Record::one"}
	_, err = engine.Log(context.Background(), &rpc.LogRequest{Severity: rpc.LogInfo, URN: create.URN, Message: "3 of 5 replicas are ready", Ephemeral: true})
	fmt.Println(err)
	// Output:
	// INFO urn:pulumi:dev::shop::demo:index:Record::one 3 of 5 replicas are ready true
	// <nil>
}

func TestNoEngine(t *testing.T) {
	for _, engine := range []*grpc.Engine{nil, {}} {
		_, err := engine.Log(t.Context(), &rpc.LogRequest{})
		var e *grpc.Error
		if !errors.As(err, &e) || e.Code != codes.Unavailable || e.Method != "/pulumirpc.Engine/Log" || engine.Close() != nil {
			t.Errorf("%v", err)
		}
	}
}
