package resourcetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Upgrade fails if a provider would change resources that an older version of it made. The
// state is what pulumi stack export --show-secrets wrote of a stack that the older version
// managed; its program is run again, in a preview, with the new version:
//
//	state, err := os.ReadFile("testdata/v1.json")
//	…
//	resourcetest.Upgrade(t, provider, state)
//
// All resources have to be of this provider, or components. The provider is called as in a
// preview, so that nothing is made.
func Upgrade(t testing.TB, p rpc.Provider, exported []byte) {
	t.Helper()
	file, err := state.Parse(exported, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return p, nil }}
	program := engine.Program{Defaults: map[string]value.Value{}}
	for r, err := range file.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Delete {
			continue
		}
		if at := sealed(r.Inputs, r.Outputs); at != "" {
			t.Fatalf("%s: %s: expected a secret in plaintext, found a ciphertext: export the state with --show-secrets", r.URN, at)
		}
		u, err := urn.Parse(r.URN)
		if err != nil {
			t.Fatal(err)
		}
		program.Stack, program.Project = u.Stack(), u.Project()
		stack.Resources = append(stack.Resources, r)
		if pkg, isProvider := strings.CutPrefix(r.Type, "pulumi:providers:"); isProvider && strings.HasPrefix(u.Name(), "default") {
			program.Defaults[pkg] = r.Inputs
			continue
		}
		program.Resources = append(program.Resources, goal(&r, u.Name()))
	}

	for action, err := range stack.Preview(t.Context(), program) {
		if err != nil {
			t.Errorf("%v: %v", action, err)
		} else if action.Op != "same" && action.Op != "read" {
			t.Errorf("%v%s: the older version made it, and this one would change it", action, places(action))
		}
	}
}

// goal declares a resource as its program did.
func goal(r *state.Resource, name string) engine.Goal {
	g := engine.Goal{
		Type: r.Type, Name: name, Component: !r.Custom, Parent: r.Parent, DependsOn: r.Dependencies, Inputs: r.Inputs,
		Protect: r.Protect, RetainOnDelete: r.RetainOnDelete, IgnoreChanges: r.IgnoreChanges, ReplaceOnChanges: r.ReplaceOnChanges,
		HideDiff: r.HideDiff, DeletedWith: r.DeletedWith, ReplaceWith: r.ReplaceWith, ReplacementTrigger: r.ReplacementTrigger,
		AdditionalSecretOutputs: r.AdditionalSecretOutputs, Timeouts: r.CustomTimeouts,
	}
	provider := r.Provider
	if i := strings.LastIndex(provider, "::"); i >= 0 { // the ID
		provider = provider[:i]
	}
	if u, err := urn.Parse(provider); err == nil && !strings.HasPrefix(u.Name(), "default") {
		g.Provider = provider
	}
	if r.External {
		g.ReadID = r.ID
	}
	return g
}

// places returns where an answer says that something changed.
func places(a engine.Action) string {
	all := make([]string, 0, len(a.Response.Detailed))
	for _, e := range a.Response.Detailed {
		all = append(all, fmt.Sprint(e.Key, " ", e.Kind))
	}
	slices.Sort(all)
	if len(all) == 0 {
		return ""
	}
	return " [" + strings.Join(all, ", ") + "]"
}

// sealed returns where values hold a ciphertext, or "".
func sealed(all ...value.Value) string {
	for _, v := range all {
		for c := range v.Walk() {
			if c.Value().Kind() == value.KindSealed {
				return c.Shown().String()
			}
		}
	}
	return ""
}
