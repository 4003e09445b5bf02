package engine_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// least is a provider without the methods that engines do without. It notes the calls that
// it gets.
type least struct {
	rpc.Unimplemented
	configured rpc.ConfigureResponse
	noConfig   bool // it has no CheckConfig either
	calls      *[]string
}

func (l least) note(method string, bag value.Value) {
	if bag.ContainsSecret() {
		method += " with secrets"
	}
	*l.calls = append(*l.calls, method)
}

func (l least) CheckConfig(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if l.noConfig {
		return nil, errors.ErrUnsupported
	}
	return l.Unimplemented.CheckConfig(ctx, r)
}

func (l least) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	l.note("Configure", r.Args)
	return &l.configured, nil
}

func (l least) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	l.note("Diff", r.News)
	return provider.Differ{}.Answer(r)
}

func (l least) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	l.note("Create", r.Properties)
	return &rpc.CreateResponse{ID: "i", Properties: r.Properties}, nil
}

func (l least) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	l.note("Update", r.News)
	return &rpc.UpdateResponse{Properties: r.News}, nil
}

// TestLeast runs a provider without Handshake, DiffConfig and CheckConfig: what it accepts is
// what Configure says, it is not called in previews unless that says so, and a change of its
// own inputs is an update.
func TestLeast(t *testing.T) {
	for _, row := range []struct {
		configured rpc.ConfigureResponse
		noConfig   bool
		want       string
	}{
		{want: "Configure | Configure, Create | Configure, Diff | Configure, Diff, Update"},
		{noConfig: true, want: "Configure | Configure, Create | Configure, Diff | Configure, Diff, Update"},
		{configured: rpc.ConfigureResponse{SupportsPreview: true}, want: "Configure, Create | Configure, Create | Configure, Diff, Update | Configure, Diff, Update"},
		{
			configured: rpc.ConfigureResponse{AcceptSecrets: true},
			want:       "Configure | Configure, Create with secrets | Configure, Diff with secrets | Configure, Diff with secrets, Update with secrets",
		},
	} {
		var calls []string
		s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) {
			return least{configured: row.configured, noConfig: row.noConfig, calls: &calls}, nil
		}}
		program := func(label, size string) engine.Program {
			p := of(withSecrets("a", size))
			p.Defaults = map[string]value.Value{"demo": value.Object(value.Field("label", value.String(label)))}
			return p
		}
		var got, ops []string
		for _, run := range []iter.Seq2[engine.Action, error]{
			s.Preview(context.Background(), program("1", "1")), s.Update(context.Background(), program("1", "1")),
			s.Preview(context.Background(), program("2", "2")), s.Update(context.Background(), program("2", "2")),
		} {
			calls = nil
			for a, err := range run {
				if err != nil {
					t.Fatal(a, err)
				}
				ops = append(ops, string(a.Op))
				if strings.HasSuffix(a.URN, "::a") && (!a.Now.Inputs.Field("note").IsSecret() || !a.Now.Outputs.Field("note").IsSecret()) {
					t.Errorf("%v: the marks are lost: %v", a, a.Now.Outputs)
				}
			}
			got = append(got, strings.Join(calls, ", "))
		}
		if text := strings.Join(got, " | "); text != row.want {
			t.Errorf("%+v: %s", row, text)
		}
		if text := strings.Join(ops, " "); text != "create create create create update update update update" {
			t.Errorf("%+v: %s", row, text)
		}
	}
}

// TestMissing says which method a provider does not have, also if there are secrets.
func TestMissing(t *testing.T) {
	var calls []string
	s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return least{calls: &calls}, nil }}
	taken(t, s.Update(context.Background(), of(withSecrets("a", "1"))))
	_, err := failure(t, s.Destroy(context.Background()))
	if want := "engine: urn:pulumi:dev::shop::demo:index:Thing::a: Delete: the provider does not implement it"; err.Error() != want || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%s, not %s", err, want)
	}
	if text := engine.RevealError(err).Error(); text != "the provider does not implement Delete" {
		t.Error(text)
	}
}
