package e2e_test

import (
	"strings"
	"testing"
)

// TestProvider configures the provider by a resource of the program, with a secret:
// a new key is an update of the provider alone, another store replaces it and all
// that it made.
func TestProvider(t *testing.T) {
	s := newStack(t)
	s.secretConfig("key", "canary-key-Xx1")
	program := func(store string) string {
		return "config:\n  key: {type: string, secret: true}\n" + resources(
			"  p:\n    type: pulumi:providers:demo\n    properties: {store: "+quoted(store)+`, apiKey: "${key}"}`+"\n",
			record("a", `name: alpha`, `provider: "${p}"`))
	}
	s.play(step{name: "create", program: program(s.cloud()), want: `create a`})
	s.secretConfig("key", "canary-key-Yy2")
	s.play(step{name: "another key", program: program(s.cloud())})
	if inputs := s.resource("p").Inputs; !inputs.Field("apiKey").IsSecret() {
		t.Error("the key is not secret in the state")
	}
	other := s.in("cloud", "other.db")
	s.program(program(other))
	if plan := s.preview(); len(plan) != 1 || !strings.HasPrefix(plan[0].String(), "replace a") {
		t.Errorf("planned %v", plan)
	}
	s.up()
	s.holds()
	s.destroy()
}

// TestUnconfigured has no store at all: the provider says what is missing.
func TestUnconfigured(t *testing.T) {
	s := newStack(t)
	s.program(resources(record("a", `name: alpha`)))
	s.with("DEMO_STORE=", func() {
		if r := s.run("preview"); r.code == 0 || !strings.Contains(r.stdout+r.stderr, "demo:store") {
			t.Errorf("not refused, or not why: %s", r)
		}
	})
}
