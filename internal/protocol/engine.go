package protocol

import (
	"context"

	"github.com/propalg/propalg/codec/rpc"
)

// Log sends a message to the engine that made a call.
type Log func(context.Context, *rpc.LogRequest) error

// Monitor is what a component needs of the resource monitor of an engine.
type Monitor interface {
	RegisterResource(context.Context, *rpc.RegisterResourceRequest) (*rpc.RegisterResourceResponse, error)
	RegisterResourceOutputs(context.Context, *rpc.RegisterResourceOutputsRequest) (*rpc.Empty, error)
	Close() error
}

// Connect returns the monitor at an address.
type Connect func(address string) (Monitor, error)

type (
	logKey     struct{}
	connectKey struct{}
)

// WithEngine returns a context in which the methods of a provider find the engine.
func WithEngine(ctx context.Context, log Log, connect Connect) context.Context {
	return context.WithValue(context.WithValue(ctx, logKey{}, log), connectKey{}, connect)
}

// LogOf returns the Log of a context, or nil.
func LogOf(ctx context.Context) Log {
	log, _ := ctx.Value(logKey{}).(Log)
	return log
}

// ConnectOf returns the Connect of a context, or nil.
func ConnectOf(ctx context.Context) Connect {
	connect, _ := ctx.Value(connectKey{}).(Connect)
	return connect
}
