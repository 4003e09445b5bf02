package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// undecided is a provider that leaves the comparison of its configuration to engines.
type undecided struct {
	*cloud.Instance
	answer rpc.DiffResponse
	sent   *[]value.Value // the arguments of CheckConfig, DiffConfig and Configure
	checks func(value.Value) value.Value
}

func (u undecided) CheckConfig(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	*u.sent = append(*u.sent, r.Olds, r.News)
	response, err := u.Instance.CheckConfig(ctx, r)
	if u.checks != nil {
		response.Inputs = u.checks(response.Inputs)
	}
	return response, err
}

func (u undecided) DiffConfig(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	*u.sent = append(*u.sent, r.OldInputs, r.Olds, r.News)
	answer := u.answer
	return &answer, nil
}

func (u undecided) Configure(ctx context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	*u.sent = append(*u.sent, r.Args)
	return u.Instance.Configure(ctx, r)
}

// configLab returns a lab whose providers are undecided.
func configLab(t *testing.T) (*lab, *undecided) {
	t.Helper()
	l, u := newLab(t), &undecided{sent: new([]value.Value)}
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) {
		launched := *u
		launched.Instance = l.cloud.New()
		return launched, nil
	}
	return l, u
}

// configured returns the goal of a provider resource.
func configured(inputs value.Value) engine.Goal {
	return engine.Goal{Type: "pulumi:providers:demo", Name: "p", Inputs: inputs}
}

// TestUndecidedConfig decides on provider resources as engines do after DIFF_UNKNOWN: it
// compares the old state with the new inputs, with marks, and without ignoreChanges or the
// names and entries that other resources get.
func TestUndecidedConfig(t *testing.T) {
	old := obj("region", value.String("r"), "label", value.String("x"))
	for name, row := range map[string]struct {
		news   value.Value
		change func(*lab, *undecided, *engine.Goal)
		want   string
	}{
		"nothing":           {news: old},
		"a null":            {news: obj("region", value.String("r"), "label", value.String("x"), "n", value.Null())},
		"a value":           {news: obj("region", value.String("s"), "label", value.String("x")), want: "update p: something changed [region] | Configure"},
		"a mark":            {news: obj("region", value.String("r"), "label", sec(value.String("x"))), want: "update p: something changed [label] | Configure"},
		"a dependent order": {news: obj("label", value.String("x"), "region", value.String("r"))},
		"replaceOnChanges": {
			news:   obj("region", value.String("s"), "label", value.String("x")),
			change: func(_ *lab, _ *undecided, g *engine.Goal) { g.ReplaceOnChanges = []string{"region"} },
			want:   "update p: something changed [region] | Configure",
		},
		"the state alone": {
			news: old,
			change: func(l *lab, _ *undecided, _ *engine.Goal) {
				l.resource("p").Outputs = obj("region", value.String("other"), "label", value.String("x"))
			},
			want: "update p: something changed [region] | Configure",
		},
		"no state": {
			news:   old,
			change: func(l *lab, _ *undecided, _ *engine.Goal) { l.resource("p").Outputs = value.Null() },
		},
		"names that replace": {
			news:   obj("region", value.String("s"), "label", value.String("x")),
			change: func(_ *lab, u *undecided, _ *engine.Goal) { u.answer.Replaces = []string{"label"} },
			want:   "create-replacement p: something changed that replaces [label] | Configure\ndelete-replaced p: it was replaced, and waits for its deletion <- p",
		},
		"names that replace, and no difference": {
			news:   old,
			change: func(_ *lab, u *undecided, _ *engine.Goal) { u.answer.Replaces = []string{"label"} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, u := configLab(t)
			l.made(configured(old))
			g := configured(row.news)
			if row.change != nil {
				row.change(l, u, &g)
			}
			l.update(row.want, g)
		})
	}
}

// TestIgnoredConfig sets ignored inputs back before CheckConfig, and not again for the
// comparison, which is with the state.
func TestIgnoredConfig(t *testing.T) {
	l, _ := configLab(t)
	l.made(configured(obj("region", value.String("r"))))
	g := configured(obj("region", value.String("s")))
	g.IgnoreChanges = []string{"region"}
	l.update("", g)
	l.resource("p").Outputs = obj("region", value.String("t"))
	l.update("update p: something changed [region] | Configure", g)
	if p := l.resource("p"); !p.Outputs.Equal(obj("region", value.String("r"))) {
		t.Errorf("the state has %v", p.Outputs)
	}
}

// TestInternalConfig keeps from providers what engines add to their inputs, and does not let
// them drop or change the version.
func TestInternalConfig(t *testing.T) {
	l, u := configLab(t)
	internal := obj("pluginDownloadURL", value.String("https://example.com"))
	inputs := obj("region", value.String("r"), "version", value.String("1.2.3"), "__internal", internal)
	u.checks = func(v value.Value) value.Value {
		v, _ = v.Without(path.MustParse("version"))
		return v
	}
	l.made(configured(inputs))
	l.update("", configured(inputs))
	for _, bag := range *u.sent {
		if _, ok := bag.Lookup("__internal"); ok {
			t.Errorf("sent %v", bag)
		}
	}
	p := l.resource("p")
	if _, ok := p.Outputs.Lookup("__internal"); !p.Inputs.Equal(inputs) || ok {
		t.Errorf("the state has %v and %v", p.Inputs, p.Outputs)
	}

	u.checks = func(v value.Value) value.Value {
		v, _ = v.WithField("version", value.String("2.0.0"))
		return v
	}
	l.update("fail p: the run asks for it | engine: urn:pulumi:dev::shop::pulumi:providers:demo::p: CheckConfig: the provider changed the version of its plugin", configured(inputs))
}

// TestComponents compares the inputs of components with their marks, and never replaces one
// for what changed.
func TestComponents(t *testing.T) {
	component := func(inputs value.Value) engine.Goal {
		return engine.Goal{Type: "demo:index:Group", Name: "c", Component: true, Inputs: inputs, ReplaceOnChanges: []string{"*", "a"}}
	}
	for name, row := range map[string]struct {
		old, now value.Value
		want     string
	}{
		"nothing":       {obj("a", num(1)), obj("a", num(1), "n", value.Null()), ""},
		"a value":       {obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(1)), "update c: something changed [a]"},
		"a secret":      {obj("a", num(1)), obj("a", sec(num(1))), "update c: something changed [a]"},
		"not a secret":  {obj("a", obj("k", sec(num(1)))), obj("a", obj("k", num(1))), "update c: something changed [a]"},
		"a secret null": {obj("a", sec(value.Null())), obj(), "update c: something changed [a]"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.made(component(row.old))
			for a := range l.Preview(context.Background(), of(component(row.now))) {
				if a.Response.HasDetailed || len(a.Response.Diffs) > 0 || a.Response.Replace() {
					t.Errorf("engines say no more of components than whether they changed: %+v", a.Response)
				}
			}
			l.update(row.want, component(row.now))
			if !strings.HasPrefix(row.want, "update") {
				return
			}
			l.update("", component(row.now))
		})
	}
}
