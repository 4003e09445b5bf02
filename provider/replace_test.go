package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// A rule that is added to a list does not replace the resource because its
// protocol, if it were changed, would.
func ExampleDiffer_replaceOn() {
	rule := func(name, protocol string) value.Value {
		return value.Object(value.Member{Key: "name", Value: value.String(name)}, value.Member{Key: "protocol", Value: value.String(protocol)})
	}
	rules := func(all ...value.Value) value.Value {
		return value.Object(value.Member{Key: "rules", Value: value.Array(all...)})
	}
	old := rules(rule("http", "tcp"), rule("dns", "udp"))
	byName := diff.Options{Arrays: diff.Keyed(path.MustParse("name"))}
	show := func(now value.Value, o provider.Differ) {
		var entries []string
		for _, e := range o.Respond(diff.Between(old, now, byName)).Detailed {
			entries = append(entries, e.Key+" "+e.Kind.String())
		}
		fmt.Println(strings.Join(entries, ", "))
	}

	protocols := provider.Differ{ReplaceOn: path.NewSet(path.MustParsePattern("rules[*].protocol"))}
	show(rules(rule("ssh", "tcp"), rule("http", "tcp"), rule("dns", "udp")), protocols)
	show(rules(rule("http", "tcp"), rule("dns", "tcp")), protocols)
	show(rules(), protocols)

	protocols.Direction = provider.ThroughElements
	show(rules(rule("ssh", "tcp"), rule("http", "tcp"), rule("dns", "udp")), protocols)
	// Output:
	// rules[0] ADD
	// rules[1].protocol UPDATE_REPLACE
	// rules[0] DELETE, rules[1] DELETE
	// rules[0] ADD_REPLACE
}

// TestReplaceThroughElements: which patterns fire, in the three directions, in a
// response of ours and in a foreign one.
func TestReplaceThroughElements(t *testing.T) {
	rule := func(name string, protocol value.Value) value.Value {
		return obj("name", str(name), "protocol", protocol)
	}
	tcp, udp := str("tcp"), str("udp")
	two := arr(rule("a", tcp), rule("b", tcp))
	for i, row := range []struct {
		old, now                 value.Value
		on                       string
		twoWay, through, engines bool
	}{
		{obj("rules", two), obj("rules", arr(rule("a", tcp), rule("b", tcp), rule("c", tcp))), "rules[*].protocol", false, true, false},
		{obj("rules", two), obj("rules", arr(rule("b", tcp))), "rules[*].protocol", false, true, false},
		{obj("rules", two), obj("rules", arr(rule("c", tcp), rule("a", tcp), rule("b", tcp))), "rules[*].protocol", false, true, false},
		{obj("rules", two), obj("rules", arr(rule("b", tcp), rule("a", udp))), "rules[*].protocol", true, true, false},
		{obj("rules", two), obj("rules", arr(rule("a", udp), rule("b", tcp))), "rules[*].protocol", true, true, true},
		{obj("rules", two), obj("rules", two), "rules[*].protocol", false, false, false},
		// What ends at the elements, or above, is not inside one.
		{obj("rules", two), obj("rules", arr(rule("a", tcp))), "rules[*]", true, true, true},
		{obj("rules", two), obj(), "rules[*]", true, true, false},
		{obj("rules", two), obj("rules", arr(rule("a", tcp))), "rules", true, true, true},
		// A list that is there on one side only has elements of that side only.
		{obj(), obj("rules", two), "rules[*].protocol", false, true, false},
		{obj("rules", two), obj("rules", str("none")), "rules[*].protocol", false, true, false},
		{obj("o", obj("l", arr(arr(obj("p", num(1)))))), obj(), "o.l[*][*]", false, true, false},
		{obj("o", obj("l", arr(num(1)))), obj(), "o.l", true, true, false},
		// Members are looked into as ever.
		{obj("disk", obj("size", num(8))), obj(), "disk.size", true, true, false},
		{obj("disk", obj("size", num(8))), obj(), "disk.other", false, false, false},
		// Of a list that became secret, and of one that is not known, that cannot be said.
		{obj("rules", two), obj("rules", sec(arr(rule("a", udp), rule("b", tcp)))), "rules[*].protocol", true, true, false},
		{obj("rules", two), obj("rules", value.Unknown()), "rules[*].protocol", true, true, false},
		{obj("s", sec(obj("l", arr(num(1))))), obj("s", sec(obj("l", arr(num(1), obj("p", num(2)))))), "s.l[*].p", false, true, false},
		{obj("s", sec(obj("l", arr(obj("p", num(1)))))), obj("s", sec(obj("l", arr(obj("p", num(2)))))), "s.l[*].p", true, true, false},
	} {
		sides := provider.Sides{OldInputs: row.old, OldState: row.old, News: row.now}
		byName := provider.Differ{Arrays: diff.Keyed(path.MustParse("name")), ReplaceOn: patterns(row.on)}
		for way, want := range map[provider.Direction]bool{provider.TwoWay: row.twoWay, provider.ThroughElements: row.through, provider.EngineOneWay: row.engines} {
			byName.Direction = way
			r := byName.Compare(sides).Response()
			if r.Replace() != want {
				t.Errorf("row %d, direction %d: %s", i, way, told(r))
			}
		}
		// What forces a replacement is said of in the text just where it does.
		text := render.Text(byName.Compare(sides).Inputs(), render.Options{ReplaceOn: patterns(row.on), Width: 200})
		if strings.Contains(text, "+-") != row.twoWay && strings.Contains(text, "forces replacement") != row.twoWay {
			t.Errorf("row %d:\n%s", i, text)
		}
		foreign := provider.Differ{}.Compare(sides).Response()
		if len(foreign.Detailed) != 1 {
			continue // index by index something else changed
		}
		for way, want := range map[provider.Direction]bool{provider.TwoWay: row.twoWay, provider.ThroughElements: row.through, provider.EngineOneWay: row.engines} {
			if r := decide.ReplaceOnChanges(foreign, sides, decide.ReplaceOptions{Patterns: patterns(row.on), Direction: way}); r.Replace() != want && (way != provider.EngineOneWay || !r.Replace()) {
				t.Errorf("row %d, foreign, direction %d: %s", i, way, told(r))
			}
		}
	}
}
