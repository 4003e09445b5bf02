package grpc

import (
	"context"
	"sync"

	"google.golang.org/grpc/stats"
)

// connection is the state of one connection: what the engine at the other end accepts,
// and the context of its calls. What an engine reports or cancels on its connection
// does not affect other engines.
type connection struct {
	peer   features
	engine callback

	mu     sync.Mutex
	parent context.Context // of the server
	alive  context.Context // of the calls in progress
	abort  context.CancelFunc
}

func newConnection(parent context.Context) *connection {
	c := &connection{parent: parent}
	c.alive, c.abort = context.WithCancel(parent)
	return c
}

// calls returns the context of the calls now in progress.
func (c *connection) calls() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alive
}

// cancelCalls cancels the calls in progress, but not later ones.
func (c *connection) cancelCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abort()
	c.alive, c.abort = context.WithCancel(c.parent)
}

func (c *connection) close() {
	c.engine.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abort()
}

// connectionKey is the key of a connection in the contexts of its calls.
type connectionKey struct{}

func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// connections creates the [connection] of each connection of a server. It is a
// stats.Handler, which grpc-go notifies of connections.
type connections struct{ server *server }

// TagConn adds the connection to the context of its calls.
func (t connections) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	return context.WithValue(ctx, connectionKey{}, newConnection(t.server.alive))
}

// HandleConn closes the state of a connection that ends.
func (connections) HandleConn(ctx context.Context, s stats.ConnStats) {
	if _, ended := s.(*stats.ConnEnd); ended {
		connectionOf(ctx).close()
	}
}

// TagRPC adds nothing.
func (connections) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC does nothing.
func (connections) HandleRPC(context.Context, stats.RPCStats) {}
