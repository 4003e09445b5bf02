package rpc

import "context"

// Provider has the methods of the service pulumirpc.ResourceProvider. Package
// interop/grpc serves and calls one. Methods may be called by several goroutines at
// the same time. A request belongs to the method, which may keep and change it.
type Provider interface {
	// Handshake is the first call: both sides report what they accept.
	Handshake(context.Context, *ProviderHandshakeRequest) (*ProviderHandshakeResponse, error)
	// Parameterize turns the provider into that of another package.
	Parameterize(context.Context, *ParameterizeRequest) (*ParameterizeResponse, error)
	// GetSchema returns the schema of the package, as JSON.
	GetSchema(context.Context, *GetSchemaRequest) (*GetSchemaResponse, error)
	// CheckConfig checks and completes the provider's own inputs.
	CheckConfig(context.Context, *CheckRequest) (*CheckResponse, error)
	// DiffConfig reports what a change of the provider's own inputs means.
	DiffConfig(context.Context, *DiffRequest) (*DiffResponse, error)
	// Configure passes the provider's inputs, before any call for a resource.
	Configure(context.Context, *ConfigureRequest) (*ConfigureResponse, error)
	// Invoke calls a function.
	Invoke(context.Context, *InvokeRequest) (*InvokeResponse, error)
	// Call calls a method of a component.
	Call(context.Context, *CallRequest) (*CallResponse, error)
	// Check checks and completes the inputs of a resource.
	Check(context.Context, *CheckRequest) (*CheckResponse, error)
	// Diff reports what an update would change, and whether it can be done in place.
	Diff(context.Context, *DiffRequest) (*DiffResponse, error)
	// Create creates a resource; in a preview it only predicts the result.
	Create(context.Context, *CreateRequest) (*CreateResponse, error)
	// Read returns the current state of a resource, for refresh and import.
	Read(context.Context, *ReadRequest) (*ReadResponse, error)
	// Update changes a resource in place; in a preview it only predicts the result.
	Update(context.Context, *UpdateRequest) (*UpdateResponse, error)
	// Delete deletes a resource.
	Delete(context.Context, *DeleteRequest) (*Empty, error)
	// List finds existing resources. It passes each part of its response to send; an
	// error of send ends the call and must be returned.
	List(ctx context.Context, request *ListRequest, send func(*ListResponse) error) error
	// Construct creates a component by registering resources with the engine.
	Construct(context.Context, *ConstructRequest) (*ConstructResponse, error)
	// Cancel asks the provider to end the calls in progress.
	Cancel(context.Context, *Empty) (*Empty, error)
	// GetPluginInfo returns the version of the plugin.
	GetPluginInfo(context.Context, *Empty) (*PluginInfo, error)
	// Attach passes the address of its engine to a provider that is already running.
	Attach(context.Context, *PluginAttach) (*Empty, error)
	// GetMapping returns how the package maps to one of another ecosystem.
	GetMapping(context.Context, *GetMappingRequest) (*GetMappingResponse, error)
	// GetMappings returns the names of the packages that mappings exist for.
	GetMappings(context.Context, *GetMappingsRequest) (*GetMappingsResponse, error)
}
