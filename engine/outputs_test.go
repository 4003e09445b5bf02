package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/decide"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/value"
)

// TestSecretOutputs makes the outputs secrets that a program names, in all that a run writes,
// whatever it does with the resource.
func TestSecretOutputs(t *testing.T) {
	l := newLab(t)
	named := func(size string, names ...string) engine.Goal {
		g := thingNamed("a", "size", size)
		g.AdditionalSecretOutputs = names
		return g
	}
	user := thingNamed("b", "note", "<a.arn>", "size", "<a.id>")
	hidden := func(when string, want ...string) {
		t.Helper()
		a := l.resource("a")
		var got []string
		for name, v := range a.Outputs.Members() {
			if v.OwnSecret() {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v are secrets, not %v", when, got, want)
		}
	}
	l.made(named("1", "arn", "id", "none"), user)
	hidden("created", "arn")
	if b := l.resource("b"); !b.Inputs.Field("note").OwnSecret() || b.Inputs.Field("size").IsSecret() {
		t.Errorf("the program got %v", b.Inputs)
	}
	if a := l.resource("a"); strings.Join(a.AdditionalSecretOutputs, " ") != "arn id none" {
		t.Errorf("the state has %v", a.AdditionalSecretOutputs)
	}
	_, sent := callsOf(t, l.Refresh(context.Background()), "a") // of Read and Diff
	if !sent[0][2].Field("arn").OwnSecret() || sent[1][2].Field("arn").IsSecret() {
		t.Errorf("a refresh sends %v and then %v", sent[0], sent[1])
	}
	hidden("refreshed", "arn")

	l.made(named("1", "arn", "revision"), user)
	hidden("same", "arn", "revision")
	l.made(named("1"), user)
	hidden("named no more, and same", "arn", "revision")

	methods, bags := callsOf(t, l.Update(context.Background(), of(named("2", "tier"), user)), "a")
	if state := bags[2][2]; methods[2] != "Update" || !state.Field("revision").OwnSecret() || !state.Field("arn").OwnSecret() {
		t.Errorf("%v gets %v", methods, bags[2])
	}
	hidden("updated", "tier")
	for a := range l.Preview(context.Background(), of(named("3", "arn"), user)) {
		if strings.HasSuffix(a.URN, "::a") && !a.Now.Outputs.Field("arn").OwnSecret() {
			t.Errorf("a preview has %v", a.Now.Outputs)
		}
	}

	id := l.id("a")
	read := named("2", "arn")
	read.ReadID = id
	l.made(read)
	hidden("read", "arn")
	l.Resources = nil
	imported := named("2", "arn", "revision")
	imported.ImportID = id
	l.made(imported)
	hidden("imported", "arn", "revision")
	l.fails("Update+", "a")
	for range l.Update(context.Background(), of(named("4", "arn"))) {
	}
	hidden("failed in part", "arn")
}

// revealing is a provider that accepts secrets, and returns all outputs in clear.
type revealing struct{ *cloud.Instance }

func (c revealing) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	response, err := c.Instance.Create(ctx, r)
	response.Properties = response.Properties.Reveal()
	return response, err
}

// TestInputsInOutputs makes an output a secret if the input of its name is one, as engines do
// when a provider returns it in clear.
func TestInputsInOutputs(t *testing.T) {
	l := newLab(t)
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return revealing{l.cloud.New()}, nil }
	g := thingNamed("a")
	g.Inputs, g.Compute = obj("note", sec(value.String("x")), "name", obj("k", sec(value.String("y"))), "size", num(1)), nil
	l.made(g)
	if a := l.resource("a"); !a.Outputs.Field("note").OwnSecret() || a.Outputs.Field("name").ContainsSecret() || a.Outputs.Field("size").IsSecret() {
		t.Errorf("the state has %v", a.Outputs)
	}
}

// TestWrittenSecrets holds that the functions for one resource write secrets too.
func TestWrittenSecrets(t *testing.T) {
	r := state.Resource{AdditionalSecretOutputs: []string{"o", "id"}, Inputs: obj("i", sec(num(1))), Outputs: obj("o", num(1), "i", num(1), "p", num(1), "id", num(1))}
	want := obj("o", sec(num(1)), "i", sec(num(1)), "p", num(1), "id", num(1))
	for _, step := range []decide.Step{decide.StepSame, decide.StepUpdate, decide.StepCreateFirst} {
		if got := decide.Written(step, 1, r, r)[0]; !got.Outputs.Equal(want) {
			t.Errorf("%v: %v", step, got.Outputs)
		}
	}
	if got, _ := decide.Refreshed(r, &rpc.ReadResponse{ID: "i", Properties: r.Outputs}, nil); !got.Outputs.Equal(want) {
		t.Errorf("refreshed: %v", got.Outputs)
	}
	if got := decide.Written(decide.StepDeleteFirst, 1, r, r)[0]; !got.Outputs.Equal(r.Outputs) {
		t.Errorf("what a deletion leaves is changed: %v", got.Outputs)
	}
}
