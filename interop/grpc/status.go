package grpc

import (
	"context"

	"github.com/propalg/propalg/codec/rpc"
)

// ResourceStatus tells an engine what an operation on a resource does to its views, the
// resources that it presents as parts of itself. A provider may use it if SupportsViews is
// set in the [rpc.ProviderHandshakeRequest]. A ResourceStatus may be used by several
// goroutines. The zero ResourceStatus has no connection, so its calls fail.
type ResourceStatus link

// ConnectResourceStatus returns the service at an address, which is the
// ResourceStatusAddress of a request to create, read, update or delete a resource. The
// first call waits for the connection.
func ConnectResourceStatus(address string) (*ResourceStatus, error) {
	l, err := linkTo(address)
	return (*ResourceStatus)(l), err
}

// Close closes the connection.
func (s *ResourceStatus) Close() error { return (*link)(s).end() }

// PublishViewSteps publishes steps of the operation whose ResourceStatusToken the request
// has. The token is good until the provider has answered. Engines know the state of a view
// from the last New that was published, and pass it on as one of the OldViews of the next
// operation.
func (s *ResourceStatus) PublishViewSteps(ctx context.Context, r *rpc.PublishViewStepsRequest) (*rpc.Empty, error) {
	return invoke[rpc.Empty](ctx, (*link)(s).connection(), "/pulumirpc.ResourceStatus/PublishViewSteps", r, rpc.Options{})
}
