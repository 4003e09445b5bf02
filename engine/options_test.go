package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/decide"
)

// TestTargets leaves alone what is no target, and refuses what needs it.
func TestTargets(t *testing.T) {
	l := newLab(t)
	a, b, c, gone := thingNamed("a", "size", "1"), thingNamed("b", "size", "<a.arn>"), thingNamed("c", "size", "1"), thingNamed("gone", "x", "<c.arn>")
	l.made(a, b, c, gone)

	before := l.names()
	a, c = thingNamed("a", "size", "2"), thingNamed("c", "size", "2")
	fresh, needs := thingNamed("new", "size", "1"), thingNamed("needs", "x", "<new.arn>")
	l.Options = engine.Options{Targets: []string{"**::a"}}
	l.update(`update a: something changed [size] | Update`, a, b, c, fresh, needs)
	if after := l.names(); after != before {
		t.Errorf("%s, not %s", after, before)
	}
	l.Options.TargetDependents = true
	l.update(``, a, b, c)

	l.Options = engine.Options{Targets: []string{"**::needs"}}
	l.update(`fail needs: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::needs: it depends on urn:pulumi:dev::shop::demo:index:Thing::new, which is no target and not there`, a, fresh, needs)
	needs.ImportID = "id" // which is imported whether or not it is a target
	l.Options.Targets[0] = "**::a"
	l.update(`fail needs: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::needs: it depends on urn:pulumi:dev::shop::demo:index:Thing::new, which is no target and not there`, a, fresh, needs)
	l.Options = engine.Options{Targets: []string{l.resource("c").URN}}
	l.does(`fail : the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::gone would be deleted, and is no target`, l.Destroy(context.Background()))
	l.Options.TargetDependents = true
	l.does(`delete gone: the run asks for it | Configure | Delete
		delete c: the run asks for it | Delete`, l.Destroy(context.Background()))

	l.Options = engine.Options{}
	first := thingNamed("first", "name", "x")
	first.DeleteBeforeReplace = &yes
	l.made(first, thingNamed("after", "name", "<first.arn>"))
	l.Options.Targets = []string{l.resource("first").URN, l.resource("after").URN}
	first = thingNamed("first", "name", "y")
	first.DeleteBeforeReplace = &yes
	l.update(`delete-replaced after: a resource that it depends on is replaced, and deleted first [name] <- first | Delete
		delete-replaced first: something changed that replaces [name] | Delete
		create-replacement first: something changed that replaces [name] | Create
		remove-pending-replace after: the program does not declare it`, first)
	l.Options.Targets = []string{l.resource("first").URN, "**::second"} // the name of before, and that of now
	second := thingNamed("second", "name", "y", "size", "1")
	second.Aliases = []engine.Alias{{Name: "first"}}
	l.update("update second: something changed [size] | Update", second)
	l.Options.Targets = []string{"urn:x"}
	l.does("fail : the run asks for it | engine: urn:x: neither the state nor the program has this target or exclude", l.Refresh(context.Background()))
	l.Options.Excludes = []string{"*"}
	l.does("fail : the run asks for it | engine: expected targets or excludes, found both", l.Refresh(context.Background()))
}

// TestUntargetedWithoutProvider keeps something whose provider is not there any more, and not what
// has the URN of that.
func TestUntargetedWithoutProvider(t *testing.T) {
	l := newLab(t)
	goals := inRegion("eu")
	a, b := goals[1], thingNamed("b", "size", "<a.arn>")
	l.made(goals[0], a, b)
	l.resource("a").Provider, l.resource("a").PendingReplacement = l.resource("p").URN+"::old", true
	l.Options.Targets = []string{"**::other"}
	l.update("", goals[0], thingNamed("b"))
	l.Options.Targets = []string{l.resource("p").URN}
	l.resource("p").Protect = true
	l.update("delete p: the program does not declare it | engine: urn:pulumi:dev::shop::pulumi:providers:demo::p: the resource is protected and cannot be deleted", thingNamed("b"))
	l.resource("p").Protect = false
	l.update("delete p: the program does not declare it", thingNamed("b"))

	l.Options = engine.Options{}
	goals = inRegion("eu")
	l.made(goals...)
	goals = inRegion("us")
	goals[0].DeleteBeforeReplace, goals[1].Name, goals[1].Aliases = &yes, "b", []engine.Alias{{Name: "a"}}
	l.Options.Targets = []string{l.resource("p").URN}
	l.update(`delete-replaced a: a resource that it depends on is replaced, and deleted first [provider] <- p | Configure | Delete
		delete-replaced p: something changed that replaces [region]
		create-replacement p: something changed that replaces [region] | Configure
		fail b: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::b: it is no target, and the run does not have its provider urn:pulumi:dev::shop::pulumi:providers:demo::p`, goals...)
}

// TestUntargetedByReplaced refuses what nothing declares, but what stays needs, if its provider is
// replaced.
func TestUntargetedByReplaced(t *testing.T) {
	for _, name := range []string{"p", "q"} {
		l := newLab(t)
		goals := inRegion("eu")
		l.made(goals[0], goals[1], thingNamed("b", "size", "<a.arn>"))
		l.Options.Targets = []string{"**::other"}
		p := inRegion("us")[0]
		p.Name, p.Aliases = name, []engine.Alias{{Name: "p"}}
		l.update(`create-replacement `+name+`: something changed that replaces [region] | Configure
			fail b: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::b: it is no target, and its provider urn:pulumi:dev::shop::pulumi:providers:demo::p is replaced`, p, thingNamed("b"))
	}
}

// TestUntargetedWaiting says nothing of what waits for its deletion if the program has given another
// name to what replaced it.
func TestUntargetedWaiting(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"), thingNamed("b"))
	waiting := *l.resource("a")
	waiting.ID, waiting.Delete = "old", true
	l.Resources = append(l.Resources, waiting)
	l.Options.Targets = []string{"**::other"}
	other := thingNamed("other")
	other.Aliases = []engine.Alias{{Name: "a"}}
	for a, err := range l.Update(context.Background(), of(other)) {
		if a.Why == decide.BecauseNoTarget && a.Old.ID == "old" || err != nil {
			t.Error(a, err)
		}
	}
	if names := l.names(); names != "b default other other" {
		t.Error(names)
	}
}

// TestTargetOfWaiting refuses to delete something with what it replaced, on which a target depends no
// more, if something else needs it.
func TestTargetOfWaiting(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("b", "size", "1"), thingNamed("c", "size", "<b.arn>"), thingNamed("a"))
	waiting := *l.resource("b")
	waiting.ID, waiting.Delete, waiting.Dependencies = "old", true, []string{l.resource("a").URN}
	l.Resources = append(l.Resources, waiting)
	l.Options = engine.Options{Targets: []string{l.resource("a").URN}, TargetDependents: true}
	b, c := l.resource("b").URN, l.resource("c").URN
	l.does("fail : the run asks for it | engine: "+b+" would be deleted with what waits for its deletion, and "+c+" depends on it, and is no target", l.Destroy(context.Background()))
}

// TestExcludes leaves alone what is excluded, and keeps what that needs.
func TestExcludes(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "size", "1"), thingNamed("b", "size", "<a.arn>"), thingNamed("c", "size", "<b.arn>"), thingNamed("d"))
	l.Options = engine.Options{Excludes: []string{"**::b"}}
	l.update(`update a: something changed [size] | Update`, thingNamed("a", "size", "2"), thingNamed("b", "size", "3"), thingNamed("c", "size", "<b.arn>"), thingNamed("d"))
	l.Options.ExcludeDependents = true
	l.update(``, thingNamed("a", "size", "2"), thingNamed("b", "size", "3"), thingNamed("c", "size", "<b.arn>", "x", "1"), thingNamed("d"))
	l.does("", l.Destroy(context.Background())) // all depend on the provider, which b needs
	l.Options.ExcludeDependents = false
	l.does(`delete d: the run asks for it | Configure | Delete
		delete c: the run asks for it | Delete`, l.Destroy(context.Background()))
}

// TestExcludedChild deletes the other children of a component that is kept for one of them.
func TestExcludedChild(t *testing.T) {
	l := newLab(t)
	a, b := thingNamed("a"), thingNamed("b")
	a.Parent, b.Parent = "group", "group"
	l.made(engine.Goal{Type: "demo:index:Group", Name: "group", Component: true}, a, b)
	l.Options.Excludes = []string{"**::b"}
	l.does("delete a: the run asks for it | Configure | Delete", l.Destroy(context.Background()))
}

// TestUntargetedParent has a child take what the program says of its parent, though that is no target.
func TestUntargetedParent(t *testing.T) {
	l := newLab(t)
	parent, child := thingNamed("parent"), thingNamed("child")
	l.made(thingNamed("a"), parent)
	parent.DeletedWith, child.Parent = "a", "parent"
	l.Options.Targets = []string{"**::child"}
	l.made(thingNamed("a"), parent, child)
	if with := l.resource("child").DeletedWith; with != l.resource("a").URN || l.resource("parent").DeletedWith != "" {
		t.Errorf("with %q", with)
	}
}

// TestContinueOnError goes on without what depends on something that failed.
func TestContinueOnError(t *testing.T) {
	l := newLab(t)
	l.Options.ContinueOnError = true
	l.fails("Create", "a")
	l.update(`create a: it is not managed yet | Create | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Create: no
		skip b: something that it depends on failed <- a
		skip c: something that it depends on failed <- b
		create d: it is not managed yet | Create`, thingNamed("a"), thingNamed("b", "size", "<a.arn>"), thingNamed("c", "size", "<b.arn>"), thingNamed("d"))
	l.update(`create a: it is not managed yet | Create
		create b: it is not managed yet | Create`, thingNamed("a"), thingNamed("b", "size", "<a.arn>"), thingNamed("d"))

	l.fails("Delete", "b")
	l.resource("d").Protect = true
	l.does(`delete d: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::d: the resource is protected and cannot be deleted
		delete b: the run asks for it | Configure | Delete | engine: urn:pulumi:dev::shop::demo:index:Thing::b: Delete: no
		skip a: something that stays depends on it <- b`, l.Destroy(context.Background()))
	waiting := *l.resource("a")
	waiting.ID, waiting.Delete = "old", true
	l.cloud.Records["old"] = l.cloud.Records[l.id("a")]
	before := slices.Clone(l.Resources)
	l.Resources = slices.Insert(l.Resources, 1, waiting) // which b does not need
	l.fails("Delete", "b")
	l.does(`delete d: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::d: the resource is protected and cannot be deleted
		delete b: the run asks for it | Configure | Delete | engine: urn:pulumi:dev::shop::demo:index:Thing::b: Delete: no
		skip a: something that stays depends on it <- b
		delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, l.Destroy(context.Background()))
	l.Resources = before
	l.fails("Read", "a")
	l.does(`refresh a: the run asks for it | Configure | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Read: no
		refresh b: nothing changed
		refresh d: nothing changed`, l.Refresh(context.Background()))
}

// TestPreviewReplacement lists what is deleted first to replace a resource, and changes nothing.
func TestPreviewReplacement(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"), thingNamed("b", "name", "<a.arn>"), thingNamed("c", "size", "<a.arn>"), thingNamed("d", "name", "<b.arn>"))
	before := l.names()
	a := l.resource("a").URN
	l.does(`delete-replaced d: a resource that it depends on is replaced, and deleted first [name] <- b | Configure
		delete-replaced b: a resource that it depends on is replaced, and deleted first [name] <- a
		delete-replaced a: the run asks for it`, l.PreviewReplacement(context.Background(), a))
	l.resource("d").Protect = true
	l.does(`fail a: the run asks for it | Configure | engine: `+a+`: `+strings.Replace(a, "::a", "::d", 1)+` is protected and cannot be replaced`, l.PreviewReplacement(context.Background(), a))
	l.does("fail : the run asks for it | engine: x: there is nothing to replace in the state", l.PreviewReplacement(context.Background(), "x"))
	if after := l.names(); after != before {
		t.Errorf("%s, not %s", after, before)
	}
}
