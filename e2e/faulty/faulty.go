// Package faulty is the provider of examples/provider, made to fail where a test wants it:
// the variable DEMO_FAIL of its environment lists calls such as "create a, delete b".
package faulty

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/demo"
	"github.com/propalg/propalg/interop/grpc"
)

// Provider is the provider. Failing calls change nothing.
type Provider struct {
	*demo.Provider

	env func(name string) (string, bool)
}

// New returns a provider that asks env for the variables of its environment.
func New(env func(name string) (string, bool)) (*Provider, error) {
	p, err := demo.New(env)
	return &Provider{p, env}, err
}

// Diff fails when it is asked to.
func (p *Provider) Diff(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	if err := p.fault("diff", r.Name, false); err != nil {
		return nil, err
	}
	return p.Provider.Diff(ctx, r)
}

// Create fails when it is asked to, outside of previews.
func (p *Provider) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	if err := p.fault("create", r.Name, r.Preview); err != nil {
		return nil, err
	}
	return p.Provider.Create(ctx, r)
}

// Update fails when it is asked to, outside of previews.
func (p *Provider) Update(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	if err := p.fault("update", r.Name, r.Preview); err != nil {
		return nil, err
	}
	return p.Provider.Update(ctx, r)
}

// Read fails when it is asked to.
func (p *Provider) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	if err := p.fault("read", r.Name, false); err != nil {
		return nil, err
	}
	return p.Provider.Read(ctx, r)
}

// Delete fails when it is asked to.
func (p *Provider) Delete(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	if err := p.fault("delete", r.Name, false); err != nil {
		return nil, err
	}
	return p.Provider.Delete(ctx, r)
}

func (p *Provider) fault(method, name string, preview bool) error {
	faults, _ := p.env("DEMO_FAIL")
	if preview || !slices.Contains(strings.Split(faults, ", "), method+" "+name) {
		return nil
	}
	return &grpc.Error{Code: codes.Internal, Text: "the environment asks for this fault"}
}
