package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/propalg/propalg/engine"
)

// TestExplain follows a chain over several resources, and one with two causes.
func TestExplain(t *testing.T) {
	l := newLab(t)
	goals := func(name, size string) engine.Program {
		return of(thingNamed("a", "name", name), thingNamed("b", "size", size),
			thingNamed("c", "size", "<a.arn>", "note", "<b.revision>"), thingNamed("d", "name", "<c.revision>"), thingNamed("e"))
	}
	for range l.Update(context.Background(), goals("1", "1")) {
	}
	var actions []engine.Action
	for a := range l.Preview(context.Background(), goals("2", "2")) {
		actions = append(actions, a)
	}
	for name, want := range map[string]string{
		"a": "a",
		"d": "a b c d",
		"e": "e",
		"f": "",
	} {
		var names []string
		for _, a := range engine.Explain(actions, "urn:pulumi:dev::shop::demo:index:Thing::"+name) {
			names = append(names, a.URN[strings.LastIndex(a.URN, ":")+1:])
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	chain := engine.Explain(actions, "urn:pulumi:dev::shop::demo:index:Thing::d")
	if got := chain[len(chain)-1].String(); got != "create-replacement demo:index:Thing d: something changed that replaces (name), because of demo:index:Thing c" {
		t.Error(got)
	}
}
