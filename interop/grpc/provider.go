package grpc

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
)

// Provider is [rpc.Provider], the methods of pulumirpc.ResourceProvider. Embed
// [Unimplemented] to leave methods out.
type Provider = rpc.Provider

// Unimplemented is a [Provider] to embed, which does as little as an engine accepts.
//
// CheckConfig and Check accept their inputs, Configure accepts its inputs and reports
// that secrets and references are understood, GetPluginInfo returns no version, Cancel
// and Attach do nothing, and GetSchema returns Schema if there is one. Every other method
// returns an [*Error] with the code Unimplemented.
//
// Handshake is one of these methods: engines expect a provider without it to report
// everything in Configure, where Unimplemented reports that Create and Update must not be
// called in previews. In a provider that has a Handshake, or a Configure that sets
// SupportsPreview, Create and Update must look at Preview in their requests.
type Unimplemented struct {
	Schema string // the package schema, as JSON
}

func missing(method string) error {
	return &Error{Method: service + method, Code: codes.Unimplemented, Text: "the provider does not implement " + method}
}

// Handshake returns an [*Error] with the code Unimplemented.
func (Unimplemented) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return nil, missing("Handshake")
}

// Parameterize returns an [*Error] with the code Unimplemented.
func (Unimplemented) Parameterize(context.Context, *rpc.ParameterizeRequest) (*rpc.ParameterizeResponse, error) {
	return nil, missing("Parameterize")
}

// GetSchema returns Schema, or an error if that is empty.
func (u Unimplemented) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	if u.Schema == "" {
		return nil, missing("GetSchema")
	}
	return &rpc.GetSchemaResponse{Schema: u.Schema}, nil
}

// CheckConfig returns the news as the inputs.
func (Unimplemented) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

// DiffConfig returns an [*Error] with the code Unimplemented.
func (Unimplemented) DiffConfig(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return nil, missing("DiffConfig")
}

// Configure reports that secrets and resource references are accepted.
func (Unimplemented) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

// Invoke returns an [*Error] with the code Unimplemented.
func (Unimplemented) Invoke(context.Context, *rpc.InvokeRequest) (*rpc.InvokeResponse, error) {
	return nil, missing("Invoke")
}

// Call returns an [*Error] with the code Unimplemented.
func (Unimplemented) Call(context.Context, *rpc.CallRequest) (*rpc.CallResponse, error) {
	return nil, missing("Call")
}

// Check returns the news as the inputs.
func (Unimplemented) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

// Diff returns an [*Error] with the code Unimplemented.
func (Unimplemented) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return nil, missing("Diff")
}

// Create returns an [*Error] with the code Unimplemented.
func (Unimplemented) Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	return nil, missing("Create")
}

// Read returns an [*Error] with the code Unimplemented.
func (Unimplemented) Read(context.Context, *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	return nil, missing("Read")
}

// Update returns an [*Error] with the code Unimplemented.
func (Unimplemented) Update(context.Context, *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	return nil, missing("Update")
}

// Delete returns an [*Error] with the code Unimplemented.
func (Unimplemented) Delete(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) {
	return nil, missing("Delete")
}

// List returns an [*Error] with the code Unimplemented.
func (Unimplemented) List(context.Context, *rpc.ListRequest, func(*rpc.ListResponse) error) error {
	return missing("List")
}

// Construct returns an [*Error] with the code Unimplemented.
func (Unimplemented) Construct(context.Context, *rpc.ConstructRequest) (*rpc.ConstructResponse, error) {
	return nil, missing("Construct")
}

// Cancel does nothing: the server has cancelled the contexts of the calls in progress.
func (Unimplemented) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}

// GetPluginInfo returns no version.
func (Unimplemented) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{}, nil
}

// Attach does nothing: the address of the engine is in the Handshake too.
func (Unimplemented) Attach(context.Context, *rpc.PluginAttach) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}

// GetMapping returns an [*Error] with the code Unimplemented.
func (Unimplemented) GetMapping(context.Context, *rpc.GetMappingRequest) (*rpc.GetMappingResponse, error) {
	return nil, missing("GetMapping")
}

// GetMappings returns an [*Error] with the code Unimplemented.
func (Unimplemented) GetMappings(context.Context, *rpc.GetMappingsRequest) (*rpc.GetMappingsResponse, error) {
	return nil, missing("GetMappings")
}
