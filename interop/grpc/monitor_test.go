package grpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// listening runs a server, and returns where.
func listening(g *google.Server) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() { _ = g.Serve(l) }()
	return l.Addr().String()
}

// exampleServer serves a provider and connects to it, by grpc-go alone.
func exampleServer(p grpc.Provider) (*google.ClientConn, func()) {
	g := grpc.NewServer(p, grpc.ServerOptions{})
	conn, err := google.NewClient("passthrough:///"+listening(g), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	return conn, func() {
		_ = conn.Close()
		g.Stop()
	}
}

// exampleMonitor answers every call to a monitor with what the protocol has for it,
// empty, or for RegisterResource with a URN.
func exampleMonitor() *google.Server {
	describe := &google.ServiceDesc{ServiceName: "pulumirpc.ResourceMonitor", HandlerType: (*any)(nil)}
	for _, name := range []string{"SupportsFeature", "Invoke", "ReadResource", "RegisterResource", "RegisterResourceOutputs", "Call", "RegisterPackage"} {
		describe.Methods = append(describe.Methods, google.MethodDesc{MethodName: name, Handler: func(_ any, _ context.Context, decode func(any) error, _ google.UnaryServerInterceptor) (any, error) {
			request, response := rpc.NewCall("/pulumirpc.ResourceMonitor/" + name)
			if err := decode(request); err != nil {
				return nil, err
			}
			switch q := request.(type) {
			case *rpc.ReadResourceRequest:
				return &rpc.ReadResourceResponse{}, takingAll(q.AcceptSecrets, q.AcceptResources, q.AcceptsByteString)
			case *rpc.ResourceCallRequest:
				return &rpc.CallResponse{Return: q.Args}, takingAll(q.AcceptsByteString)
			case *rpc.RegisterPackageRequest:
				return &rpc.RegisterPackageResponse{Ref: "ref of " + q.Parameterization.Name}, nil
			case *rpc.RegisterResourceRequest:
				if err := takingAll(q.AcceptSecrets, q.AcceptResources, q.AcceptsByteString, q.SupportsPartialValues); err != nil {
					return nil, err
				}
				return &rpc.RegisterResourceResponse{URN: "urn:pulumi:dev::shop::" + q.Type + "::" + q.Name, Object: q.Object}, nil
			case *rpc.SupportsFeatureRequest:
				return &rpc.SupportsFeatureResponse{HasSupport: q.ID == "secrets"}, nil
			case *rpc.ResourceInvokeRequest:
				if err := takingAll(q.AcceptResources, q.AcceptsByteString); err != nil {
					return nil, err
				}
				return resourceOf(q)
			}
			return response, nil
		}})
	}
	g := google.NewServer(google.ForceServerCodec(rpc.Codec{}))
	g.RegisterService(describe, nil)
	return g
}

// takingAll is an error if a request does not accept all that engines may send.
func takingAll(flags ...bool) error {
	if slices.Contains(flags, false) {
		return errors.New("something is not accepted")
	}
	return nil
}

// In Construct, a component says to the engine what it is made of.
func ExampleMonitor() {
	engine := exampleMonitor()
	defer engine.Stop()
	request := &rpc.ConstructRequest{Type: "demo:index:Group", Name: "g", MonitorEndpoint: listening(engine)}

	monitor, err := grpc.ConnectMonitor(request.MonitorEndpoint)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = monitor.Close() }()
	self, err := monitor.RegisterResource(context.Background(), &rpc.RegisterResourceRequest{Type: request.Type, Name: request.Name})
	if err != nil {
		fmt.Println(err)
		return
	}
	child, err := monitor.RegisterResource(context.Background(), &rpc.RegisterResourceRequest{
		Type: "demo:index:Record", Name: "g-1", Parent: self.URN, Custom: true,
	})
	fmt.Println(child.URN, err)
	// Output:
	// urn:pulumi:dev::shop::demo:index:Record::g-1 <nil>
}

func TestMonitor(t *testing.T) {
	engine := exampleMonitor()
	defer engine.Stop()
	monitor, err := grpc.ConnectMonitor(listening(engine))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for name, err := range map[string]error{
		"Invoke":                  second(monitor.Invoke(ctx, &rpc.ResourceInvokeRequest{})),
		"ReadResource":            second(monitor.ReadResource(ctx, &rpc.ReadResourceRequest{})),
		"RegisterResourceOutputs": second(monitor.RegisterResourceOutputs(ctx, &rpc.RegisterResourceOutputsRequest{})),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for id, want := range map[string]bool{"secrets": true, "wings": false} {
		if r, err := monitor.SupportsFeature(ctx, &rpc.SupportsFeatureRequest{ID: id}); err != nil || r.HasSupport != want {
			t.Errorf("%s: %v %v", id, r, err)
		}
	}
	// Secrets and outputs are kept: engines take both.
	object := object(text("p"), value.Secret(text("s")).WithDependencies("urn:pulumi:a::b::c:d:e::f"))
	if r, err := monitor.RegisterResource(ctx, &rpc.RegisterResourceRequest{Object: object}); err != nil || !r.Object.Identical(object) {
		t.Errorf("%v %v", r, err)
	}
	if r, err := monitor.Call(ctx, &rpc.ResourceCallRequest{Args: object}); err != nil || !r.Return.Identical(object) {
		t.Errorf("%v %v", r, err)
	}
	request := &rpc.RegisterPackageRequest{Name: "terraform-provider", Parameterization: &rpc.ParametersValue{Name: "shop", Value: rpc.Hide([]byte("v"))}}
	if r, err := monitor.RegisterPackage(ctx, request); err != nil || r.Ref != "ref of shop" {
		t.Errorf("%v %v", r, err)
	}
	if err := monitor.Close(); err != nil {
		t.Error(err)
	}
	_, err = monitor.Invoke(ctx, &rpc.ResourceInvokeRequest{})
	var e *grpc.Error
	if !errors.As(err, &e) || e.Code != codes.Canceled || e.Method != "/pulumirpc.ResourceMonitor/Invoke" {
		t.Errorf("after Close: %v", err)
	}
	// A connection of the caller's is the caller's to close.
	conn, err := google.NewClient("passthrough:///127.0.0.1:1", google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	if err := grpc.NewMonitor(conn).Close(); err != nil {
		t.Error(err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

// resourceOf answers getResource as an engine does, for the resources a and b; the latter
// as engines never would.
func resourceOf(q *rpc.ResourceInvokeRequest) (*rpc.ResourceInvokeResponse, error) {
	switch {
	case q.Tok != "pulumi:pulumi:getResource":
		return &rpc.ResourceInvokeResponse{}, nil
	case q.Args.Equal(object(text("urn"), text("a"))):
		return &rpc.ResourceInvokeResponse{Return: object(text("urn"), text("a"), text("id"), text("i"), text("state"), object(text("x"), text("y")))}, nil
	case q.Args.Equal(object(text("urn"), text("b"))):
		return &rpc.ResourceInvokeResponse{Return: object(text("urn"), text("b"))}, nil
	case q.Args.Equal(object(text("urn"), text("later"))):
		return &rpc.ResourceInvokeResponse{Unknown: true}, nil
	}
	return nil, errors.New("unknown resource")
}

func TestResolve(t *testing.T) {
	engine := exampleMonitor()
	defer engine.Stop()
	monitor, err := grpc.ConnectMonitor(listening(engine))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = monitor.Close() }()

	for urn, want := range map[string]value.Value{"a": object(text("x"), text("y")), "later": value.Unknown()} {
		if got, err := monitor.Resolve(t.Context(), value.ResourceReference{URN: urn}); err != nil || !got.Identical(want) {
			t.Errorf("%s is %v, %v, not %v", urn, got, err, want)
		}
	}
	for _, urn := range []string{"b", "c", ""} {
		var e *grpc.Error
		if got, err := monitor.Resolve(t.Context(), value.ResourceReference{URN: urn}); !errors.As(err, &e) || e.Method != "/pulumirpc.ResourceMonitor/Invoke" || !got.IsNull() {
			t.Errorf("%s is %v, %v", urn, got, err)
		}
	}
	var e *grpc.Error
	if _, err := new(grpc.Monitor).Resolve(t.Context(), value.ResourceReference{URN: "a"}); !errors.As(err, &e) || e.Code != codes.Unavailable {
		t.Errorf("without a connection: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
