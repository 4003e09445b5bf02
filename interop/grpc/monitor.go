package grpc

import (
	"context"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const monitorService = "/pulumirpc.ResourceMonitor/"

// Monitor calls the engine's resource monitor. A component registers its resources with
// it. Errors are [*Error]. Requests say that all kinds of values are accepted, and unknown ones
// in previews, whether or not their fields do, since package codec reads them. A Monitor may be used by several goroutines. The zero
// Monitor has no connection, so its calls fail.
type Monitor link

// NewMonitor returns a monitor on a connection, which Close leaves open.
func NewMonitor(conn google.ClientConnInterface) *Monitor {
	return &Monitor{conn: conn}
}

// ConnectMonitor returns the monitor at an address, which is the MonitorEndpoint of a
// ConstructRequest or a CallRequest. The first call waits for the connection.
func ConnectMonitor(address string) (*Monitor, error) {
	l, err := linkTo(address)
	return (*Monitor)(l), err
}

// Close closes the connection, if the Monitor made it.
func (m *Monitor) Close() error { return (*link)(m).end() }

func (m *Monitor) connection() google.ClientConnInterface { return (*link)(m).connection() }

// SupportsFeature reports whether the engine has a feature.
func (m *Monitor) SupportsFeature(ctx context.Context, r *rpc.SupportsFeatureRequest) (*rpc.SupportsFeatureResponse, error) {
	return invoke[rpc.SupportsFeatureResponse](ctx, m.connection(), monitorService+"SupportsFeature", r, rpc.Options{})
}

// Invoke calls a function of a provider.
func (m *Monitor) Invoke(ctx context.Context, r *rpc.ResourceInvokeRequest) (*rpc.ResourceInvokeResponse, error) {
	r = with(r, func(r *rpc.ResourceInvokeRequest) { r.AcceptResources, r.AcceptsByteString = true, true })
	return invoke[rpc.ResourceInvokeResponse](ctx, m.connection(), monitorService+"Invoke", r, rpc.Options{})
}

// with returns a request with some fields set, and leaves the caller's as it is.
func with[T any](r *T, set func(*T)) *T {
	if r == nil {
		return nil
	}
	own := *r
	set(&own)
	return &own
}

// Call calls a method of a resource.
func (m *Monitor) Call(ctx context.Context, r *rpc.ResourceCallRequest) (*rpc.CallResponse, error) {
	r = with(r, func(r *rpc.ResourceCallRequest) { r.AcceptsByteString = true })
	return invoke[rpc.CallResponse](ctx, m.connection(), monitorService+"Call", r, rpc.Options{})
}

// RegisterPackage registers a package, which may be parameterized, and returns the reference
// for the field PackageRef of other requests.
func (m *Monitor) RegisterPackage(ctx context.Context, r *rpc.RegisterPackageRequest) (*rpc.RegisterPackageResponse, error) {
	return invoke[rpc.RegisterPackageResponse](ctx, m.connection(), monitorService+"RegisterPackage", r, rpc.Options{})
}

// Resolve returns the outputs of the resource that a reference names. The call fails
// unless the resource was registered or read before. In a preview, the outputs may be
// unknown. It calls getResource, a function of the engine itself.
func (m *Monitor) Resolve(ctx context.Context, r value.ResourceReference) (value.Value, error) {
	response, err := m.Invoke(ctx, &rpc.ResourceInvokeRequest{
		Tok:  "pulumi:pulumi:getResource",
		Args: value.Object(value.Field("urn", value.String(r.URN))),
	})
	if err != nil {
		return value.Value{}, err
	}
	if response.Unknown {
		return value.Unknown(), nil
	}

	outputs, ok := response.Return.At(path.Of(path.Key("state")))
	if !ok {
		return value.Value{}, &Error{Method: monitorService + "Invoke", Code: codes.Internal, Text: "the engine did not return the resource"}
	}
	return outputs, nil
}

// ReadResource reads an existing resource.
func (m *Monitor) ReadResource(ctx context.Context, r *rpc.ReadResourceRequest) (*rpc.ReadResourceResponse, error) {
	r = with(r, func(r *rpc.ReadResourceRequest) {
		r.AcceptSecrets, r.AcceptResources, r.AcceptsByteString = true, true, true
	})
	return invoke[rpc.ReadResourceResponse](ctx, m.connection(), monitorService+"ReadResource", r, rpc.Options{})
}

// RegisterResource registers a resource or the component itself. It returns when the
// engine has finished with it.
func (m *Monitor) RegisterResource(ctx context.Context, r *rpc.RegisterResourceRequest) (*rpc.RegisterResourceResponse, error) {
	r = with(r, func(r *rpc.RegisterResourceRequest) {
		r.AcceptSecrets, r.AcceptResources, r.AcceptsByteString, r.SupportsPartialValues = true, true, true, true
	})
	return invoke[rpc.RegisterResourceResponse](ctx, m.connection(), monitorService+"RegisterResource", r, rpc.Options{})
}

// RegisterResourceOutputs registers the outputs of a component.
func (m *Monitor) RegisterResourceOutputs(ctx context.Context, r *rpc.RegisterResourceOutputsRequest) (*rpc.Empty, error) {
	return invoke[rpc.Empty](ctx, m.connection(), monitorService+"RegisterResourceOutputs", r, rpc.Options{})
}
