package grpc

import (
	"context"

	google "google.golang.org/grpc"

	"github.com/propalg/propalg/codec/rpc"
)

const engineService = "/pulumirpc.Engine/"

// Engine sends messages to the user of an engine, such as the progress of a long operation.
// An Engine may be used by several goroutines. The zero Engine has no connection, so its
// calls fail.
type Engine link

// ConnectEngine returns the engine at an address, which is the EngineAddress of a
// [rpc.ProviderHandshakeRequest], or what the function [EngineAddress] returns. The first call
// waits for the connection.
func ConnectEngine(address string) (*Engine, error) {
	l, err := linkTo(address)
	return (*Engine)(l), err
}

// Close closes the connection.
func (e *Engine) Close() error { return (*link)(e).end() }

// Log sends a message. Engines show those of [rpc.LogDebug] only when they are asked to,
// and one with Ephemeral only as the status of its resource, until the next. They
// take one of [rpc.LogError] as fatal, and start no further operations.
func (e *Engine) Log(ctx context.Context, r *rpc.LogRequest) (*rpc.Empty, error) {
	return invoke[rpc.Empty](ctx, (*link)(e).connection(), engineService+"Log", r, rpc.Options{})
}

// link is a connection to a service of an engine.
type link struct {
	conn  google.ClientConnInterface
	close func() error // nil if the connection is the caller's
}

func linkTo(address string) (*link, error) {
	conn, err := dial(address, 0)
	if err != nil {
		return nil, err
	}
	return &link{conn, conn.Close}, nil
}

// connection returns the connection; nil: there is none.
func (l *link) connection() google.ClientConnInterface {
	if l == nil {
		return nil
	}
	return l.conn
}

func (l *link) end() error {
	if l == nil || l.close == nil {
		return nil
	}
	return l.close()
}
