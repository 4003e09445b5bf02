package resource_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type lookupArgs struct {
	Name string `pulumi:"name"`
	Most int    `pulumi:"most" default:"5"`
}

type lookupResult struct {
	URL   string `pulumi:"url"`
	Token string `pulumi:"token" provider:"secret"`
	Most  int    `pulumi:"most"`
}

type groupArgs struct {
	Names    []string            `pulumi:"names"`
	Title    bind.Output[string] `pulumi:"title,optional"`
	Password string              `pulumi:"password,optional"`
}

type group struct {
	URLs  map[string]bind.Output[string] `pulumi:"urls"`
	Size  int                            `pulumi:"size"`
	Token value.Value                    `pulumi:"token,optional" provider:"secret"`
}

func lookup() resource.Func[lookupArgs, lookupResult] {
	return resource.Func[lookupArgs, lookupResult]{
		Token: "demo:index:getBox",
		Call: func(_ ctx, args lookupArgs) (lookupResult, error) {
			switch args.Name {
			case "none":
				return lookupResult{}, resource.Invalid("name", "there is no box "+args.Name)
			case "bad":
				return lookupResult{}, errors.New("bad")
			}
			return lookupResult{"https://" + args.Name, "t", args.Most}, nil
		},
	}
}

func groups() resource.Component[groupArgs, group] {
	return resource.Component[groupArgs, group]{
		Token: "demo:index:Group",
		Construct: func(ctx ctx, c *resource.Construction, args groupArgs) (group, error) {
			made := group{URLs: map[string]bind.Output[string]{}, Size: len(args.Names)}
			if len(args.Names) > 2 {
				return made, resource.Invalid("names", "expected at most 2")
			}
			for _, name := range args.Names {
				child, err := c.Register(ctx, resource.Child{
					Type: "demo:index:Box", Name: c.Request.Name + "-" + name,
					Inputs: boxArgs{Name: name, Size: 1, Password: args.Password, Policy: args.Password, Owner: args.Title},
				})
				if err != nil {
					return made, err
				}
				made.Token = child.Output("key")
				url, err := bind.As[bind.Output[string]](child.Output("url"))
				if err != nil {
					return made, err
				}
				made.URLs[name] = url
			}
			return made, nil
		},
	}
}

// monitor is an engine's: what is registered is made by the provider itself.
type monitor struct {
	t       *testing.T
	p       *resource.Provider
	preview bool
	seen    []*rpc.RegisterResourceRequest
	outputs value.Value
	closed  bool
}

func (m *monitor) RegisterResource(ctx ctx, q *rpc.RegisterResourceRequest) (*rpc.RegisterResourceResponse, error) {
	m.seen = append(m.seen, q)
	r := &rpc.RegisterResourceResponse{URN: "urn:pulumi:dev::shop::" + q.Type + "::" + q.Name, Object: q.Object}
	if !q.Custom {
		return r, nil
	}
	checked, err := m.p.Check(ctx, &rpc.CheckRequest{URN: r.URN, News: q.Object})
	if err != nil || len(checked.Failures) > 0 {
		return nil, fmt.Errorf("%v %w", checked, err)
	}
	made, err := m.p.Create(ctx, &rpc.CreateRequest{URN: r.URN, Properties: checked.Inputs, Preview: m.preview})
	if err != nil {
		return nil, err
	}
	r.ID, r.Object = made.ID, made.Properties
	return r, nil
}

func (m *monitor) RegisterResourceOutputs(_ ctx, q *rpc.RegisterResourceOutputsRequest) (*rpc.Empty, error) {
	m.outputs = q.Outputs
	return &rpc.Empty{}, nil
}

func (m *monitor) Close() error {
	m.closed = true
	return nil
}

func withMore(p *resource.Package) {
	p.Resources = append(p.Resources, groups())
	p.Functions = []resource.Function{lookup()}
}

func TestConstruct(t *testing.T) {
	var b boxes
	m := &monitor{t: t, p: b.configured(t, withMore)}
	c := protocol.WithEngine(t.Context(), nil, func(address string) (protocol.Monitor, error) {
		if address != "here" {
			t.Errorf("address %q", address)
		}
		return m, nil
	})
	request := func(inputs value.Value) *rpc.ConstructRequest {
		return &rpc.ConstructRequest{
			Type: "demo:index:Group", Name: "g", MonitorEndpoint: "here", Providers: map[string]string{"demo": "the provider"}, Inputs: inputs,
			InputDependencies: map[string]rpc.PropertyDependencies{"title": {URNs: []string{"urn:x"}}},
		}
	}
	inputs := object("names", value.Array(text("l"), text("r")), "title", secret("titletitle"), "password", secret("hunter2hunter2"))
	r, err := m.p.Construct(c, request(inputs))
	if err != nil {
		t.Fatal(err)
	}
	want := object("urls", object("l", secret("https://l.test/?p=hunter2hunter2"), "r", secret("https://r.test/?p=hunter2hunter2")), "size", number(2), "token", secret("key-of-r"))
	if !r.State.Identical(want) || !m.outputs.Identical(want) || !m.closed {
		t.Errorf("state %v\nwant %v", r.State, want)
	}
	left, right := "urn:pulumi:dev::shop::demo:index:Box::g-l", "urn:pulumi:dev::shop::demo:index:Box::g-r"
	if got := fmt.Sprint(r.StateDependencies["urls"].URNs); got != fmt.Sprint([]string{left, right}) {
		t.Errorf("urls depend on %s", got)
	}
	if got := fmt.Sprint(r.StateDependencies["size"].URNs); got != fmt.Sprint([]string{left, right}) {
		t.Errorf("the size depends on %s", got)
	}
	child := m.seen[1]
	if child.Provider != "the provider" || child.Version != "1.0.0" || child.Parent != r.URN || fmt.Sprint(child.Dependencies) != "[urn:x]" || fmt.Sprint(child.PropertyDependencies["owner"].URNs) != "[urn:x]" {
		t.Errorf("%+v", child)
	}
	if want := object("name", text("l"), "size", number(1), "password", secret("hunter2hunter2"), "policy", secret("hunter2hunter2"), "owner", secret("titletitle")); !child.Object.Identical(want) {
		t.Errorf("inputs %v, want %v", child.Object, want)
	}

	m.preview = true
	r, err = m.p.Construct(c, request(with(inputs, "title", value.Unknown())))
	if err != nil || !r.State.Field("urls").Identical(object("l", value.Unknown(), "r", value.Unknown())) {
		t.Errorf("%v, %v", r, err)
	}

	for _, bad := range []value.Value{with(inputs, "names", value.Unknown()), with(inputs, "names", value.Array(text("a"), number(1))), with(inputs, "names", value.Array(text("1"), text("2"), text("3")))} {
		_, err = m.p.Construct(c, request(bad))
		var refusal *protocol.Refusal
		if !errors.As(err, &refusal) || refusal.Detail == nil || !strings.HasPrefix(refusal.Detail.Errors[0].PropertyPath, "names") {
			t.Errorf("%v", err)
		}
	}
	if _, err := m.p.Construct(t.Context(), request(inputs)); err == nil || !strings.Contains(err.Error(), "interop/grpc") {
		t.Error(err)
	}
}

func TestInvoke(t *testing.T) {
	var b boxes
	p := b.configured(t, withMore)
	for _, row := range []struct {
		args value.Value
		want string
	}{
		{object("name", text("a")), `{most: 5, token: [secret], url: "https://a"} []`},
		{object("name", secret("hunter2")), `{most: 5, token: [secret], url: [secret]} []`},
		{object("name", value.Unknown()), `{most: [unknown], token: [unknown], url: [unknown]} []`},
		{object("name", text("none")), `null [{name there is no box none {}}]`},
		{object(), `null [{name expected a value, found none {}}]`},
		{object("name", number(1), "most", text("x")), `null [{most expected integer, found string {}} {name expected string, found number {}}]`},
	} {
		r, err := p.Invoke(t.Context(), &rpc.InvokeRequest{Tok: "demo:index:getBox", Args: row.args})
		if err != nil || fmt.Sprint(r.Return, " ", r.Failures) != row.want {
			t.Errorf("%v: %v %v, %v", row.args, r.Return, r.Failures, err)
		}
	}
	if _, err := p.Invoke(t.Context(), &rpc.InvokeRequest{Tok: "demo:index:getBox", Args: object("name", text("bad"))}); err == nil || err.Error() != "bad" {
		t.Error(err)
	}
}
