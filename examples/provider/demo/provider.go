// Package demo is a Pulumi provider made with propalg and grpc-go, and no Pulumi
// SDK. It is meant to be read: this file first, then check.go (inputs), record.go
// (the life of a resource) and others.go (a function and a component).
package demo

import (
	"cmp"
	"context"
	_ "embed"
	"sync/atomic"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// schema tells language hosts what there is.
//
//go:embed schema.json
var schema string

// The resources and functions, by package, module and name, and the version.
const (
	Version    = "0.1.0" // in the schema too
	recordType = "demo:index:Record"
	groupType  = "demo:index:Group"
	lookupTok  = "demo:index:getRecord"
)

// Provider is the provider. Engines call it from several goroutines at once; all
// that changes in it is the store, which Configure sets.
type Provider struct {
	grpc.Unimplemented // the methods that are not written below

	env   func(name string) string
	store atomic.Pointer[store.Store]
}

// New returns a provider that asks env for the variables of its environment:
// os.Getenv, but for tests.
func New(env func(name string) string) *Provider { return &Provider{env: env} }

// Handshake is the first call. It says what the provider accepts; a provider that does
// not accept secrets gets them as plain values and cannot recognise them.
func (*Provider) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{
		AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, AcceptsByteString: true,
		SupportsAutonamingConfiguration: true,
	}, nil
}

// GetPluginInfo returns the version.
func (*Provider) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{Version: Version}, nil
}

// GetSchema returns what language hosts read.
func (*Provider) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	return &rpc.GetSchemaResponse{Schema: schema}, nil
}

// CheckConfig is Check for the provider's own inputs. Engines add members of their
// own, so names that we do not know may look like anything.
func (*Provider) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	text := shape{kind: value.KindString}
	config := shape{kind: value.KindObject, fields: map[string]shape{"store": text, "apiKey": text}, each: &shape{}}
	return &rpc.CheckResponse{Inputs: value.MarkSecret(r.News, patterns("apiKey")), Failures: config.check(r.News)}, nil
}

// DiffConfig is Diff for the provider's own inputs. Records of one store are not in
// another, so a provider of another store is another provider.
func (*Provider) DiffConfig(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return provider.Answer(r, provider.Options{ReplaceOn: patterns("store")})
}

// Configure gets the inputs that CheckConfig returned. In a preview they may be
// unknown. The provider then has no store, and the engine makes no call that needs one.
func (p *Provider) Configure(_ context.Context, r *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	args, err := r.PropertiesWithStrings("store", "apiKey")
	if err != nil {
		return nil, invalid(err.Error())
	}
	file, _ := args.Field("store").AsString()
	file = cmp.Or(file, p.env("DEMO_STORE"))
	switch {
	case args.Field("store").IsUnknown():
		p.store.Store(nil)
	case file == "":
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

// request is a request about a resource.
type request interface{ ParseURN() (urn.URN, error) }

// recordURN is the URN of a request, which has to be about a Record.
func recordURN(r request) (urn.URN, error) {
	u, err := r.ParseURN()
	if err != nil {
		return u, invalid(err.Error())
	}
	if u.Type() != recordType {
		return u, invalid("this provider has no resource of that type, only " + recordType)
	}
	return u, nil
}

func invalid(text string) error { return &grpc.Error{Code: codes.InvalidArgument, Text: text} }

// patterns are paths that may have wildcards; all are written in this package.
func patterns(texts ...string) *path.Set {
	all := make([]path.Pattern, len(texts))
	for i := range texts {
		all[i] = path.MustParsePattern(texts[i])
	}
	return path.NewSet(all...)
}
