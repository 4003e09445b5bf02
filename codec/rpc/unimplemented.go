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

// Configure reports that secrets and resource references are accepted.
func (Unimplemented) Configure(context.Context, *ConfigureRequest) (*ConfigureResponse, error) {
	return &ConfigureResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

// Check returns the news as the inputs.
func (Unimplemented) Check(_ context.Context, r *CheckRequest) (*CheckResponse, error) {
	return &CheckResponse{Inputs: r.News}, nil
}

// List returns an error that wraps [errors.ErrUnsupported].
func (Unimplemented) List(context.Context, *ListRequest, func(*ListResponse) error) error {
	return unimplemented("List")
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
