package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// TestKilledWithin kills the engine within each call that changes something: the state of
// that moment has the operation, which the next run reports and then goes on.
func TestKilledWithin(t *testing.T) {
	for method, row := range map[string]struct {
		before, after []engine.Goal
		want          string
	}{
		"Create": {nil, []engine.Goal{thingNamed("a")}, "pending a: an earlier run did not end [creating]\ncreate a: it is not managed yet | Create"},
		"Update": {
			[]engine.Goal{thingNamed("a")},
			[]engine.Goal{thingNamed("a", "size", "1")},
			"pending a: an earlier run did not end [updating]\nupdate a: something changed [size] | Update",
		},
		"Delete": {[]engine.Goal{thingNamed("a")}, nil, "pending a: an earlier run did not end [deleting]\ndelete a: the program does not declare it | Configure | Delete"},
	} {
		t.Run(method, func(t *testing.T) {
			l := newLab(t)
			l.made(row.before...)
			var resources []state.Resource
			var pending []state.Operation
			l.cloud.Fail = func(m, u string) error {
				if m == method && strings.HasSuffix(u, "::a") {
					resources, pending = l.State()
					l.cloud.Fail = nil
					return fmt.Errorf("killed")
				}
				return nil
			}
			for range l.Update(context.Background(), of(row.after...)) {
			}
			if len(l.Pending) > 0 {
				t.Error("a call that ended is pending")
			}
			l.Resources, l.Pending = resources, pending
			l.update(row.want, row.after...)
			if len(l.Pending) > 0 {
				t.Error("it is reported, and pending still")
			}
		})
	}
}

// TestState holds that State, after each action and within each call, is what the next run
// finds if this one is left there, and that the fields have it after the run.
func TestState(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"), thingNamed("b", "size", "<a.arn>"), thingNamed("c"))
	program := of(thingNamed("d"), thingNamed("a", "name", "2"), thingNamed("b", "size", "<a.arn>"))
	names := func() (text string) {
		resources, pending := l.State()
		for _, r := range resources {
			text += r.URN[strings.LastIndex(r.URN, ":")+1:] + map[bool]string{true: "-"}[r.Delete] + " "
		}
		for _, op := range pending {
			text += op.Type + " "
		}
		return text
	}
	var got []string
	l.cloud.Fail = func(method, _ string) error {
		if method == "Create" || method == "Delete" || method == "Update" {
			got = append(got, names())
		}
		return nil
	}
	for range l.Update(context.Background(), program) {
		got = append(got, names())
		if len(l.Resources) > 0 {
			t.Error("the fields have a state during a run")
		}
		for a, err := range l.Preview(context.Background(), program) {
			if a.Op != "fail" || err == nil {
				t.Error("a run within a run")
			}
		}
	}
	want := []string{
		"default a b c ",
		"default a b c creating ", "default d a b c ",
		"default d a b c creating ", "default d a a- b c ",
		"default d a a- b c updating ", "default d a b a- c ",
		"default d a b a- c deleting ", "default d a b a- ",
		"default d a b a- deleting ", "default d a b ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if len(l.Resources) != 4 || names() != "default d a b " {
		t.Errorf("afterwards: %d resources, %s", len(l.Resources), names())
	}
}

// TestUnsupported names what this engine does not know.
func TestUnsupported(t *testing.T) {
	for name, change := range map[string]func(*state.Resource){
		"resourceHooks": func(r *state.Resource) { r.ResourceHooks = map[string][]string{"BeforeCreate": {"x"}} },
		"viewOf":        func(r *state.Resource) { r.ViewOf = "u" },
		"extensionRef":  func(r *state.Resource) { r.ExtensionRef = "x" },
		"snippetID":     func(r *state.Resource) { r.SnippetID = "x" },
	} {
		l := newLab(t)
		l.made(thingNamed("a"))
		before := len(l.Resources)
		change(l.resource("a"))
		l.does("fail : the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: "+name+" is not supported", l.Destroy(context.Background()))
		if len(l.Resources) != before {
			t.Error("the state is changed")
		}
	}
}

// TestNames holds how resources name each other.
func TestNames(t *testing.T) {
	l := newLab(t)
	const at = "fail %s: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::%[1]s: "
	l.update(fmt.Sprintf(at, "a")+`no earlier resource is "b"`, thingNamed("a", "x", "<b.id>"), thingNamed("b"))
	l.update("create a: it is not managed yet | Create\n"+fmt.Sprintf(at, "a")+"the program declares the resource twice", thingNamed("a"), thingNamed("a"))
	group := engine.Goal{Type: "demo:index:Group", Name: "a", Component: true}
	l.update("create a: it is not managed yet\n"+fmt.Sprintf(at, "b")+"2 resources have the name \"a\": use the URN", thingNamed("a"), group, thingNamed("b", "x", "<a.id>"))
	child := thingNamed("b", "x", "<urn:pulumi:dev::shop::demo:index:Thing::a.arn>")
	child.Parent = "urn:pulumi:dev::shop::demo:index:Group::a"
	l.update("create b: it is not managed yet | Create", thingNamed("a"), group, child)
	if b := l.resource("b"); b.URN != "urn:pulumi:dev::shop::demo:index:Group$demo:index:Thing::b" || b.Parent != child.Parent {
		t.Errorf("the state has %+v", b)
	}
	l.update("", group, thingNamed("a"), child) // each is found by its URN, in another order too
	stack := engine.Goal{Type: "pulumi:pulumi:Stack", Name: "shop-dev", Component: true}
	child.Name, child.Parent, child.DependsOn = "c", "shop-dev", []string{"missing"}
	l.does(`create shop-dev: it is not managed yet
	fail c: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::c: no earlier resource is "urn:pulumi:dev::shop::demo:index:Thing::a"`, l.Preview(context.Background(), of(stack, child)))
	wrong := engine.Goal{Type: "demo:index:Thing", Name: "a", Inputs: value.String("x")}
	l.update(fmt.Sprintf(at, "a")+"inputs: expected object, found string", wrong)
	wrong.Inputs = value.Object(value.Field("x", value.Unknown()))
	l.update(fmt.Sprintf(at, "a")+"inputs: unknown outside a preview", wrong)

	wrong = thingNamed("a")
	wrong.DependsOn = []string{"missing"}
	l.update(fmt.Sprintf(at, "a")+`dependsOn: no earlier resource is "missing"`, wrong)
	wrong = thingNamed("a")
	wrong.Parent = "missing"
	l.update(`fail a: the run asks for it | engine: a: parent: no earlier resource is "missing"`, wrong)

	p := of(thingNamed("a"))
	p.Defaults = map[string]value.Value{"demo": value.Object(value.Field("version", value.String("new")))}
	l.does(fmt.Sprintf(at, "a")+"provider: version: expected three numbers", l.Update(context.Background(), p))
}
