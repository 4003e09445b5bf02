package grpc

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
)

// Provider has the methods of pulumirpc.ResourceProvider. Embed [Unimplemented] to
// have those that are not written. Methods are called at the same time from several
// goroutines; a request and what is in it is theirs.
type Provider interface {
	// Handshake is the first call: both sides say what they accept.
	Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error)
	// Parameterize makes another package of the provider.
	Parameterize(context.Context, *rpc.ParameterizeRequest) (*rpc.ParameterizeResponse, error)
	// GetSchema returns the schema of the package, as JSON.
	GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error)
	// CheckConfig checks, and completes, the provider's own inputs.
	CheckConfig(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error)
	// DiffConfig says what a change of the provider's own inputs means.
	DiffConfig(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error)
	// Configure gives the provider its inputs, before there is any resource.
	Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error)
	// Invoke calls a function.
	Invoke(context.Context, *rpc.InvokeRequest) (*rpc.InvokeResponse, error)
	// Call calls a method of a component.
	Call(context.Context, *rpc.CallRequest) (*rpc.CallResponse, error)
	// Check checks, and completes, the inputs of a resource.
	Check(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error)
	// Diff says what an update would change, and whether that can be done in place.
	Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error)
	// Create makes a resource; in a preview it only foretells it.
	Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error)
	// Read returns what there is, for refresh and import.
	Read(context.Context, *rpc.ReadRequest) (*rpc.ReadResponse, error)
	// Update changes a resource in place; in a preview it only foretells that.
	Update(context.Context, *rpc.UpdateRequest) (*rpc.UpdateResponse, error)
	// Delete removes a resource.
	Delete(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error)
	// List finds resources that there are. It sends the pieces of its answer one
	// after another; an error of send ends the call, and is to be returned.
	List(ctx context.Context, request *rpc.ListRequest, send func(*rpc.ListResponse) error) error
	// Construct makes a component, by registering resources with a [Monitor].
	Construct(context.Context, *rpc.ConstructRequest) (*rpc.ConstructResponse, error)
	// Cancel asks to end what is under way.
	Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error)
	// GetPluginInfo returns the version of the plugin.
	GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error)
	// Attach tells a provider that is running where its engine is.
	Attach(context.Context, *rpc.PluginAttach) (*rpc.Empty, error)
	// GetMapping returns how the package maps to one of another ecosystem.
	GetMapping(context.Context, *rpc.GetMappingRequest) (*rpc.GetMappingResponse, error)
	// GetMappings names the packages that there are mappings for.
	GetMappings(context.Context, *rpc.GetMappingsRequest) (*rpc.GetMappingsResponse, error)
}

// Unimplemented is a [Provider] that an engine can work with, although it does
// nothing: CheckConfig and Check accept what they are given, Configure accepts it and
// says that secrets and references are understood, GetPluginInfo returns no version,
// Cancel and Attach do nothing. Every other method returns an [*Error] with the code
// Unimplemented.
//
// Handshake is among the others: engines take a provider without it for one that says
// all in Configure, where Unimplemented says that Create and Update are not to be
// called in previews. A provider that has a Handshake, or a Configure with
// SupportsPreview, has to look at the Preview of their requests.
type Unimplemented struct{}

func missing(method string) error {
	return &Error{Method: service + method, Code: codes.Unimplemented, Text: "this provider has no " + method}
}

// Handshake is an error.
func (Unimplemented) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return nil, missing("Handshake")
}

// Parameterize is an error.
func (Unimplemented) Parameterize(context.Context, *rpc.ParameterizeRequest) (*rpc.ParameterizeResponse, error) {
	return nil, missing("Parameterize")
}

// GetSchema is an error.
func (Unimplemented) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	return nil, missing("GetSchema")
}

// CheckConfig accepts what it is given.
func (Unimplemented) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

// DiffConfig is an error.
func (Unimplemented) DiffConfig(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return nil, missing("DiffConfig")
}

// Configure accepts what it is given.
func (Unimplemented) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

// Invoke is an error.
func (Unimplemented) Invoke(context.Context, *rpc.InvokeRequest) (*rpc.InvokeResponse, error) {
	return nil, missing("Invoke")
}

// Call is an error.
func (Unimplemented) Call(context.Context, *rpc.CallRequest) (*rpc.CallResponse, error) {
	return nil, missing("Call")
}

// Check accepts what it is given.
func (Unimplemented) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

// Diff is an error.
func (Unimplemented) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return nil, missing("Diff")
}

// Create is an error.
func (Unimplemented) Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return nil, missing("Create")
}

// Read is an error.
func (Unimplemented) Read(context.Context, *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return nil, missing("Read")
}

// Update is an error.
func (Unimplemented) Update(context.Context, *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	return nil, missing("Update")
}

// Delete is an error.
func (Unimplemented) Delete(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) {
	return nil, missing("Delete")
}

// List is an error.
func (Unimplemented) List(context.Context, *rpc.ListRequest, func(*rpc.ListResponse) error) error {
	return missing("List")
}

// Construct is an error.
func (Unimplemented) Construct(context.Context, *rpc.ConstructRequest) (*rpc.ConstructResponse, error) {
	return nil, missing("Construct")
}

// Cancel does nothing: the server has cancelled the contexts of the calls under way.
func (Unimplemented) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}

// GetPluginInfo returns no version.
func (Unimplemented) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{}, nil
}

// Attach does nothing: what an engine tells here, its address, is in the Handshake
// too.
func (Unimplemented) Attach(context.Context, *rpc.PluginAttach) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}

// GetMapping is an error.
func (Unimplemented) GetMapping(context.Context, *rpc.GetMappingRequest) (*rpc.GetMappingResponse, error) {
	return nil, missing("GetMapping")
}

// GetMappings is an error.
func (Unimplemented) GetMappings(context.Context, *rpc.GetMappingsRequest) (*rpc.GetMappingsResponse, error) {
	return nil, missing("GetMappings")
}
