package resource

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value/bind"
)

// Package describes a provider: its name, and what it has.
type Package struct {
	Name, Version, Description string
	// Schema is the document that GetSchema returns, as JSON. If it is nil, it is made of the
	// types, as by Document.
	Schema []byte
	// Config takes the configuration; see [Configure]. It may be nil.
	Config    Config
	Resources []Resource // of type [Of] and [Component]
	Functions []Function // of type [Func]
	// Env looks up environment variables for defaults: [os.LookupEnv], or nil to use none.
	Env func(name string) (string, bool)
}

// Resource is an [Of] or a [Component].
type Resource interface {
	types() (token string, args, state any)
	isComponent() bool
	addTo(p *Provider) error
}

// Function is a [Func].
type Function interface {
	types() (token string, args, result any)
	addFunction(p *Provider) error
}

// Provider is a provider made by [New]. It implements all methods of the protocol, and may be
// used by several goroutines. The zero Provider has nothing.
type Provider struct {
	rpc.Unimplemented

	pkg        Package
	schema     *schema.Package
	document   string
	kinds      map[string]*kind
	components map[string]*component
	functions  map[string]*function
	required   []string // names of the configuration

	configured atomic.Pointer[configuration]
	mu         sync.Mutex
	calls      map[*call]context.CancelFunc // in progress
}

// New returns the provider of a package. It fails if a type cannot be a struct of properties,
// if the schema cannot be read or lacks something that the package has, and if a token occurs
// twice.
func New(p Package) (*Provider, error) {
	made := &Provider{
		pkg: p, kinds: map[string]*kind{}, components: map[string]*component{}, functions: map[string]*function{},
	}
	document := p.Schema
	v, err := p.Document() // which is wrong if the types are
	if err != nil {
		return nil, err
	}
	if document == nil {
		if document, err = codec.AppendJSONValue(nil, v, codec.Options{}); err != nil {
			return nil, fmt.Errorf("resource: schema: %w", err)
		}
	}

	if made.schema, err = schema.Read(document, schema.Options{}); err != nil {
		return nil, fmt.Errorf("resource: %w", err)
	}
	made.document = string(document)
	if p.Config != nil {
		t, err := bind.Internal.Shape(p.Config.configType())
		if err != nil {
			return nil, fmt.Errorf("resource: the configuration: %w", err)
		}
		made.required = required(t)
	}
	for _, r := range p.Resources {
		if err := r.addTo(made); err != nil {
			return nil, err
		}
	}
	for _, f := range p.Functions {
		if err := f.addFunction(made); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Schema returns the schema of the provider.
func (p *Provider) Schema() *schema.Package {
	if p.schema == nil {
		return &schema.Package{}
	}
	return p.schema
}

// configInputs returns the type of the configuration.
func (p *Provider) configInputs() *schema.Type {
	if r := p.Schema().Provider(); r != nil {
		return r.Inputs()
	}
	return nil
}

// claim returns an error if a token is taken.
func (p *Provider) claim(token string) error {
	_, isKind := p.kinds[token]
	_, isComponent := p.components[token]
	_, isFunction := p.functions[token]
	if isKind || isComponent || isFunction {
		return fmt.Errorf("resource: %s occurs twice", scan.Line(token))
	}
	return nil
}

// Handshake reports that the provider accepts everything.
func (p *Provider) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{
		AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, AcceptsByteString: true,
		SupportsAutonamingConfiguration: true,
	}, nil
}

// GetSchema returns the schema.
func (p *Provider) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	return &rpc.GetSchemaResponse{Schema: p.document}, nil
}

// GetPluginInfo returns the version of the package.
func (p *Provider) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{Version: p.Schema().Version()}, nil
}
