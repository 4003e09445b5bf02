// Package demo is a Pulumi provider made with propalg and grpc-go, and no Pulumi
// SDK. It is meant to be read: this file first, then record.go (the life of a resource) and
// others.go (a function and a component).
package demo

import (
	"context"
	_ "embed"
	"os"
	"sync/atomic"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/resource"
)

// document is the schema: language hosts make SDKs of it, and inputs are checked by it. It
// follows from the types and their comments.
//
//go:embed schema.json
var document []byte

type config struct {
	// Store is the file that records are kept in.
	Store string `pulumi:"store" provider:"replaceOnChanges" env:"DEMO_STORE"`
	// APIKey is not used: a cloud would want one.
	APIKey string `pulumi:"apiKey,optional" provider:"secret"`
}

// Provider is the provider. Engines call it from several goroutines at once; all
// that changes in it is the store, which Configure sets.
type Provider struct {
	*resource.Provider // all methods; one that is written here would replace its own

	env   func(name string) (string, bool)
	store atomic.Pointer[store.Store]
}

// New returns a provider that asks env for the variables of its environment:
// os.LookupEnv, but for tests.
func New(env func(name string) (string, bool)) (*Provider, error) {
	p := &Provider{env: env}
	var err error
	p.Provider, err = resource.New(p.Package())
	return p, err
}

// Package returns what the provider has.
func (p *Provider) Package() resource.Package {
	return resource.Package{
		Name: "demo", Version: "0.1.0", Description: "A provider made with propalg.", Schema: document, Env: p.env,
		Config: resource.Configure(func(_ context.Context, c config) error {
			p.store.Store(store.Open(c.Store))
			return nil
		}),
		Resources: []resource.Resource{p.records(), p.groups()},
		Functions: []resource.Function{p.lookup()},
	}
}

func failure(code codes.Code, text string) error { return &grpc.Error{Code: code, Text: text} }

// asked reports whether the environment asks for a fault: for tests.
func (p *Provider) asked(fault string) bool {
	now, _ := p.env("DEMO_FAULT")
	return now == fault
}

// dieAt kills the process when the environment asks for that at a point: for tests
// that what is left behind is something that the next run can go on from.
func (p *Provider) dieAt(point string) {
	if self, err := os.FindProcess(os.Getpid()); err == nil && p.asked(point) && self.Kill() == nil {
		select {} // it will come
	}
}
