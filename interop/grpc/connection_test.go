package grpc_test

import (
	"context"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// What one engine says, and what it cancels, is nothing to another one that is
// connected to the same provider.
func TestConnectionsAreApart(t *testing.T) {
	waiting := make(chan struct{})
	secret := object(text("p"), value.Secret(text(canary)))
	first := served(t, &fake{create: func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if r.Name == "slow" {
			waiting <- struct{}{}
			<-waiting
		}
		return &rpc.CreateResponse{Properties: secret}, ctx.Err()
	}}, grpc.ServeOptions{})
	second, err := grpc.Connect(first.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()

	configure := func(p *grpc.Plugin, accepts bool) {
		t.Helper()
		if _, err := p.Configure(t.Context(), &rpc.ConfigureRequest{AcceptSecrets: accepts}); err != nil {
			t.Fatal(err)
		}
	}
	gets := func(engine string, p *grpc.Plugin, want value.Value) {
		t.Helper()
		r, err := p.Create(t.Context(), &rpc.CreateRequest{})
		if err != nil || !r.Properties.Identical(want) {
			t.Errorf("%s gets %v, %v", engine, r, err)
		}
	}
	configure(first, true)
	configure(second, false)
	gets("the first", first, secret)
	gets("the second", second, object(text("p"), text(canary)))
	configure(second, true)
	configure(first, false)
	gets("the second", second, secret)

	done := make(chan error)
	go func() {
		_, err := first.Create(t.Context(), &rpc.CreateRequest{Name: "slow"})
		done <- err
	}()
	<-waiting
	if _, err := second.Cancel(t.Context(), &rpc.Empty{}); err != nil {
		t.Error(err)
	}
	waiting <- struct{}{}
	if err := <-done; err != nil {
		t.Errorf("the first's call, after the second's Cancel: %v", err)
	}
}
