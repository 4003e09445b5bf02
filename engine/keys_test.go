package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// naming is a provider that says which names changed.
type naming struct {
	quick
	names, replaces []string
}

func (n naming) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return &rpc.DiffResponse{Changes: rpc.DiffSome, Diffs: n.names, Replaces: n.replaces}, nil
}

// TestKeysOfPaths holds that Keys are names of properties where a provider gives paths for
// names: so a key inside a secret is not shown, and the causes are found.
func TestKeysOfPaths(t *testing.T) {
	for _, row := range []struct{ replaces, want string }{
		{"", "[a.b note tags]"},
		{"note.CANARY", "[note]"},
	} {
		n := naming{names: []string{"note.CANARY", "tags[0]", "a.b"}}
		if row.replaces != "" {
			n.replaces = []string{row.replaces}
		}
		s := &engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return n, nil }}
		program := func(text string) engine.Program {
			source := engine.Goal{Type: "demo:index:Thing", Name: "source", Inputs: value.Object(value.Field("size", value.String(text)))}
			g := engine.Goal{Type: "demo:index:Thing", Name: "g"}
			g.Compute = func(output func(resource, property string) value.Value) value.Value {
				return value.Object(
					value.Field("note", value.Secret(value.Object(value.Field("CANARY", output("source", "size"))))),
					value.Field("a.b", value.Null()), value.Field("tags", value.Array(value.String(text))),
				)
			}
			return of(source, g)
		}
		taken(t, s.Update(context.Background(), program("1")))
		var last engine.Action
		for a, err := range s.Update(context.Background(), program("2")) {
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(a.URN, "::g") && a.Op != "delete-replaced" {
				last = a
			}
		}
		if fmt.Sprint(last.Keys) != row.want || strings.Contains(last.String(), "CANARY") {
			t.Errorf("%s: keys %v, not %s", last, last.Keys, row.want)
		}
		if !slices.ContainsFunc(last.Causes, func(u string) bool { return strings.HasSuffix(u, "::source") }) {
			t.Errorf("%s: causes %v", last, last.Causes)
		}
	}
}

// TestSecretBag holds that inputs that are secret as a whole are refused, whose names would
// be shown, and which no state can hold.
func TestSecretBag(t *testing.T) {
	g := engine.Goal{Type: "demo:index:Thing", Name: "g", Inputs: value.Secret(value.Object(value.Field("CANARY", value.Null())))}
	texts, err := failure(t, quickStack(false).Update(context.Background(), of(g)))
	if err == nil || strings.Contains(strings.Join(texts, ""), "CANARY") {
		t.Errorf("%v", err)
	}
}
