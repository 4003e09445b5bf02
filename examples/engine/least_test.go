package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// buckets is the provider of the README.
type buckets struct{ grpc.Unimplemented }

func (buckets) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Differ{}.Answer(r)
}

// kept is the same with resources that are kept nowhere.
type kept struct{ buckets }

func (kept) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return &rpc.CreateResponse{ID: "i", Properties: r.Properties}, nil
}

func (kept) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	return &rpc.UpdateResponse{Properties: r.News}, nil
}

// served serves a provider, and returns a client of it.
func served(t *testing.T, p grpc.Provider) rpc.Provider {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(p, grpc.ServerOptions{})
	t.Cleanup(server.Stop)
	go func() { _ = server.Serve(l) }()
	plugin, err := grpc.Connect(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plugin.Close() })
	return plugin.Client
}

// TestLeast runs programs with providers that embed Unimplemented, in memory and over a
// connection.
func TestLeast(t *testing.T) {
	for name, launch := range map[string]func(grpc.Provider) rpc.Provider{
		"in memory":         func(p grpc.Provider) rpc.Provider { return p },
		"over a connection": func(p grpc.Provider) rpc.Provider { return served(t, p) },
	} {
		program := func(label string, size float64) engine.Program {
			return engine.Program{
				Stack: "dev", Project: "shop", Defaults: map[string]value.Value{"demo": value.Object(value.Field("label", value.String(label)))},
				Resources: []engine.Goal{{Type: "demo:index:Bucket", Name: "b", Inputs: value.Object(value.Field("size", value.Number(size)))}},
			}
		}
		s := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return launch(kept{}), nil }}
		var ops []string
		for _, p := range []engine.Program{program("x", 1), program("y", 2)} {
			for a, err := range s.Preview(t.Context(), p) {
				ops = append(ops, "preview "+string(a.Op), fmt.Sprint(err))
			}
			for a, err := range s.Update(t.Context(), p) {
				ops = append(ops, string(a.Op), fmt.Sprint(err))
			}
		}
		const want = "[preview create <nil> preview create <nil> create <nil> create <nil> preview update <nil> preview update <nil> update <nil> update <nil>]"
		if got := fmt.Sprint(ops); got != want {
			t.Errorf("%s: %s", name, got)
		}

		s = engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return launch(buckets{}), nil }}
		for _, err := range s.Preview(t.Context(), program("x", 1)) {
			if err != nil {
				t.Errorf("%s, README: %v", name, err)
			}
		}
		var last error
		for _, err := range s.Update(t.Context(), program("x", 1)) {
			last = err
		}
		if !errors.Is(last, errors.ErrUnsupported) {
			t.Errorf("%s, README: Create: %v", name, last)
		}
	}
}
