package resource_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// boxes is a service that keeps boxes in memory, and the provider of it.
type boxes struct {
	mu     sync.Mutex
	all    map[string]box
	serial int
	fail   func(method string) error // what the next call returns
	seen   config
}

type config struct {
	Region string `pulumi:"region" default:"eu"`
	Token  string `pulumi:"token" provider:"secret" env:"BOX_TOKEN"`
	Limits struct {
		Most int `pulumi:"most,optional"`
	} `pulumi:"-"`
	Retries int `pulumi:"retries,optional"`
}

type rule struct {
	Port     int    `pulumi:"port"`
	Protocol string `pulumi:"protocol,optional"`
}

type boxArgs struct {
	Name     string              `pulumi:"name,optional" provider:"replaceOnChanges,shown"`
	Size     int                 `pulumi:"size" default:"10"`
	Password string              `pulumi:"password,optional" provider:"secret,writeOnly"`
	Labels   map[string]string   `pulumi:"labels,optional"`
	Rules    []rule              `pulumi:"rules,optional"`
	Members  []string            `pulumi:"members,optional" provider:"set"`
	Policy   string              `pulumi:"policy,optional" provider:"json"`
	Owner    bind.Output[string] `pulumi:"owner,optional"`
	Extra    value.Value         `pulumi:"extra,optional"`
}

type box struct {
	boxArgs
	URL    string `pulumi:"url"`
	Key    string `pulumi:"key" provider:"secret,stable"`
	Serial int    `pulumi:"serial"`
	Length int    `pulumi:"length"`
}

func (b *boxes) do(method, id string, f func() (box, error)) (box, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		if err := b.fail(method); err != nil {
			return box{}, err
		}
	}
	made, err := f()
	if err == nil {
		b.all[id] = made
		made.Password = "" // it is not returned
	}
	return made, err
}

func (b *boxes) made(args boxArgs, key string) box {
	b.serial++
	return box{args, "https://" + args.Name + ".test/?p=" + args.Password, key, b.serial, len(args.Name)}
}

func (b *boxes) resource() resource.Of[boxArgs, box] {
	return resource.Of[boxArgs, box]{
		Token: "demo:index:Box",
		Names: resource.Names{Property: "name"},
		Create: func(_ context.Context, args boxArgs) (id string, state box, err error) {
			state, err = b.do("Create", args.Name, func() (box, error) {
				if _, taken := b.all[args.Name]; taken {
					return box{}, errors.New("the name is taken")
				}
				return b.made(args, "key-of-"+args.Name), nil
			})
			if err == nil && args.Size > 1000 {
				err = resource.InitFailed("size: no more than 1000 are served, password " + args.Password)
			}
			return args.Name, state, err
		},
		Read: func(_ context.Context, id string, _ box) (box, error) {
			return b.do("Read", id, func() (box, error) {
				found, there := b.all[id]
				if !there {
					return box{}, fmt.Errorf("box %s: %w", id, resource.ErrNotFound)
				}
				return found, nil
			})
		},
		Update: func(_ context.Context, id string, old box, args boxArgs) (box, error) {
			return b.do("Update", id, func() (box, error) { return b.made(args, old.Key), nil })
		},
		Delete: func(_ context.Context, id string, _ box) error {
			_, err := b.do("Delete", "", func() (box, error) {
				if _, there := b.all[id]; !there {
					return box{}, resource.ErrNotFound
				}
				delete(b.all, id)
				return box{}, nil
			})
			return err
		},
		Check: func(_ context.Context, args *boxArgs) error {
			var found []error
			if args.Size < 1 {
				found = append(found, resource.Invalid("size", "expected 1 or more"))
			}
			for i, r := range args.Rules {
				if r.Port < 1 || r.Port > 65535 {
					found = append(found, resource.Invalid(fmt.Sprintf("rules[%d].port", i), "expected 1 to 65535"))
				}
			}
			if strings.Contains(args.Password, " ") {
				found = append(found, resource.Invalid("password", "expected no space in "+args.Password))
			}
			return errors.Join(found...)
		},
		Predict: func(_ context.Context, args boxArgs, _ *box) (box, error) { return box{Length: len(args.Name)}, nil },
	}
}

func (b *boxes) provider(t *testing.T, change ...func(*resource.Package)) *resource.Provider {
	t.Helper()
	if b.all == nil {
		b.all = map[string]box{}
	}
	p := resource.Package{
		Name: "demo", Version: "1.0.0", Resources: []resource.Resource{b.resource()},
		Config: resource.Configure(func(_ context.Context, c config) error { b.seen = c; return nil }),
	}
	for _, f := range change {
		f(&p)
	}
	made, err := resource.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// configured returns a provider that was configured.
func (b *boxes) configured(t *testing.T, change ...func(*resource.Package)) *resource.Provider {
	t.Helper()
	p := b.provider(t, change...)
	if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{Args: object("token", text("config-token"))}); err != nil {
		t.Fatal(err)
	}
	return p
}

const boxURN = "urn:pulumi:dev::shop::demo:index:Box::a"

func object(pairs ...any) value.Value {
	all := map[string]value.Value{}
	for i := 0; i+1 < len(pairs); i += 2 {
		all[pairs[i].(string)] = pairs[i+1].(value.Value)
	}
	return value.ObjectFromMap(all)
}

func with(v value.Value, pairs ...any) value.Value {
	all := maps.Collect(v.Members())
	for name, m := range object(pairs...).Members() {
		if all[name] = m; m.IsNull() {
			delete(all, name)
		}
	}
	return value.ObjectFromMap(all)
}

func text(s string) value.Value    { return value.String(s) }
func secret(s string) value.Value  { return value.Secret(value.String(s)) }
func number(n float64) value.Value { return value.Number(n) }

// world is a stack and the boxes that it manages.
type world struct {
	t     *testing.T
	boxes boxes
	stack engine.Stack
}

func newWorld(t *testing.T, change ...func(*resource.Package)) *world {
	t.Helper()
	w := &world{t: t}
	w.stack.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return w.boxes.provider(t, change...), nil }
	return w
}

func (w *world) program(goals ...engine.Goal) engine.Program {
	for i := range goals {
		if goals[i].Type == "" {
			goals[i].Type = "demo:index:Box"
		}
	}
	return engine.Program{
		Stack: "dev", Project: "shop", Resources: goals,
		Defaults: map[string]value.Value{"demo": object("token", secret("config-token"))},
	}
}

// all runs actions, holds their calls to the contracts of the protocol, and returns those of
// resources.
func (w *world) all(run func(func(engine.Action, error) bool)) []engine.Action {
	w.t.Helper()
	var made []engine.Action
	var session check.Session
	for action, err := range run {
		if err != nil {
			w.t.Fatalf("%v: %v", action, engine.RevealError(err))
		}
		for _, c := range action.Calls {
			for _, f := range append(check.Violations(c.Request, c.Response), session.Add(c.Request, c.Response)...) {
				if f.Severity >= check.SeverityWarning {
					w.t.Errorf("%v: %s: %v", action, c.Method, f)
				}
			}
		}
		if !strings.Contains(action.URN, "pulumi:providers:") {
			made = append(made, action)
		}
	}
	return made
}

// expect fails if the actions are others.
func expect(t *testing.T, got []engine.Action, want ...string) {
	t.Helper()
	var ops []string
	for _, a := range got {
		ops = append(ops, string(a.Op))
	}
	if strings.Join(ops, " ") != strings.Join(want, " ") {
		t.Errorf("%v, wanted %v", got, want)
	}
}
