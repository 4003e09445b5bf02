package grpc_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

func isError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func object(pairs ...value.Value) value.Value {
	var all []value.Member
	for i := 0; i+1 < len(pairs); i += 2 {
		key, _ := pairs[i].AsString()
		all = append(all, value.Member{Key: key, Value: pairs[i+1]})
	}
	return value.Object(all...)
}

func text(s string) value.Value { return value.String(s) }

// fake is a provider whose Create does what the test says.
type fake struct {
	grpc.Unimplemented
	create func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error)
	pieces int
}

func (f *fake) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{Version: "1.2.3"}, nil
}

func (f *fake) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return f.create(ctx, r)
}

func (f *fake) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, AcceptsByteString: true}, nil
}

func (f *fake) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{}, nil
}

func (f *fake) List(_ context.Context, _ *rpc.ListRequest, send func(*rpc.ListResponse) error) error {
	for i := range f.pieces {
		if err := send(&rpc.ListResponse{Result: &rpc.ListResult{ID: string(rune('a' + i))}}); err != nil {
			return err
		}
	}
	if f.pieces == 0 {
		return errors.New("nothing to list")
	}
	return nil
}

// echo answers every method with nothing, and notes who called.
type echo struct {
	mu      sync.Mutex
	methods []string
	seen    []rpc.Message
}

func (e *echo) intercept(ctx context.Context, request any, info *google.UnaryServerInfo, next google.UnaryHandler) (any, error) {
	m, ok := request.(rpc.Message)
	e.mu.Lock()
	e.methods = append(e.methods, info.FullMethod)
	e.seen = append(e.seen, m)
	e.mu.Unlock()
	if !ok {
		return nil, errors.New("the interceptor got no message")
	}
	_, response := rpc.NewCall(info.FullMethod)
	if response == nil {
		return next(ctx, request)
	}
	return response, nil
}

// Every method of the interface is served, under its name, with the messages that
// the protocol has for it; and the client calls it so.
func TestEveryMethod(t *testing.T) {
	e := &echo{}
	plugin := served(t, &fake{pieces: 2}, grpc.ServeOptions{Server: grpc.ServerOptions{Options: []google.ServerOption{google.UnaryInterceptor(e.intercept)}}})
	var _ grpc.Provider = plugin
	client := reflect.ValueOf(plugin.Client)
	methods := reflect.TypeFor[grpc.Provider]()
	if methods.NumMethod() != 21 {
		t.Errorf("the interface has %d methods", methods.NumMethod())
	}
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if name == "List" {
			continue
		}
		full := "/pulumirpc.ResourceProvider/" + name
		request, response := rpc.NewCall(full)
		if request == nil {
			t.Fatalf("the protocol has no %s", name)
		}
		out := client.MethodByName(name).Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(request)})
		if err, _ := out[1].Interface().(error); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if out[0].Type() != reflect.TypeOf(response) || out[0].IsNil() {
			t.Errorf("%s answers %v", name, out[0].Type())
		}
		last := len(e.methods) - 1
		if e.methods[last] != full || reflect.TypeOf(e.seen[last]) != reflect.TypeOf(request) {
			t.Errorf("%s arrived as %s with %T", full, e.methods[last], e.seen[last])
		}
	}
	if len(e.methods) != 20 {
		t.Errorf("%d calls", len(e.methods))
	}
}

func TestSchema(t *testing.T) {
	plugin := served(t, grpc.Unimplemented{Schema: "{}"}, grpc.ServeOptions{})
	if got, err := plugin.GetSchema(t.Context(), &rpc.GetSchemaRequest{}); err != nil || got.Schema != "{}" {
		t.Error(got, err)
	}
}

func TestUnimplemented(t *testing.T) {
	plugin := served(t, grpc.Unimplemented{}, grpc.ServeOptions{})
	client := reflect.ValueOf(plugin.Client)
	methods := reflect.TypeFor[grpc.Provider]()
	works := map[string]bool{"CheckConfig": true, "Configure": true, "Check": true, "Cancel": true, "GetPluginInfo": true, "Attach": true}
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if name == "List" {
			continue
		}
		request, _ := rpc.NewCall("/pulumirpc.ResourceProvider/" + name)
		err, _ := client.MethodByName(name).Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(request)})[1].Interface().(error)
		if want := "grpc: " + name + ": Unimplemented: the provider does not implement " + name; works[name] != (err == nil) || (err != nil && err.Error() != want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := plugin.List(t.Context(), &rpc.ListRequest{}, func(*rpc.ListResponse) error { return nil })
	if err == nil || err.Error() != "grpc: List: Unimplemented: the provider does not implement List" {
		t.Error(err)
	}
	news := object(text("a"), value.Secret(text("b")))
	r, err := served(t, grpc.Unimplemented{}, grpc.ServeOptions{}).Check(t.Context(), &rpc.CheckRequest{News: news})
	if err != nil || !r.Inputs.Identical(news) {
		t.Errorf("%v %v", r, err)
	}
}

func TestList(t *testing.T) {
	plugin := served(t, &fake{pieces: 3}, grpc.ServeOptions{})
	var ids string
	each := func(m *rpc.ListResponse) error {
		ids += m.Result.ID
		return nil
	}
	if err := plugin.List(t.Context(), &rpc.ListRequest{}, each); err != nil || ids != "abc" {
		t.Errorf("%q %v", ids, err)
	}
	enough := errors.New("enough")
	n := 0
	err := plugin.List(t.Context(), &rpc.ListRequest{}, func(*rpc.ListResponse) error {
		n++
		return enough
	})
	if n != 1 || !errors.Is(err, enough) {
		t.Errorf("%d pieces, %v", n, err)
	}
	err = served(t, &fake{}, grpc.ServeOptions{}).List(t.Context(), &rpc.ListRequest{}, each)
	if err == nil || err.Error() != "grpc: List: Unknown: nothing to list" {
		t.Error(err)
	}
}

// Larger than what grpc takes by itself.
func TestLargeMessage(t *testing.T) {
	large := object(text("x"), text(string(make([]byte, 9<<20))))
	plugin := served(t, &fake{create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		return &rpc.CreateResponse{ID: "x", Properties: r.Properties}, nil
	}}, grpc.ServeOptions{})
	r, err := plugin.Create(t.Context(), &rpc.CreateRequest{Properties: large})
	if err != nil || !r.Properties.Identical(large) {
		t.Error(err)
	}
}

func TestNoAnswerIsAnEmptyOne(t *testing.T) {
	plugin := served(t, &fake{create: func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) { return nil, nil }}, grpc.ServeOptions{})
	if r, err := plugin.Create(t.Context(), &rpc.CreateRequest{}); err != nil || r == nil {
		t.Errorf("%v %v", r, err)
	}
}

// The calls of zero values and of nil fail without a panic.
func TestZero(t *testing.T) {
	ctx := t.Context()
	var plugin grpc.Plugin
	var none *grpc.Client
	var monitor grpc.Monitor
	send := func(*rpc.ListResponse) error { return nil }
	for i, err := range []error{
		second((&grpc.Client{}).Create(ctx, &rpc.CreateRequest{})),
		second(none.Create(ctx, nil)),
		second(plugin.Create(ctx, &rpc.CreateRequest{})),
		second(monitor.RegisterResource(ctx, nil)),
		none.List(ctx, nil, send),
		(&grpc.Client{}).List(ctx, nil, send),
		plugin.List(ctx, nil, send),
	} {
		var e *grpc.Error
		if !errors.As(err, &e) || e.Code != codes.Unavailable {
			t.Errorf("%d: %v", i, err)
		}
	}
	if plugin.Close() != nil || monitor.Close() != nil || plugin.Address() != "" {
		t.Error("the zero plugin is something")
	}
	if text := new(grpc.Error).Error(); text != "grpc: OK: " {
		t.Errorf("%q", text)
	}

	served := served(t, struct{ grpc.Provider }{}, grpc.ServeOptions{}) // no methods at all
	if _, err := served.Check(ctx, &rpc.CheckRequest{}); err == nil || err.Error() != "grpc: Check: Internal: Check panicked" {
		t.Error(err)
	}
	_, err := served.Check(ctx, nil)
	isError(t, "no request", err, rpc.ErrMessage)
}

// TestNil holds that nil contexts, providers and functions panic at once, with or without a
// connection, and that other zero values do not.
func TestNil(t *testing.T) {
	var none context.Context
	client := served(t, grpc.Unimplemented{}, grpc.ServeOptions{}).Client
	send := func(*rpc.ListResponse) error { return nil }
	for want, calls := range map[string][]func(){
		"grpc: nil context": {
			func() { _, _ = client.Check(none, &rpc.CheckRequest{}) },
			func() { _, _ = (&grpc.Client{}).Check(none, &rpc.CheckRequest{}) },
			func() { _, _ = (*grpc.Client)(nil).Check(none, &rpc.CheckRequest{}) },
			func() { _ = client.List(none, &rpc.ListRequest{}, send) },
			func() { _, _ = (&grpc.Monitor{}).ReadResource(none, &rpc.ReadResourceRequest{}) },
			func() { _, _ = grpc.Launch(none, "", grpc.LaunchOptions{}) },
			func() { _ = grpc.Serve(none, grpc.Unimplemented{}, grpc.ServeOptions{}) },
		},
		"grpc: nil send":     {func() { _ = client.List(t.Context(), &rpc.ListRequest{}, nil) }, func() { _ = (*grpc.Client)(nil).List(t.Context(), nil, nil) }},
		"grpc: nil provider": {func() { grpc.NewServer(nil, grpc.ServerOptions{}) }, func() { _ = grpc.Serve(t.Context(), nil, grpc.ServeOptions{}) }},
	} {
		for i, call := range calls {
			found := func() (found any) {
				defer func() { found = recover() }()
				call()
				return nil
			}()
			if found != want {
				t.Errorf("%s, %d: panics with %v", want, i, found)
			}
		}
	}
	if _, err := (&grpc.Plugin{}).Check(t.Context(), nil); err == nil {
		t.Error("a call without a connection does not fail")
	}
	if err := errors.Join((&grpc.Plugin{}).Close(), (&grpc.Monitor{}).Close(), (*grpc.Monitor)(nil).Close()); err != nil {
		t.Error(err)
	}
	if _, err := (*grpc.Monitor)(nil).RegisterResource(t.Context(), nil); err == nil {
		t.Error("a call without a monitor does not fail")
	}
}
