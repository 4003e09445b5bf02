package grpc_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
)

type typedArgs struct {
	Name     string `pulumi:"name"`
	Password string `pulumi:"password,optional" provider:"secret"`
}

type typedConfig struct {
	Token string `pulumi:"token" provider:"secret"`
}

// typed is a provider of package provider/resource whose Create fails as its argument says.
func typed(t *testing.T) grpc.Provider {
	t.Helper()
	p, err := resource.New(resource.Package{
		Name:   "demo",
		Config: resource.Configure(func(context.Context, typedConfig) error { return nil }),
		Resources: []resource.Resource{resource.Of[typedArgs, typedArgs]{
			Token: "demo:index:Record",
			Create: func(ctx context.Context, args typedArgs) (string, typedArgs, error) {
				resource.Log(ctx, rpc.LogInfo, "creating "+args.Name+" with "+args.Password)
				switch args.Name {
				case "partial":
					return "id", args, resource.InitFailed("not yet")
				case "secret":
					return "", args, &grpc.Error{Code: codes.AlreadyExists, Text: "not " + args.Password}
				case "panic":
					panic(args.Password)
				}
				return "id", args, nil
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The errors of typed providers arrive with their details and codes, and without secrets.
func TestTypedErrors(t *testing.T) {
	plugin := served(t, typed(t), grpc.ServeOptions{})
	create := func(name string) error {
		_, err := plugin.Create(t.Context(), &rpc.CreateRequest{
			URN:        "urn:pulumi:dev::shop::demo:index:Record::one",
			Properties: value.Object(value.Field("name", value.String(name)), value.Field("password", value.Secret(value.String("hunter2hunter2")))),
		})
		return err
	}
	expect := func(err error, code codes.Code, text string) {
		t.Helper()
		var e *grpc.Error
		if !errors.As(err, &e) || e.Code != code || !strings.HasPrefix(e.Text, text) || strings.Contains(e.Text, "hunter2") {
			t.Errorf("%v, wanted %v: %s", err, code, text)
		}
	}

	expect(create("early"), codes.FailedPrecondition, "resource: the provider is not configured")
	_, err := plugin.Configure(t.Context(), &rpc.ConfigureRequest{Args: value.Object()})
	var e *grpc.Error
	if !errors.As(err, &e) || !errors.Is(err, grpc.ErrMissingKeys) || e.Detail.(*rpc.ConfigureErrorMissingKeys).MissingKeys[0].Name != "demo:token" {
		t.Errorf("%v", err)
	}
	if _, err := plugin.Configure(t.Context(), &rpc.ConfigureRequest{AcceptSecrets: true, Args: value.Object(value.Field("token", value.String("t")))}); err != nil {
		t.Fatal(err)
	}

	err = create("partial")
	if !errors.As(err, &e) || !errors.Is(err, grpc.ErrInitFailed) || e.InitFailed().ID != "id" || e.InitFailed().Reasons[0] != "not yet" {
		t.Errorf("%v", err)
	}
	expect(create("secret"), codes.AlreadyExists, "not [secret]")
	expect(create("panic"), codes.Unknown, "resource: ")
	_, err = plugin.Check(t.Context(), &rpc.CheckRequest{URN: "urn:pulumi:dev::shop::demo:index:Other::one"})
	expect(err, codes.InvalidArgument, "resource: there is no resource")
	_, err = plugin.Construct(t.Context(), &rpc.ConstructRequest{Type: "demo:index:Other"})
	expect(err, codes.InvalidArgument, "resource: there is no component")
}

// What a typed provider logs reaches the engine that shook hands, and no engine before that.
func TestTypedLog(t *testing.T) {
	var mu sync.Mutex
	var heard []string
	log := func(_ any, _ context.Context, decode func(any) error, _ google.UnaryServerInterceptor) (any, error) {
		var r rpc.LogRequest
		if err := decode(&r); err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, r.URN+" "+r.Message)
		return &rpc.Empty{}, nil
	}
	engine := google.NewServer(google.ForceServerCodec(rpc.Codec{}))
	engine.RegisterService(&google.ServiceDesc{
		ServiceName: "pulumirpc.Engine", HandlerType: (*any)(nil), Methods: []google.MethodDesc{{MethodName: "Log", Handler: log}},
	}, nil)
	t.Cleanup(engine.Stop)
	address := listening(engine)

	plugin := served(t, typed(t), grpc.ServeOptions{})
	if _, err := plugin.Configure(t.Context(), &rpc.ConfigureRequest{AcceptSecrets: true, Args: value.Object(value.Field("token", value.String("t")))}); err != nil {
		t.Fatal(err)
	}
	create := func() {
		_, err := plugin.Create(t.Context(), &rpc.CreateRequest{
			URN:        "urn:pulumi:dev::shop::demo:index:Record::one",
			Properties: value.Object(value.Field("name", value.String("a")), value.Field("password", value.Secret(value.String("hunter2hunter2")))),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	create()
	if _, err := plugin.Handshake(t.Context(), &rpc.ProviderHandshakeRequest{EngineAddress: address}); err != nil {
		t.Fatal(err)
	}
	create()
	mu.Lock()
	defer mu.Unlock()
	if len(heard) != 1 || heard[0] != "urn:pulumi:dev::shop::demo:index:Record::one creating a with [secret]" {
		t.Errorf("%q", heard)
	}
}
