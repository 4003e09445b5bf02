package grpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// mirror gives back what it gets, or what it was made with.
type mirror struct {
	fake
	says *rpc.ConfigureResponse
	last value.Value
	give value.Value
}

func (m *mirror) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return m.says, nil
}

func (m *mirror) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	m.last = r.Properties
	return &rpc.CreateResponse{Properties: m.give}, nil
}

func (m *mirror) Construct(_ context.Context, _ *rpc.ConstructRequest) (*rpc.ConstructResponse, error) {
	return &rpc.ConstructResponse{State: m.give}, nil
}

// Both sides write for what the other one accepts.
func TestFeatures(t *testing.T) {
	const urn = "urn:pulumi:a::b::c:d:e::f"
	secret, plain := object(text("p"), value.Secret(text("s"))), object(text("p"), text("s"))
	depends := object(text("p"), text("s").WithDependencies(urn))
	bytes := object(text("p"), text("\xff"))
	all := &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true}
	for _, row := range []struct {
		name      string
		shake     *rpc.ProviderHandshakeRequest // nil: no handshake
		configure *rpc.ConfigureRequest         // nil: not configured
		says      *rpc.ConfigureResponse
		send      value.Value
		got, back value.Value // null: an error
	}{
		{"at first all is kept", nil, nil, nil, secret, secret, secret},
		{"bytes too", nil, nil, nil, bytes, bytes, bytes},
		{"but outputs", nil, nil, nil, depends, plain, plain},
		{"engine accepts", nil, &rpc.ConfigureRequest{AcceptSecrets: true}, all, secret, secret, secret},
		{"engine is old", nil, &rpc.ConfigureRequest{}, all, secret, secret, plain},
		{"provider is old", nil, &rpc.ConfigureRequest{AcceptSecrets: true}, &rpc.ConfigureResponse{}, secret, plain, secret},
		{"provider accepts outputs", nil, &rpc.ConfigureRequest{}, all, depends, depends, plain},
		{"engine accepts bytes", &rpc.ProviderHandshakeRequest{AcceptsByteString: true}, &rpc.ConfigureRequest{}, all, bytes, bytes, bytes},
		{"engine does not", &rpc.ProviderHandshakeRequest{}, &rpc.ConfigureRequest{}, all, bytes, bytes, value.Null()},
	} {
		m := &mirror{says: row.says, give: row.send}
		plugin := served(t, m, grpc.ServeOptions{})
		if row.shake != nil {
			if _, err := plugin.Handshake(t.Context(), row.shake); err != nil {
				t.Fatal(err)
			}
		}
		if row.configure != nil {
			if _, err := plugin.Configure(t.Context(), row.configure); err != nil {
				t.Fatal(err)
			}
		}
		r, err := plugin.Create(t.Context(), &rpc.CreateRequest{Properties: row.send})
		if !m.last.Identical(row.got) {
			t.Errorf("%s: the provider got %v", row.name, m.last)
		}
		switch {
		case row.back.IsNull():
			if err == nil || !strings.Contains(err.Error(), "properties") {
				t.Errorf("%s: %v", row.name, err)
			}
		case err != nil || !r.Properties.Identical(row.back):
			t.Errorf("%s: the engine got %v, %v", row.name, r, err)
		}
	}
	plugin := served(t, &mirror{give: depends}, grpc.ServeOptions{})
	for accepts, want := range map[bool]value.Value{true: depends, false: plain} {
		r, err := plugin.Construct(t.Context(), &rpc.ConstructRequest{AcceptsOutputValues: accepts})
		if err != nil || !r.State.Identical(want) {
			t.Errorf("accepts outputs %v: %v %v", accepts, r, err)
		}
	}
}
