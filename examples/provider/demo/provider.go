// Package demo is a Pulumi provider made with propalg and grpc-go, and no Pulumi
// SDK. It is meant to be read: this file first, then check.go (inputs), record.go
// (the life of a resource) and others.go (a function and a component).
package demo

import (
	"context"
	_ "embed"
	"sync/atomic"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
)

// document is the schema: language hosts make SDKs of it, and we check inputs by it.
//
//go:embed schema.json
var document []byte

// The resources and functions, by package, module and name.
const (
	recordType = "demo:index:Record"
	groupType  = "demo:index:Group"
	lookupTok  = "demo:index:getRecord"
)

// Provider is the provider. Engines call it from several goroutines at once; all
// that changes in it is the store, which Configure sets.
type Provider struct {
	grpc.Unimplemented // the methods that are not written below

	env    func(name string) (string, bool)
	pkg    *schema.Package
	record *schema.Resource
	store  atomic.Pointer[store.Store]
}

// New returns a provider that asks env for the variables of its environment:
// os.LookupEnv, but for tests.
func New(env func(name string) (string, bool)) (*Provider, error) {
	pkg, err := schema.Read(document, schema.Options{})
	if err != nil {
		return nil, err
	}
	record, _ := pkg.Resource(recordType)
	return &Provider{env: env, pkg: pkg, record: record}, nil
}

// Handshake is the first call. It says what the provider accepts; a provider that does
// not accept secrets gets them as plain values and cannot recognise them.
func (*Provider) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{
		AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, AcceptsByteString: true,
		SupportsAutonamingConfiguration: true,
	}, nil
}

// GetPluginInfo returns the version.
func (p *Provider) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{Version: p.pkg.Version()}, nil
}

// GetSchema returns what language hosts read.
func (*Provider) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	return &rpc.GetSchemaResponse{Schema: string(document)}, nil
}

// CheckConfig is Check for the provider's own inputs.
func (p *Provider) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	inputs := p.pkg.Provider().Inputs()
	failures := rpc.CheckFailuresOf(r.News, inputs.Check(r.News))
	return &rpc.CheckResponse{Inputs: inputs.MarkSecrets(r.News), Failures: failures}, nil
}

// DiffConfig is Diff for the provider's own inputs. Records of one store are not in
// another, so a provider of another store is another provider.
func (p *Provider) DiffConfig(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	o, err := provider.FromSchema(p.pkg.Provider())
	if err != nil {
		return nil, err
	}
	return o.Answer(r)
}

// Configure gets the inputs that CheckConfig returned. In a preview they may be
// unknown. The provider then has no store, and the engine makes no call that needs one.
func (p *Provider) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	inputs := p.pkg.Provider().Inputs()
	args, err := r.PropertiesWithStrings(inputs.Strings()...)
	if err == nil {
		args, err = inputs.WithDefaults(args, p.env)
	}
	if err != nil {
		return nil, invalid(err.Error())
	}
	file, known := args.Field("store").AsString()
	switch {
	case args.Field("store").IsUnknown():
		p.store.Store(nil)
	case !known || file == "":
		return nil, grpc.MissingKeys(rpc.MissingKey{Name: "demo:store", Description: "the file that records are kept in"})
	default:
		p.store.Store(store.Open(file))
	}
	return &rpc.ConfigureResponse{
		AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, SupportsPreview: true,
		SupportsAutonamingConfiguration: true,
	}, nil
}

// cloud is the store, or an error if there is none.
func (p *Provider) cloud() (*store.Store, error) {
	if s := p.store.Load(); s != nil {
		return s, nil
	}
	return nil, &grpc.Error{Code: codes.FailedPrecondition, Text: "the provider is not configured"}
}

// recordURN reads the URN of a request, which has to be about a Record.
func recordURN(text string) (urn.URN, error) {
	u, err := urn.Parse(text)
	if err != nil {
		return u, invalid(err.Error())
	}
	if u.Type() != recordType {
		return u, invalid("this provider has no resource of that type, only " + recordType)
	}
	return u, nil
}

func invalid(text string) error { return &grpc.Error{Code: codes.InvalidArgument, Text: text} }

// asked reports whether the environment asks for a fault: for tests.
func (p *Provider) asked(fault string) bool {
	now, _ := p.env("DEMO_FAULT")
	return now == fault
}
