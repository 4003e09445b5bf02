package engine_test

import (
	"context"
	"testing"

	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// TestAliases finds resources under former names, and what their parents had as names.
func TestAliases(t *testing.T) {
	l := newLab(t)
	group := engine.Goal{Type: "demo:index:Group", Name: "app", Component: true}
	child := thingNamed("app-disk", "size", "1")
	child.Parent = "app"
	user := thingNamed("user", "x", "<app-disk.arn>")
	l.made(group, child, user)

	group.Name, child.Name, child.Parent = "web", "web-disk", "web"
	group.Aliases = []engine.Alias{{Name: "nobody"}, {Name: "app"}}
	user = thingNamed("user", "x", "<web-disk.arn>")
	l.update("", group, child, user)
	if got, want := l.resource("user").Dependencies[0], l.resource("web-disk").URN; got != want || len(l.resource("web").Aliases) > 0 {
		t.Errorf("it depends on %s, not %s", got, want)
	}

	read := thingNamed("read")
	read.ReadID, read.Aliases = l.id("user"), []engine.Alias{{URN: l.resource("user").URN}} // which do not count
	l.update("read read: the run asks for it", group, child, user, read)

	twice := thingNamed("twice")
	twice.Aliases = []engine.Alias{{URN: l.resource("user").URN}}
	l.update("fail twice: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::twice: another resource of the program is urn:pulumi:dev::shop::demo:index:Thing::user in the state", group, child, user, twice)
	twice.Aliases[0].URN = "x"
	child.Aliases = []engine.Alias{{Type: "a::b"}}
	l.update("fail web-disk: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Group$demo:index:Thing::web-disk: alias: urn: invalid part of a URN: type: expected no \"::\", found \"::\" at byte 1 of \"a::b\"", group, child)
}

// TestKept deletes what RetainOnDelete and DeletedWith keep without a call, and replaces by
// ReplaceWith and the trigger.
func TestKept(t *testing.T) {
	l := newLab(t)
	kept, with, after, fired := thingNamed("kept"), thingNamed("with"), thingNamed("after"), thingNamed("fired")
	kept.RetainOnDelete = true
	with.DeletedWith = "kept"
	after.ReplaceWith = []string{"fired"}
	fired.ReplacementTrigger = value.Number(1)
	l.made(kept, with, fired, after)
	fired.ReplacementTrigger = value.Null()
	l.update("", kept, with, fired, after)
	fired.ReplacementTrigger = value.Secret(value.Number(2))
	l.update("", kept, with, fired, after)
	fired.ReplacementTrigger = value.Number(2)
	l.update("", kept, with, fired, after)
	fired.ReplacementTrigger, fired.DeleteBeforeReplace = value.Number(3), &yes
	l.update(`delete-replaced after: a resource that it depends on is replaced, and deleted first [replaceWith] <- fired | Delete
		delete-replaced fired: the replacement trigger fired | Delete
		create-replacement fired: the replacement trigger fired | Create
		create-replacement after: a resource that it depends on is replaced, and deleted first [replaceWith] <- fired | Create`, kept, with, fired, after)
	fired.ReplacementTrigger, fired.DeleteBeforeReplace = value.Number(4), nil
	l.update(`create-replacement fired: the replacement trigger fired | Create
		create-replacement after: something changed that replaces [replaceWith] <- fired | Create
		delete-replaced after: it was replaced, and waits for its deletion <- after | Delete
		delete-replaced fired: it was replaced, and waits for its deletion <- fired | Delete`, kept, with, fired, after)
	l.does(`delete after: the run asks for it | Configure | Delete
		delete fired: the run asks for it | Delete
		delete with: the run asks for it
		delete kept: the run asks for it`, l.Destroy(context.Background()))
}

// TestNamesThatAreTaken makes a resource with the URN that another one is about to have, as its
// parent has another name.
func TestNamesThatAreTaken(t *testing.T) {
	l := newLab(t)
	top := engine.Goal{Type: "demo:index:Top", Name: "top", Component: true}
	group := engine.Goal{Type: "demo:index:Group", Name: "group", Component: true, Parent: "top"}
	disk, part := thingNamed("disk"), thingNamed("part")
	disk.Parent, part.Parent = "group", "disk"
	l.made(top, group, disk, part)

	group.Parent, group.Aliases = "", []engine.Alias{{Parent: l.resource("top").URN}}
	disk.Name, part.Parent = "other", "other"
	for a, err := range l.Update(context.Background(), of(top, group, disk, part)) {
		if err != nil {
			t.Fatal(a, err)
		}
		all, _ := l.State()
		seen := map[string]bool{}
		for _, r := range all {
			if seen[r.URN] {
				t.Fatalf("after %v, %s is there twice", a, r.URN)
			}
			seen[r.URN] = true
		}
	}
}
