package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// TestRefresh finds drift, and what is not there any more.
func TestRefresh(t *testing.T) {
	l := newLab(t)
	goals := []engine.Goal{thingNamed("a", "size", "1"), thingNamed("b", "size", "<a.arn>"), thingNamed("c")}
	goals[2].Parent, goals[2].DependsOn, goals[2].Protect = "b", []string{"b"}, true
	l.made(goals...)
	record := l.cloud.Records[l.id("a")]
	record.Inputs, _ = record.Inputs.WithField("size", value.String("9"))
	l.cloud.Records[l.id("a")] = record
	delete(l.cloud.Records, l.id("b"))
	l.does("refresh a: something changed [size] | Configure\nrefresh b: a refresh did not find it\nrefresh c: nothing changed", l.Refresh(context.Background()))
	if c := l.resource("c"); len(c.Dependencies) > 0 || c.Parent != "" {
		t.Errorf("it depends on what is not there: %+v", c)
	}
	goals[2].Protect = false
	l.update("update a: something changed [size] | Update\ncreate b: it is not managed yet | Create", goals...)

	ignores := thingNamed("d", "size", "1")
	ignores.IgnoreChanges = []string{"size"}
	l.made(ignores)
	record = l.cloud.Records[l.id("d")]
	record.Inputs, _ = record.Inputs.WithField("size", value.String("9"))
	l.cloud.Records[l.id("d")] = record
	l.does("refresh d: nothing changed | Configure", l.Refresh(context.Background()))
	if d := l.resource("d"); !d.Inputs.Field("size").Equal(value.String("9")) || !d.Outputs.Field("size").Equal(value.String("9")) {
		t.Errorf("what was read is not written: %+v", d)
	}

	l.made(goals...)
	l.fails("Read", "a")
	l.does("refresh a: the run asks for it | Configure | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Read: no", l.Refresh(context.Background()))
}

// TestArgumentsOfRefresh sends the inputs and the state to Read, and what was read to Diff, as
// the old side.
func TestArgumentsOfRefresh(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "size", "1"))
	old := *l.resource("a")
	record := l.cloud.Records[old.ID]
	record.Inputs, _ = record.Inputs.WithField("size", value.String("9"))
	l.cloud.Records[old.ID] = record
	methods, bags := callsOf(t, l.Refresh(context.Background()), "a")
	if got := strings.Join(methods, " "); got != "Read Diff" {
		t.Fatal(got)
	}
	now := *l.resource("a")
	same(t, "Read", bags[0], value.String(old.ID), old.Inputs, old.Outputs)
	same(t, "Diff", bags[1], value.String(old.ID), now.Inputs, now.Outputs, old.Inputs)
}

// TestRefreshBeforeUpdate refreshes what the provider wants to be refreshed, before an update,
// its preview and a deletion, and as long as the provider wants it.
func TestRefreshBeforeUpdate(t *testing.T) {
	l := newLab(t)
	goals := []engine.Goal{thingNamed("a", "size", "1"), thingNamed("b", "size", "1")}
	l.made(goals...)
	drifts := func(size string) {
		record := l.cloud.Records[l.id("a")]
		record.Inputs, _ = record.Inputs.WithField("size", value.String(size))
		l.cloud.Records[l.id("a")] = record
	}
	drifts("9")
	l.update("", goals...)

	l.resource("a").RefreshBeforeUpdate = true
	l.does("refresh a: something changed [size] | Configure\nupdate a: something changed [size] | Update", l.Preview(context.Background(), of(goals...)))
	l.cloud.Wants = true
	l.update("refresh a: something changed [size] | Configure\nupdate a: something changed [size] | Update", goals...)
	drifts("8")
	l.update("refresh a: something changed [size] | Configure\nupdate a: something changed [size] | Update", goals...)
	l.cloud.Wants = false
	l.update("refresh a: nothing changed | Configure", goals...)
	drifts("7")
	l.update("", goals...)

	l.cloud.Wants = true
	goals = append(goals, thingNamed("c"))
	l.made(goals...)
	l.update("refresh c: nothing changed | Configure", goals...)

	l.resource("c").RefreshBeforeUpdate = false
	goals = goals[:2]
	l.made(goals...)
	delete(l.cloud.Records, l.id("a"))
	l.resource("a").RefreshBeforeUpdate = true
	l.Options.Targets = []string{l.resource("a").URN, l.resource("b").URN}
	l.does("refresh a: a refresh did not find it | Configure\ndelete b: the run asks for it | Delete\n"+
		"fail : the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: neither the state nor the program has this target or exclude", l.Destroy(context.Background()))
}

// TestRefreshBesideAnother keeps what refers to a URN of which a refresh finds one of two.
func TestRefreshBesideAnother(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"), thingNamed("b", "size", "<a.arn>"))
	old := *l.resource("a")
	old.ID, old.Delete = "old", true
	l.cloud.Records["old"] = l.cloud.Records[l.id("a")]
	delete(l.cloud.Records, l.id("a"))
	at := slices.IndexFunc(l.Resources, func(r state.Resource) bool { return r.ID == l.id("a") })
	l.Resources = slices.Insert(l.Resources, at+1, old)
	l.does("refresh a: a refresh did not find it | Configure\nrefresh a: nothing changed\nrefresh b: nothing changed", l.Refresh(context.Background()))
	if b := l.resource("b"); len(b.Dependencies) != 1 || len(b.PropertyDependencies["size"]) != 1 {
		t.Errorf("it depends on %v", b.Dependencies)
	}

	l.made(thingNamed("a"), thingNamed("b"))
	old.URN = l.resource("b").URN
	l.cloud.Records["old"] = l.cloud.Records[l.id("b")]
	delete(l.cloud.Records, l.id("b"))
	l.resource("b").RefreshBeforeUpdate = true
	l.Resources = append(l.Resources, old)
	l.Options.Targets = []string{old.URN} // which is there
	l.does("refresh b: a refresh did not find it | Configure\ndelete-replaced b: it was replaced, and waits for its deletion <- b | Delete", l.Destroy(context.Background()))

	l.Options = engine.Options{}
	l.made(thingNamed("a"))
	old.RefreshBeforeUpdate = true
	l.cloud.Records["old"] = l.cloud.Records[l.id("a")]
	l.Resources = append(l.Resources, old)
	l.update("delete-replaced b: it was replaced, and waits for its deletion <- b | Delete", thingNamed("a"))
}
