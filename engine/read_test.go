package engine_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/value"
)

// TestRead reads what is not managed, and takes over and gives up resources.
func TestRead(t *testing.T) {
	l, id := owned(t, "size", "1")
	g := engine.Goal{Type: "demo:index:Thing", Name: "a", ReadID: id}
	user := thingNamed("b", "size", "<a.arn>")
	l.update("read a: the run asks for it\ncreate b: it is not managed yet | Create", g, user)
	if a := l.resource("a"); !a.External || !a.Outputs.Field("size").Equal(value.String("1")) {
		t.Errorf("the state has %+v", a)
	}
	l.update("read a: the run asks for it", g, user)
	l.cloud.Records["another"] = l.cloud.Records[id]
	another := g
	another.ReadID = "another"
	l.update("read a: the run asks for it\nupdate b: something changed [size] | Update", another, user)
	l.update("read a: the run asks for it\nupdate b: something changed [size] | Update", g, user)
	delete(l.cloud.Records, "another")
	l.update(`create-replacement a: it is not managed yet | Create
	update b: something changed [size] <- a | Update
	discard-replaced a: it was replaced, and waits for its deletion <- a`, thingNamed("a"), user)
	l.update(`read-replacement a: the run asks for it
	update b: something changed [size] <- a | Update
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, g, user)
	l.update("delete b: the program does not declare it | Configure | Delete\ndiscard a: the program does not declare it")
	if len(l.cloud.Records) != 1 {
		t.Error("what is not managed was deleted")
	}
	g.ReadID = "nothing"
	l.update("read a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: there is nothing with this ID: \"nothing\"", g)
}

// TestArgumentsOfRead sends the inputs of the program for what is not managed.
func TestArgumentsOfRead(t *testing.T) {
	l, id := owned(t, "size", "1")
	g := thingNamed("a", "size", "7")
	g.ReadID = id
	methods, bags := callsOf(t, l.Update(context.Background(), of(g)), "a")
	if got := strings.Join(methods, " "); got != "Read" {
		t.Fatal(got)
	}
	program := value.Object(value.Field("size", value.String("7")))
	same(t, "Read", bags[0], value.String(id), program, program)
}

// reader is a provider that finds all that it is asked to read.
type reader struct{ *cloud.Instance }

func (reader) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return &rpc.ReadResponse{ID: r.ID, Inputs: r.Inputs, Properties: r.Properties}, nil
}

// TestNeededProvider replaces a provider, which is deleted first, itself or with what it depends
// on, and stops after each action: what it has read refers to a provider in the state all the time,
// as does a component that has one in the state, and the next run of any kind goes on from there.
func TestNeededProvider(t *testing.T) {
	read := engine.Goal{Type: "demo:index:Thing", Name: "a", ReadID: "outside", Provider: "p"}
	group := engine.Goal{Type: "demo:index:Group", Name: "a", Component: true}
	l := readLab(t)
	for range l.Update(context.Background(), providing("1", "1", read)) {
	}
	l.does(`delete-replaced p: something changed that replaces [region]
	create-replacement p: something changed that replaces [region] | Configure
	read a: the run asks for it
	delete-replaced p: it was replaced, and waits for its deletion <- p`, l.Update(context.Background(), providing("2", "1", read)))

	for name, programs := range map[string][3]engine.Program{
		"itself":                     {providing("1", "1", read), providing("2", "1", read), providing("2", "1")},
		"as a dependent":             {providing("<b.arn>", "1", read), providing("<b.arn>", "2", read), providing("<b.arn>", "2")},
		"itself, of a component":     {providing("1", "1", group), providing("2", "1", group), providing("2", "1")},
		"as a dependent, of another": {providing("<b.arn>", "1", group), providing("<b.arn>", "2", group), providing("<b.arn>", "2")},
	} {
		for after := 1; after < 9; after++ {
			for next, run := range map[string]func(*lab) iter.Seq2[engine.Action, error]{
				"a b default p": func(l *lab) iter.Seq2[engine.Action, error] { return l.Update(context.Background(), programs[1]) },
				"b default p":   func(l *lab) iter.Seq2[engine.Action, error] { return l.Update(context.Background(), programs[2]) },
				"":              func(l *lab) iter.Seq2[engine.Action, error] { return l.Destroy(context.Background()) },
				"anything": func(l *lab) iter.Seq2[engine.Action, error] {
					for a, err := range l.Refresh(context.Background()) {
						if err != nil {
							t.Error(a, err)
						}
					}
					return l.Update(context.Background(), programs[0])
				},
			} {
				l, when := readLab(t), fmt.Sprintf("%s, stopped after %d actions, then to %q", name, after, next)
				l.goes(when, l.Update(context.Background(), programs[0]), -1)
				if r := l.resource("a"); !r.Custom {
					p := l.resource("p")
					r.Provider = p.URN + "::" + p.ID
				}
				l.goes(when, l.Update(context.Background(), programs[1]), after)
				l.goes(when, run(l), -1)
				if got := l.names(); got != next && next != "anything" {
					t.Errorf("%s: %q is left", when, got)
				}
			}
		}
	}
}

// providing returns a program with a provider, which a replacement deletes first.
func providing(region, zone string, others ...engine.Goal) engine.Program {
	p := thingNamed("p", "region", region)
	p.Type, p.DeleteBeforeReplace = "pulumi:providers:demo", &yes
	return of(append([]engine.Goal{thingNamed("b", "zone", zone), p}, others...)...)
}

// readLab returns a lab whose providers find whatever they are asked to read.
func readLab(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return reader{l.cloud.New()}, nil }
	return l
}

// goes runs a run, which must not fail, for a number of actions.
func (l *lab) goes(when string, run iter.Seq2[engine.Action, error], most int) {
	l.t.Helper()
	for a, err := range run {
		if err != nil {
			l.t.Errorf("%s: %v: %v", when, a, err)
		}
		l.refers(when)
		if most--; most == 0 {
			return
		}
	}
}

// names returns the names of the resources in the state, in the order of the alphabet.
func (l *lab) names() string {
	var names []string
	for _, r := range l.Resources {
		names = append(names, r.URN[strings.LastIndex(r.URN, ":")+1:])
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// refers fails if a resource in the state refers to a provider that is not before it.
func (l *lab) refers(when string) {
	l.t.Helper()
	known := map[string]bool{}
	resources, _ := l.State()
	for _, r := range resources {
		if r.Provider != "" && !known[r.Provider] && !r.PendingReplacement {
			l.t.Errorf("%s: %s refers to %s, which is not in the state", when, r.URN, r.Provider)
		}
		known[r.URN+"::"+r.ID] = true
	}
}
