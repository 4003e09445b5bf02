package e2e_test

import (
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// TestIgnoreChanges leaves alone what the option names: by key, nested, by index
// and by wildcard.
func TestIgnoreChanges(t *testing.T) {
	s := newStack(t)
	const ignored = `ignoreChanges: [title, settings.owner.mail, "rules[0].port", "rules[1].cidrs[0]", "limits[*].cpu", 'labels["a.b"]', "extra[*]"]`
	with := func(properties string) string { return resources(record("a", `name: alpha, `+properties, ignored)) }
	s.play(
		step{
			name: "create", want: `create a`,
			program: with(`title: one, settings: {retention: 1, owner: {name: ann, mail: m1}}, rules: [{name: web, port: 80}, {name: tls, port: 443, cidrs: [p, q]}],` +
				` limits: {eu: {cpu: 1, mem: 1}, us: {cpu: 2, mem: 2}}, labels: {"a.b": x, c: y}, extra: {k: 1, l: 2}`),
		},
		step{
			name: "only what is ignored",
			program: with(`title: two, settings: {retention: 1, owner: {name: ann, mail: m2}}, rules: [{name: web, port: 81}, {name: tls, port: 443, cidrs: [r, q]}],` +
				` limits: {eu: {cpu: 11, mem: 1}, us: {cpu: 12, mem: 2}}, labels: {"a.b": z, c: y}, extra: {k: 3, l: 4, m: 5}`),
		},
		step{
			name: "what is ignored, and what is beside it", want: `update a: update labels.c, update limits.eu.mem, update rules[0].name, update rules[1].cidrs[1], update settings.owner.name`,
			program: with(`title: three, settings: {retention: 1, owner: {name: bob, mail: m3}}, rules: [{name: www, port: 82}, {name: tls, port: 443, cidrs: [s, t]}],` +
				` limits: {eu: {cpu: 21, mem: 9}, us: {cpu: 22, mem: 2}}, labels: {"a.b": w, c: yy}, extra: {}`),
		},
		step{
			name: "what is ignored goes", want: ``,
			program: with(`settings: {retention: 1, owner: {name: bob}}, rules: [{name: www, port: 82}, {name: tls, port: 443, cidrs: [s, t]}],` +
				` limits: {eu: {cpu: 21, mem: 9}, us: {cpu: 22, mem: 2}}, labels: {c: yy}, extra: {}`),
		},
	)
	inputs := s.resource("a").Inputs
	for text, want := range map[string]string{
		"title": "one", "settings.owner.mail": "m1", `labels["a.b"]`: "x", "rules[1].cidrs[0]": "p", "rules[0].name": "www", "labels.c": "yy",
	} {
		if v, _ := inputs.At(path.MustParse(text)); !v.Equal(value.String(want)) {
			t.Errorf("%s is not as it was", text)
		}
	}
	for text, want := range map[string]float64{"rules[0].port": 80, "limits.eu.cpu": 1, "limits.us.cpu": 2, "limits.eu.mem": 9, "extra.k": 1} {
		v, _ := inputs.At(path.MustParse(text))
		if n, ok := v.AsNumber(); !ok || n != want {
			t.Errorf("%s is not as it was", text)
		}
	}
}

// TestIgnoredReplacement says that nothing is ignored once a resource is replaced:
// the new one is what the program says.
func TestIgnoredReplacement(t *testing.T) {
	s := newStack(t)
	s.play(
		step{name: "create", program: resources(record("a", `name: alpha, title: one`, `ignoreChanges: [title]`)), want: `create a`},
		step{
			name: "replace", program: resources(record("a", `name: beta, title: two`, `ignoreChanges: [title]`)),
			want: "replace a: update-replace name",
		},
	)
	if !s.resource("a").Inputs.Field("title").Equal(value.String("two")) {
		t.Error("the new one is not what the program says")
	}
}
