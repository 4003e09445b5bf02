package e2e_test

import (
	"strings"
	"testing"
)

// TestLifecycle takes a record through every kind of change.
func TestLifecycle(t *testing.T) {
	s := newStack(t)
	const rest = `, settings: {retention: 7, owner: {name: ann, mail: a@x.test}}, rules: [{name: web, port: 80, cidrs: [a, b]}, {name: tls, port: 443}],` +
		` labels: {env: dev, "a.b/c d": one}, members: [x, y], limits: {eu: {cpu: 1, mem: 2}}`
	s.play(
		step{name: "create", program: resources(record("a", `name: alpha, title: one`+rest)), want: `create a`},
		step{name: "nothing", program: resources(record("a", `title: one, name: alpha`+rest))},
		step{name: "scalar", program: resources(record("a", `name: alpha, title: two`+rest)), want: `update a: update title`},
		step{name: "scalar left out", program: resources(record("a", `name: alpha`+rest)), want: `update a: delete title`},
		step{name: "scalar added", program: resources(record("a", `name: alpha, title: two, enabled: true`+rest)), want: `update a: add enabled, add title`},
	)
	s.destroy()
}

// TestContainers edits objects, arrays, maps and sets inside.
func TestContainers(t *testing.T) {
	s := newStack(t)
	with := func(properties string) string { return resources(record("a", `name: alpha, `+properties)) }
	s.play(
		step{name: "create", want: `create a`, program: with(`settings: {retention: 7, owner: {name: ann, mail: a@x.test}}, rules: [{name: web, port: 80, cidrs: [p, q]}, {name: tls, port: 443}]`)},
		step{
			name: "nested", want: `update a: delete settings.owner.mail, update settings.owner.name, delete settings.retention`,
			program: with(`settings: {owner: {name: bob}}, rules: [{name: web, port: 80, cidrs: [p, q]}, {name: tls, port: 443}]`),
		},
		step{
			name: "element", want: `update a: update rules[0].cidrs[1], update rules[1].port`,
			program: with(`settings: {owner: {name: bob}}, rules: [{name: web, port: 80, cidrs: [p, r]}, {name: tls, port: 444}]`),
		},
		step{
			name: "elements come", want: `update a: add rules[0].cidrs[2], add rules[2]`,
			program: with(`settings: {owner: {name: bob}}, rules: [{name: web, port: 80, cidrs: [p, r, s]}, {name: tls, port: 444}, {name: new, port: 1}]`),
		},
		step{
			name: "first element goes", want: `update a: delete rules[0].cidrs, update rules[0].name, update rules[0].port, update rules[1].name, update rules[1].port, delete rules[2]`,
			program: with(`settings: {owner: {name: bob}}, rules: [{name: tls, port: 444}, {name: new, port: 1}]`),
		},
		step{name: "whole containers", want: `update a: add labels, delete rules, delete settings`, program: with(`labels: {env: dev, "a.b/c d": one, "f\"q": "1", "a-b": x}`)},
		step{
			name: "keys with odd characters", want: `update a: delete labels["a-b"], update labels["a.b/c d"], update labels["f\"q"], add labels["x:y"]`,
			program: with(`labels: {env: dev, "a.b/c d": two, "f\"q": "2", "x:y": "z"}`),
		},
		step{name: "maps of maps", want: `update a: add limits`, program: with(`labels: {env: dev, "a.b/c d": two, "f\"q": "2", "x:y": "z"}, limits: {eu: {cpu: 1, mem: 2}, us: {cpu: 1}}`)},
		step{
			name: "inside maps of maps", want: `update a: update limits.eu.cpu, delete limits.eu.mem, add limits.us.mem`,
			program: with(`labels: {env: dev, "a.b/c d": two, "f\"q": "2", "x:y": "z"}, limits: {eu: {cpu: 3}, us: {cpu: 1, mem: 1}}`),
		},
	)
}

// TestSets says that a list without an order has none, for the engine neither.
func TestSets(t *testing.T) {
	s := newStack(t)
	with := func(properties string) string { return resources(record("a", `name: alpha, `+properties)) }
	s.play(
		step{name: "create", program: with(`members: [x, y, z]`), want: `create a`},
		step{name: "another order", program: with(`members: [z, x, y]`), otherwise: true},
		step{name: "one comes", program: with(`members: [z, x, y, w]`), want: `update a: add members[3]`},
		step{name: "one goes, in another order", program: with(`members: [w, y, x]`), want: `update a: delete members[0]`, otherwise: true},
	)
}

// TestAnything changes the kind of what a property holds.
func TestAnything(t *testing.T) {
	s := newStack(t)
	with := func(extra string) string { return resources(record("a", `name: alpha, extra: `+extra)) }
	s.play(
		step{name: "create", program: with(`{a: [1, {b: c}], d: true}`), want: `create a`},
		step{name: "inside", program: with(`{a: [1, {b: d}], d: "true"}`), want: `update a: update extra.a[1].b, update extra.d`},
		step{name: "array to object", program: with(`{a: {b: d}, d: "true"}`), want: `update a: update extra.a`},
		step{name: "object to text", program: with(`text`), want: `update a: update extra`},
		step{name: "text to number", program: with(`1.5`), want: `update a: update extra`},
		step{name: "to an empty array", program: with(`[]`), want: `update a: update extra`},
		step{name: "to an empty object", program: with(`{}`), want: `update a: update extra`},
		step{name: "to large numbers", program: with(`[1e300, 9007199254740992, -0.1]`), want: `update a: update extra`},
	)
}

// TestReplacement replaces records in both orders.
func TestReplacement(t *testing.T) {
	s := newStack(t)
	const createFirst, deleteFirst = "Create a, Delete a", "Delete a, Create a"
	s.play(step{name: "create", program: resources(record("a", `name: alpha, zone: a`)), want: `create a`})
	for _, c := range []struct{ name, properties, option, want, order string }{
		{"another name", `name: beta, zone: a`, "", `update-replace name`, createFirst},
		{"another zone, same name", `name: beta, zone: b, title: t`, "", `add title, update-replace zone`, deleteFirst},
		{"a part that replaces comes", `name: beta, zone: b, title: t, settings: {engine: x}`, "", `add-replace settings`, deleteFirst},
		{"and changes", `name: beta, zone: b, title: t, settings: {engine: y, retention: 1}`, "", `update-replace settings.engine, add settings.retention`, deleteFirst},
		{"and goes", `name: beta, zone: b, title: t, settings: {retention: 1}`, "", `delete-replace settings.engine`, deleteFirst},
		{"the program wants another order", `name: gamma, zone: b, title: t`, `deleteBeforeReplace: true`, `update-replace name, delete settings`, deleteFirst},
		{"the program wants a replacement", `name: gamma, zone: b, title: u`, `replaceOnChanges: [title]`, `update-replace title`, deleteFirst}, // the provider says that the name is taken
		{"named by the provider", `zone: b, title: u`, "", ``, ``},
		{"named by the provider, and replaced", `zone: c, title: u`, "", `update-replace zone`, deleteFirst},
	} {
		before := len(s.operations())
		want := ""
		if c.want != "" {
			want = "replace a: " + c.want
		}
		s.play(step{name: c.name, program: resources(record("a", c.properties, c.option)), want: want})
		if order := strings.Join(s.operations()[before:], ", "); order != c.order {
			t.Errorf("%s: %s, not %s", c.name, order, c.order)
		}
	}
	s.play(step{name: "delete", program: "resources: {}", want: `delete a`})
}

// TestOutputs feeds outputs into inputs, also such as are not known yet.
func TestOutputs(t *testing.T) {
	s := newStack(t)
	s.play(
		step{name: "create", program: resources(record("a", `name: alpha`), record("b", `name: beta, title: "${a.url}", labels: {fixed: x, url: "${a.url}"}`)), want: "create a\ncreate b"},
		step{
			name: "an output that an update changes", want: "update a: add title\nupdate b: update size",
			program: resources(record("a", `name: alpha, title: x`), record("b", `name: beta, size: "${a.revision}", title: "${a.url}", labels: {fixed: x, url: "${a.url}"}`)),
		},
	)
}
