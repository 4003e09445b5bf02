package rpc

import (
	"context"
	"errors"
)

// Unimplemented is a [Provider] to embed, which does as little as an engine accepts.
//
// CheckConfig and Check accept their inputs, Configure accepts its inputs and reports
// that secrets and references are understood, GetPluginInfo returns no version, Cancel
// and Attach do nothing, and GetSchema returns Schema if there is one. Every other method
// returns an error that wraps [errors.ErrUnsupported].
//
// Handshake is one of these methods: engines expect a provider without it to report
// everything in Configure, where Unimplemented reports that Create and Update must not be
// called in previews. In a provider that has a Handshake, or a Configure that sets
// SupportsPreview, Create and Update must look at Preview in their requests.
type Unimplemented struct {
	Schema string // the package schema, as JSON
}

type unimplemented string

// Error returns one line such as "the provider does not implement Diff".
func (method unimplemented) Error() string {
	return "the provider does not implement " + string(method)
}

// Is reports whether the target is [errors.ErrUnsupported].
func (unimplemented) Is(target error) bool { return target == errors.ErrUnsupported }

// Handshake returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Handshake(context.Context, *ProviderHandshakeRequest) (*ProviderHandshakeResponse, error) {
	return nil, unimplemented("Handshake")
}

// Parameterize returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Parameterize(context.Context, *ParameterizeRequest) (*ParameterizeResponse, error) {
	return nil, unimplemented("Parameterize")
}

// GetSchema returns Schema, or an error if that is empty.
func (u Unimplemented) GetSchema(context.Context, *GetSchemaRequest) (*GetSchemaResponse, error) {
	if u.Schema == "" {
		return nil, unimplemented("GetSchema")
	}
	return &GetSchemaResponse{Schema: u.Schema}, nil
}

// CheckConfig returns the news as the inputs.
func (Unimplemented) CheckConfig(_ context.Context, r *CheckRequest) (*CheckResponse, error) {
	return &CheckResponse{Inputs: r.News}, nil
}

// DiffConfig returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) DiffConfig(context.Context, *DiffRequest) (*DiffResponse, error) {
	return nil, unimplemented("DiffConfig")
}

// Configure reports that secrets and resource references are accepted.
func (Unimplemented) Configure(context.Context, *ConfigureRequest) (*ConfigureResponse, error) {
	return &ConfigureResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

// Invoke returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Invoke(context.Context, *InvokeRequest) (*InvokeResponse, error) {
	return nil, unimplemented("Invoke")
}

// Call returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Call(context.Context, *CallRequest) (*CallResponse, error) {
	return nil, unimplemented("Call")
}

// Check returns the news as the inputs.
func (Unimplemented) Check(_ context.Context, r *CheckRequest) (*CheckResponse, error) {
	return &CheckResponse{Inputs: r.News}, nil
}

// Diff returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Diff(context.Context, *DiffRequest) (*DiffResponse, error) {
	return nil, unimplemented("Diff")
}

// Create returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Create(context.Context, *CreateRequest) (*CreateResponse, error) {
	return nil, unimplemented("Create")
}

// Read returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Read(context.Context, *ReadRequest) (*ReadResponse, error) {
	return nil, unimplemented("Read")
}

// Update returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Update(context.Context, *UpdateRequest) (*UpdateResponse, error) {
	return nil, unimplemented("Update")
}

// Delete returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Delete(context.Context, *DeleteRequest) (*Empty, error) {
	return nil, unimplemented("Delete")
}

// List returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) List(context.Context, *ListRequest, func(*ListResponse) error) error {
	return unimplemented("List")
}

// Construct returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) Construct(context.Context, *ConstructRequest) (*ConstructResponse, error) {
	return nil, unimplemented("Construct")
}

// Cancel does nothing: the server has cancelled the contexts of the calls in progress.
func (Unimplemented) Cancel(context.Context, *Empty) (*Empty, error) {
	return &Empty{}, nil
}

// GetPluginInfo returns no version.
func (Unimplemented) GetPluginInfo(context.Context, *Empty) (*PluginInfo, error) {
	return &PluginInfo{}, nil
}

// Attach does nothing: the address of the engine is in the Handshake too.
func (Unimplemented) Attach(context.Context, *PluginAttach) (*Empty, error) {
	return &Empty{}, nil
}

// GetMapping returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) GetMapping(context.Context, *GetMappingRequest) (*GetMappingResponse, error) {
	return nil, unimplemented("GetMapping")
}

// GetMappings returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) GetMappings(context.Context, *GetMappingsRequest) (*GetMappingsResponse, error) {
	return nil, unimplemented("GetMappings")
}
