package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/decide"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// inRegion returns a provider, and a resource of it.
func inRegion(region string, inputs ...string) []engine.Goal {
	p := thingNamed("p", append(inputs, "region", region)...)
	p.Type = "pulumi:providers:demo"
	a := thingNamed("a")
	a.Provider = "p"
	return []engine.Goal{p, a}
}

// TestProviders changes providers: in place, and by others that cannot manage the
// resources of the old ones.
func TestProviders(t *testing.T) {
	l := newLab(t)
	l.update("create p: it is not managed yet | Configure\ncreate a: it is not managed yet | Create", inRegion("eu")...)
	l.update("update p: something changed [label] | Configure", inRegion("eu", "label", "x")...)
	l.update(`create-replacement p: something changed that replaces [region] | Configure
	create-replacement a: something changed that replaces [provider] <- p | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Configure | Delete
	delete-replaced p: it was replaced, and waits for its deletion <- p`, inRegion("us")...)
	first := inRegion("eu")
	first[0].DeleteBeforeReplace = &yes
	l.update(`delete-replaced a: a resource that it depends on is replaced, and deleted first [provider] <- p | Configure | Delete
	delete-replaced p: something changed that replaces [region]
	create-replacement p: something changed that replaces [region] | Configure
	create-replacement a: a resource that it depends on is replaced, and deleted first [provider] <- p | Create`, first...)
	l.update(`create-replacement a: something changed that replaces [provider] <- default | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Configure | Delete
	delete p: the program does not declare it`, thingNamed("a"))
	if len(l.cloud.Records) != 1 {
		t.Errorf("there are %d records", len(l.cloud.Records))
	}
	l.update("fail b: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::b: provider: expected a resource of type pulumi:providers:demo, found demo:index:Thing",
		thingNamed("a"), engine.Goal{Type: "demo:index:Thing", Name: "b", Provider: "a"})
	l.update("fail n: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::n: provider: no earlier resource is \"q\"", engine.Goal{Type: "demo:index:Thing", Name: "n", Provider: "q"})
}

// TestReplacedProvider asks the provider that a resource has whether another can manage it, and
// what has its URN only where that one is gone.
func TestReplacedProvider(t *testing.T) {
	l := newLab(t)
	l.made(inRegion("eu")...)
	l.fails("Create", "a")
	l.update(`create-replacement p: something changed that replaces [region] | Configure
	create-replacement a: something changed that replaces [provider] <- p | Create | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Create: no`, inRegion("us")...)

	without := slices.DeleteFunc(slices.Clone(l.Resources), func(r state.Resource) bool { return r.Delete }) // as in the state of another tool
	l.update(`create-replacement a: something changed that replaces [provider] | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Configure | Delete
	delete-replaced p: it was replaced, and waits for its deletion <- p`, inRegion("us")...)
	l.Resources = without
	l.update("", inRegion("us")...)
}

// TestArgumentsOfConfig holds what CheckConfig and DiffConfig get, and that DiffConfig is asked
// only if there were inputs before.
func TestArgumentsOfConfig(t *testing.T) {
	l := newLab(t)
	methods, bags := callsOf(t, l.Update(context.Background(), of(inRegion("eu")...)), "p")
	if got := strings.Join(methods, " "); got != "CheckConfig" {
		t.Fatal(got)
	}
	eu, us := value.Object(value.Field("region", value.String("eu"))), value.Object(value.Field("region", value.String("us")))
	same(t, "CheckConfig", bags[0], value.Null(), eu)
	old := *l.resource("p")
	methods, bags = callsOf(t, l.Update(context.Background(), of(inRegion("us")...)), "p")
	if got := strings.Join(methods[:2], " "); got != "CheckConfig DiffConfig" {
		t.Fatal(got)
	}
	same(t, "CheckConfig", bags[0], eu, us)
	same(t, "DiffConfig", bags[1], value.String(old.ID), eu, old.Outputs, us)
}

// ends is a provider that keeps how it ends.
type ends struct {
	rpc.Provider
	log *[]string
}

func (e ends) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	*e.log = append(*e.log, "Cancel")
	return &rpc.Empty{}, nil
}

func (e ends) Close() error {
	*e.log = append(*e.log, "Close")
	return nil
}

// TestEnd sends Cancel to a provider at the end of a run, and then closes it.
func TestEnd(t *testing.T) {
	l := newLab(t)
	var log []string
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return ends{l.cloud.New(), &log}, nil }
	l.made(thingNamed("a"))
	if !slices.Equal(log, []string{"Cancel", "Close"}) {
		t.Error(log)
	}
}

// TestUnknownConfiguration previews resources of a provider that is not configured yet.
func TestUnknownConfiguration(t *testing.T) {
	l := newLab(t)
	goals := append([]engine.Goal{thingNamed("source", "name", "1")}, inRegion("<source.arn>")...)
	goals = append(goals, thingNamed("user", "size", "<a.arn>"))
	l.does(`create source: it is not managed yet | Create
	create p: it is not managed yet
	create a: it is not managed yet
	create user: it is not managed yet | Create`, l.Preview(context.Background(), of(goals...)))
	l.made(goals...)
	goals[0] = thingNamed("source", "name", "2")
	l.does(`create-replacement source: something changed that replaces [name] | Create
	create-replacement p: something changed that replaces [region] <- source
	create-replacement a: something changed that replaces [provider] <- p
	update user: something changed [size] <- a | Update
	delete-replaced a: it was replaced, and waits for its deletion <- a
	delete-replaced p: it was replaced, and waits for its deletion <- p
	delete-replaced source: it was replaced, and waits for its deletion <- source`, l.Preview(context.Background(), of(goals...)))
	label := []engine.Goal{inRegion("eu", "label", "<source.arn>")[0], goals[2]}
	l.made(append(goals[:1:1], label...)...)
	goals[0] = thingNamed("source", "name", "3")
	l.does(`create-replacement source: something changed that replaces [name] | Create
	update p: something changed [label] <- source
	update a: the provider is not configured yet
	delete-replaced source: it was replaced, and waits for its deletion <- source`, l.Preview(context.Background(), of(append(goals[:1:1], label...)...)))
}

// plain is a provider that knows neither secrets nor references.
type plain struct {
	rpc.Provider
	calls []rpc.Message
}

func (p *plain) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{}, nil
}

func (p *plain) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{SupportsPreview: true}, nil
}

func (p *plain) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	p.calls = append(p.calls, r)
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func (p *plain) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	p.calls = append(p.calls, r)
	return &rpc.CreateResponse{ID: "1", Properties: r.Properties}, nil
}

// quiet is a plain provider that supports no previews, against its handshake.
type quiet struct{ plain }

func (q *quiet) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{}, nil
}

// TestActionCheck finds what is wrong with the calls of an action.
func TestActionCheck(t *testing.T) {
	l := newLab(t)
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) {
		return &quiet{plain{Provider: l.cloud.New()}}, nil
	}
	var session check.Session
	var got []string
	for a, err := range l.Update(context.Background(), of(thingNamed("a"))) {
		if err != nil {
			t.Error(err)
		}
		for _, f := range a.Check(&session, provider.Differ{}) {
			got = append(got, f.Code)
		}
	}
	if !slices.Equal(got, []string{"preview-unsupported"}) {
		t.Errorf("found %q", got)
	}
}

// TestPlainProviders sends no secrets to who does not know them, and keeps them secret.
func TestPlainProviders(t *testing.T) {
	l, p := newLab(t), &plain{}
	ours := l.cloud.New()
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) {
		p.Provider = ours
		return p, nil
	}
	reference := value.ResourceReference{URN: "urn:pulumi:dev::shop::demo:index:Thing::x"}.Value()
	goal := engine.Goal{Type: "demo:index:Thing", Name: "a", Inputs: value.Object(
		value.Field("password", value.Secret(value.String(canary))), value.Field("of", reference),
	)}
	var session check.Session
	for a, err := range l.Update(context.Background(), of(goal)) {
		if text := fmt.Sprintf("%v %+v %#v %v", a, a, a, a.Calls); err != nil || strings.Contains(text, canary) {
			t.Errorf("%v: a secret is shown: %s", err, text)
		}
		for _, f := range a.Check(&session, provider.Differ{}) {
			t.Errorf("%v: %v", a, f)
		}
	}
	create, ok := p.calls[1].(*rpc.CreateRequest)
	if !ok || create.Properties.ContainsSecret() || create.Properties.Field("of").Kind() != value.KindString {
		t.Errorf("the provider gets %v", p.calls[1])
	}
	if a := l.resource("a"); !a.Outputs.Field("password").IsSecret() || !a.Inputs.Field("password").IsSecret() {
		t.Errorf("the state has %v and %v", a.Inputs, a.Outputs)
	}
}

// unaware is a provider that accepts no secrets, and notes what it is sent.
type unaware struct {
	quick
	sent *[]rpc.Message
}

func (u unaware) note(r rpc.Message) { *u.sent = append(*u.sent, r) }

func (unaware) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{}, nil
}

func (u unaware) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	u.note(r)
	return &rpc.ConfigureResponse{}, nil
}

func (u unaware) Check(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	u.note(r)
	return u.quick.Check(ctx, r)
}

func (u unaware) Diff(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	u.note(r)
	return u.quick.Diff(ctx, r)
}

func (u unaware) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	u.note(r)
	return u.quick.Create(ctx, r)
}

func (u unaware) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	u.note(r)
	return u.quick.Read(ctx, r)
}

func (u unaware) Update(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	u.note(r)
	return u.quick.Update(ctx, r)
}

func (u unaware) Delete(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	u.note(r)
	return u.quick.Delete(ctx, r)
}

// TestUnaware holds that no message of a whole life has marks that the provider would not
// understand.
func TestUnaware(t *testing.T) {
	var sent []rpc.Message
	s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return unaware{sent: &sent}, nil }}
	program := func(size float64) engine.Program {
		inputs := obj("password", sec(value.String(canary)), "size", num(size))
		return of(engine.Goal{Type: "pulumi:providers:demo", Name: "p", Inputs: inputs}, engine.Goal{Type: "demo:index:Thing", Name: "a", Inputs: inputs})
	}
	for _, run := range []iter.Seq2[engine.Action, error]{
		s.Update(context.Background(), program(1)), s.Update(context.Background(), program(2)), s.Refresh(context.Background()), s.Destroy(context.Background()),
	} {
		for _, err := range run {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := map[string]bool{}
	for _, r := range sent {
		data, err := rpc.AppendJSON(nil, r, rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}

		text := string(data)
		seen[fmt.Sprintf("%T", r)] = seen[fmt.Sprintf("%T", r)] || strings.Contains(text, canary)
		if strings.Contains(text, "1b47061264138c4ac30d75fd1eb44270") {
			t.Errorf("the provider gets %s", text)
		}
	}
	for _, r := range []rpc.Message{
		&rpc.ConfigureRequest{}, &rpc.CheckRequest{}, &rpc.DiffRequest{}, &rpc.CreateRequest{}, &rpc.ReadRequest{}, &rpc.UpdateRequest{}, &rpc.DeleteRequest{},
	} {
		if name := fmt.Sprintf("%T", r); !seen[name] {
			t.Errorf("no %s has the text", name)
		}
	}
}

// TestSeeds holds that Check gets the same seed in a preview and its update, and another for
// the resource that replaces one.
func TestSeeds(t *testing.T) {
	l := newLab(t)
	seed := func(a engine.Action) (last string) {
		for _, c := range a.Calls {
			if r, ok := c.Request.(*rpc.CheckRequest); ok && c.Method == "Check" {
				last = string(r.RandomSeed.Reveal())
			}
		}
		return last
	}
	seen := map[string]bool{}
	for _, p := range []engine.Program{of(thingNamed("a", "name", "x")), of(thingNamed("a", "name", "y")), of(thingNamed("a", "name", "z"))} {
		var seeds []string
		for _, run := range []iter.Seq2[engine.Action, error]{l.Preview(context.Background(), p), l.Update(context.Background(), p)} {
			for a := range run {
				if strings.HasSuffix(a.URN, "::a") && a.Why != decide.BecauseReplaced {
					seeds = append(seeds, seed(a))
				}
			}
		}
		if len(seeds) != 2 || seeds[0] != seeds[1] || len(seeds[0]) != 32 || seen[seeds[0]] {
			t.Errorf("%d seeds: %q", len(seeds), seeds)
		}
		seen[seeds[0]] = true
	}
}

// cancelled is a provider that ends a Create when it gets Cancel.
type cancelled struct {
	rpc.Provider
	cancel chan struct{}
	stop   context.CancelFunc
	closed *int
}

func (c *cancelled) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	c.stop()
	<-c.cancel
	if ctx.Err() != nil {
		return nil, errors.New("the context of a call has ended")
	}
	return c.Provider.Create(ctx, r)
}

func (c *cancelled) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	close(c.cancel)
	return &rpc.Empty{}, nil
}

func (c *cancelled) Close() error {
	*c.closed++
	return nil
}

// TestCancel ends the context of a run during a call: the provider gets Cancel, what it
// made is written, and nothing else is done.
func TestCancel(t *testing.T) {
	l := newLab(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	closed := 0
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) {
		return &cancelled{l.cloud.New(), make(chan struct{}), stop, &closed}, nil
	}
	l.does(`create a: it is not managed yet | Create
	fail b: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::b: context canceled`, l.Update(ctx, of(thingNamed("a"), thingNamed("b"))))
	if l.id("a") == "" || len(l.cloud.Records) != 1 || closed != 1 {
		t.Errorf("the state has %v, %d instances are closed", l.Resources, closed)
	}
}

// TestLaunch holds what becomes of providers that do not start or do not answer.
func TestLaunch(t *testing.T) {
	l := newLab(t)
	l.Launch = nil
	last := func(run iter.Seq2[engine.Action, error]) string {
		var errs []string
		for _, err := range run {
			if err != nil {
				errs = append(errs, err.Error())
			}
		}
		return strings.Join(errs, "|")
	}
	const at = "engine: urn:pulumi:dev::shop::pulumi:providers:demo::default: "
	if got := last(l.Update(context.Background(), of(thingNamed("a")))); got != at+"the stack has no Launch" {
		t.Error(got)
	}
	var versions []string
	l.Launch = func(_ context.Context, p engine.Plugin) (rpc.Provider, error) {
		versions = append(versions, p.Name, p.Version)
		return nil, engine.ErrNoPlugin
	}
	p := of(thingNamed("a"))
	p.Defaults = map[string]value.Value{"demo": value.Object(value.Field("version", value.String("1.2.3")))}
	for _, err := range l.Update(context.Background(), p) {
		if !errors.Is(err, engine.ErrNoPlugin) {
			t.Error(err)
		}
	}
	if !slices.Equal(versions, []string{"demo", "1.2.3"}) {
		t.Error(versions)
	}
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return nil, nil } //nolint:nilnil // a mistake
	if got := last(l.Update(context.Background(), of(thingNamed("a")))); got != at+"launch \"demo\": no provider" {
		t.Error(got)
	}
}
