package demo_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"reflect"
	"slices"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

func TestConfigure(t *testing.T) {
	ctx := t.Context()
	s := serve(t, nil)
	_, err := s.Configure(ctx, &rpc.ConfigureRequest{Args: object("apiKey", text(canary))})
	if !errors.Is(err, grpc.ErrMissingKeys) {
		t.Error(err)
	}
	noSecret(t, err)
	_, err = s.Configure(ctx, &rpc.ConfigureRequest{Args: object("store", text(s.file), "apiKey", text(canary), "other", text("{"))})
	isCode(t, err, codes.InvalidArgument)
	if errors.Is(err, grpc.ErrMissingKeys) {
		t.Error(err) // what is there is not JSON
	}
	noSecret(t, err)
	_, err = s.Create(ctx, &rpc.CreateRequest{URN: recordURN, Properties: full("x")})
	isCode(t, err, codes.FailedPrecondition)

	// In a preview the store may be one that is not there yet.
	if _, err := s.Configure(ctx, &rpc.ConfigureRequest{Args: object("store", value.Unknown())}); err != nil {
		t.Error(err)
	}
	_, err = s.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: "x"})
	isCode(t, err, codes.FailedPrecondition)
	if _, err := s.Create(ctx, &rpc.CreateRequest{URN: recordURN, Properties: s.check(full("x")), Preview: true}); err != nil {
		t.Error(err)
	}

	// An older engine has variables only; one that has nothing leaves it to the
	// environment.
	for _, q := range []*rpc.ConfigureRequest{{Variables: rpc.Hide(map[string]string{"demo:config:store": s.file, "demo:config:apiKey": "true"})}} {
		if _, err := s.Configure(ctx, q); err != nil {
			t.Error(err)
		}
		s.create(s.check(full("x")))
	}
	again := serve(t, map[string]string{"DEMO_STORE": s.file})
	if _, err := again.Configure(ctx, &rpc.ConfigureRequest{Args: object()}); err != nil {
		t.Error(err)
	}
	if r, err := again.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: "x"}); err != nil || r.ID == "" {
		t.Errorf("%v %v", r, err)
	}
}

func TestConfig(t *testing.T) {
	s, ctx := serve(t, nil), t.Context()
	urn := "urn:pulumi:dev::shop::pulumi:providers:demo::default"
	r, err := s.CheckConfig(ctx, &rpc.CheckRequest{URN: urn, News: object("store", text("f"), "apiKey", text(canary), "version", text("0.1.0"), "__internal", object())})
	if err != nil || len(r.Failures) > 0 || !r.Inputs.Field("apiKey").IsSecret() {
		t.Errorf("%v %v", r, err)
	}
	r, err = s.CheckConfig(ctx, &rpc.CheckRequest{URN: urn, News: object("store", number(1))})
	if err != nil || len(r.Failures) != 1 || r.Failures[0].Property != "store" {
		t.Errorf("%v %v", r, err)
	}
	olds := object("store", text("f"))
	d, err := s.DiffConfig(ctx, &rpc.DiffRequest{URN: urn, OldInputs: olds, Olds: olds, News: object("store", text("g"))})
	if err != nil || entries(d) != "DIFF_SOME store:UPDATE_REPLACE" {
		t.Errorf("%v %v", d, err)
	}
	d, err = s.DiffConfig(ctx, &rpc.DiffRequest{URN: urn, OldInputs: olds, Olds: olds, News: object("store", text("f"), "apiKey", text("k"))})
	if err != nil || entries(d) != "DIFF_SOME apiKey:ADD" {
		t.Errorf("%v %v", d, err)
	}
}

// The schema says what Check holds programs to.
func TestSchema(t *testing.T) {
	s, ctx := serve(t, nil), t.Context()
	r, err := s.GetSchema(ctx, &rpc.GetSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	type properties map[string]struct {
		Secret               bool
		WillReplaceOnChanges bool
	}
	var schema struct {
		Name, Version string
		Resources     map[string]struct {
			InputProperties, Properties properties
			Required                    []string
		}
		Functions map[string]any
	}
	if err := json.Unmarshal([]byte(r.Schema), &schema); err != nil {
		t.Fatal(err)
	}
	info, err := s.GetPluginInfo(ctx, &rpc.Empty{})
	if err != nil || schema.Version != info.Version || info.Version != "0.1.0" || schema.Name != "demo" {
		t.Errorf("versions %q, %v, %v", schema.Version, info, err)
	}
	record := schema.Resources["demo:index:Record"]
	inputs := s.check(full("one"))
	if want := slices.Sorted(inputs.Keys()); !slices.Equal(slices.Sorted(maps.Keys(record.InputProperties)), want) {
		t.Errorf("schema has %v, tests have %v", slices.Sorted(maps.Keys(record.InputProperties)), want)
	}
	_, err = s.Configure(ctx, &rpc.ConfigureRequest{Args: object("store", text(s.file)), AcceptSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	p := s.create(inputs).Properties
	if want := slices.Sorted(p.Keys()); !slices.Equal(slices.Sorted(maps.Keys(record.Properties)), want) {
		t.Errorf("schema has %v, records have %v", slices.Sorted(maps.Keys(record.Properties)), want)
	}
	for name, property := range record.Properties {
		if property.Secret != p.Field(name).IsSecret() {
			t.Errorf("%s: schema says secret %v", name, property.Secret)
		}
	}
	for name, property := range record.InputProperties {
		if name == "document" || name == "bundle" {
			continue
		}
		replaces := slices.Contains(s.diff(inputs, p, with(inputs, name, value.Unknown())).Replaces, name)
		if want := property.WillReplaceOnChanges || name == "settings"; replaces != want {
			t.Errorf("%s: replaces %v, schema says %v", name, replaces, want)
		}
	}
}

func TestInvoke(t *testing.T) {
	s, ctx := configured(t, nil), t.Context()
	_, err := serve(t, nil).Invoke(ctx, &rpc.InvokeRequest{Tok: "demo:index:getRecord", Args: object("name", text("one"))})
	isCode(t, err, codes.FailedPrecondition) // a function has the store that Configure sets
	s.create(s.check(full("one")))
	q := &rpc.InvokeRequest{Tok: "demo:index:getRecord", Args: object("name", text("one"))}
	r, err := s.Invoke(ctx, q)
	if err != nil || len(r.Failures) > 0 {
		t.Fatalf("%v %v", r, err)
	}
	s.keeps(q, r)
	if r.Return.ContainsSecret() || !r.Return.Field("url").Identical(text("https://one.a.demo.test/")) || !r.Return.Field("revision").Identical(number(1)) || r.Return.Len() != 7 {
		t.Errorf("%v", r)
	}
	_, err = s.Invoke(ctx, &rpc.InvokeRequest{Tok: "demo:index:other", Args: q.Args})
	isCode(t, err, codes.InvalidArgument)
	_, err = store.Open(s.file).Change(ctx, "half", func(store.Record, bool) (store.Record, error) {
		return store.Record{URN: recordURN, Phase: store.Reserved, Inputs: full("half")}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []value.Value{object(), object("name", text("none")), object("name", text("half")), object("name", number(1)), object("name", value.Null())} {
		r, err := s.Invoke(ctx, &rpc.InvokeRequest{Tok: q.Tok, Args: args})
		if err != nil || len(r.Failures) != 1 || r.Failures[0].Property != "name" {
			t.Errorf("%v: %v %v", args, r, err)
		}
	}
}

// monitor is an engine's, as far as a component can tell.
type monitor struct {
	provider *grpc.Client
	preview  bool
	seen     []*rpc.RegisterResourceRequest
	outputs  *rpc.RegisterResourceOutputsRequest
}

func (m *monitor) register(ctx context.Context, q *rpc.RegisterResourceRequest) (*rpc.RegisterResourceResponse, error) {
	m.seen = append(m.seen, q)
	r := &rpc.RegisterResourceResponse{URN: "urn:pulumi:dev::shop::" + q.Type + "::" + q.Name, Object: q.Object}
	if !q.Custom {
		return r, nil
	}
	checked, err := m.provider.Check(ctx, &rpc.CheckRequest{URN: r.URN, News: q.Object})
	if err != nil {
		return nil, err
	}
	made, err := m.provider.Create(ctx, &rpc.CreateRequest{URN: r.URN, Properties: checked.Inputs, Preview: m.preview})
	if err != nil {
		return nil, err
	}
	r.ID, r.Object = made.ID, made.Properties
	return r, nil
}

// serveMonitor serves as much of it as the component calls.
func serveMonitor(t *testing.T, m *monitor) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := google.NewServer(google.ForceServerCodec(rpc.Codec{}))
	g.RegisterService(&google.ServiceDesc{ServiceName: "pulumirpc.ResourceMonitor", HandlerType: (*any)(nil), Methods: []google.MethodDesc{
		{MethodName: "RegisterResource", Handler: func(_ any, ctx context.Context, decode func(any) error, _ google.UnaryServerInterceptor) (any, error) {
			q := &rpc.RegisterResourceRequest{}
			if err := decode(q); err != nil {
				return nil, err
			}
			return m.register(ctx, q)
		}},
		{MethodName: "RegisterResourceOutputs", Handler: func(_ any, _ context.Context, decode func(any) error, _ google.UnaryServerInterceptor) (any, error) {
			m.outputs = &rpc.RegisterResourceOutputsRequest{}
			return &rpc.Empty{}, decode(m.outputs)
		}},
	}}, m)
	go func() { _ = g.Serve(l) }()
	t.Cleanup(g.Stop)
	return l.Addr().String()
}

// setOptions asks of a component what a program can.
func setOptions(q *rpc.ConstructRequest) {
	yes, before, trigger := true, recordURN+"2", text("1")
	q.ReplacementTrigger = &trigger
	q.Protect, q.RetainOnDelete, q.DeleteBeforeReplace = &yes, &yes, &yes
	q.IgnoreChanges, q.ReplaceOnChanges = []string{"title"}, []string{"labels"}
	q.CustomTimeouts = &rpc.CustomTimeouts{Create: "1m"}
	q.AdditionalSecretOutputs, q.Dependencies = []string{"urls"}, []string{recordURN}
	q.DeletedWith, q.ReplaceWith = recordURN, []string{recordURN}
	q.ResourceHooks = &rpc.ResourceHooksBinding{BeforeCreate: []string{"hook"}}
	q.StackTraceHandle = "trace"
	q.Aliases = []rpc.Alias{{URN: &before}}
}

// handedOn holds what a component registers for itself against what it was asked.
func handedOn(t *testing.T, asked *rpc.ConstructRequest, registered *rpc.RegisterResourceRequest) {
	t.Helper()
	others := map[string]string{"Inputs": "Object", "InputDependencies": "PropertyDependencies", "ResourceHooks": "Hooks", "StackTraceHandle": "ParentStackTraceHandle"}
	notOurs := []string{"Project", "Stack", "Config", "ConfigSecretKeys", "DryRun", "Parallel", "MonitorEndpoint", "Organization", "AcceptsOutputValues", "Extra"}
	from, to := reflect.ValueOf(*asked), reflect.ValueOf(*registered)
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		other := cmp.Or(others[name], name)
		if slices.Contains(notOurs, name) || !from.Type().Field(i).IsExported() {
			continue
		}
		want, got := from.Field(i), to.FieldByName(other)
		if name == "DeleteBeforeReplace" {
			want = want.Elem()
		}
		if v, ok := want.Interface().(value.Value); ok && v.Identical(got.Interface().(value.Value)) {
			continue
		}
		if v, ok := got.Interface().(*value.Value); ok && v != nil && v.Identical(*asked.ReplacementTrigger) {
			continue
		}
		if from.Field(i).IsZero() || !reflect.DeepEqual(want.Interface(), got.Interface()) {
			t.Errorf("%s of the component is %v, asked %v", other, got, want)
		}
	}
	if !registered.DeleteBeforeReplaceDefined {
		t.Error("deleteBeforeReplace is not said to be asked")
	}
}

func TestConstruct(t *testing.T) {
	s, ctx := configured(t, nil), t.Context()
	for _, preview := range []bool{true, false} {
		m := &monitor{provider: s.Client, preview: preview}
		q := &rpc.ConstructRequest{
			Type: "demo:index:Group", Name: "g", MonitorEndpoint: serveMonitor(t, m), DryRun: preview,
			Providers: map[string]string{"demo": "urn:pulumi:dev::shop::pulumi:providers:demo::mine::id"}, Parent: recordURN,
			Inputs:            object("names", array(text("a"), text("b")), "title", text("t"), "password", value.Secret(text(canary))),
			InputDependencies: map[string]rpc.PropertyDependencies{"title": {URNs: []string{recordURN}}, "password": {URNs: []string{recordURN}}},
		}
		setOptions(q)
		r, err := s.Construct(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if r.URN != "urn:pulumi:dev::shop::demo:index:Group::g" || len(m.seen) != 3 || m.seen[0].Parent != recordURN || m.seen[0].Custom || m.outputs.URN != r.URN || !m.outputs.Outputs.Identical(r.State) {
			t.Errorf("%v %v", r, m.seen)
		}
		handedOn(t, q, m.seen[0])
		child := m.seen[2]
		if child.Name != "g-b" || child.Parent != r.URN || child.Provider != q.Providers["demo"] || !child.Object.Field("password").IsSecret() || !slices.Equal(child.Dependencies, []string{recordURN}) || child.Object.Len() != 3 {
			t.Errorf("%v", child)
		}
		url := value.Unknown()
		if !preview {
			url = text("https://b.a.demo.test/")
		}
		if got := r.State.Field("urls").Field("b"); !got.Identical(url) || !r.State.Field("tokens").IsSecret() || !r.State.Field("size").Identical(number(2)) {
			t.Errorf("%v", r.State)
		}
		if deps := r.StateDependencies["urls"].URNs; len(deps) != 2 {
			t.Errorf("depends on %v", deps)
		}
	}
	_, err := s.Construct(ctx, &rpc.ConstructRequest{Type: "demo:index:Group", MonitorEndpoint: serveMonitor(t, &monitor{}), Inputs: object("names", array(value.Unknown()))})
	isCode(t, err, codes.InvalidArgument)
	_, err = s.Construct(ctx, &rpc.ConstructRequest{Type: "demo:index:Other", MonitorEndpoint: serveMonitor(t, &monitor{}), Inputs: object("names", array(text("a")))})
	isCode(t, err, codes.InvalidArgument) // it has the type, and no other
}

func TestAttachAndCancel(t *testing.T) {
	s, ctx := configured(t, nil), t.Context()
	if _, err := s.Attach(ctx, &rpc.PluginAttach{Address: "127.0.0.1:1"}); err != nil {
		t.Error(err)
	}
	if _, err := s.Cancel(ctx, &rpc.Empty{}); err != nil {
		t.Error(err)
	}
	s.create(s.check(full("after")))
}
