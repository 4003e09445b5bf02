package grpc

import "github.com/propalg/propalg/codec/rpc"

// Provider is [rpc.Provider], the methods of pulumirpc.ResourceProvider. Embed
// [Unimplemented] to leave methods out.
type Provider = rpc.Provider

// Unimplemented is [rpc.Unimplemented], which does as little as an engine accepts. A server
// sends the errors of its methods with the code Unimplemented.
type Unimplemented = rpc.Unimplemented
