package grpc

import (
	"context"
	"sync"

	"google.golang.org/grpc/stats"
)

// connection is what the server knows of the engine at the other end of one
// connection, and the calls that it makes there. What an engine says or cancels on
// its connection does nothing to another engine's.
type connection struct {
	peer features

	mu    sync.Mutex
	above context.Context // of the server
	alive context.Context // of the calls under way; done when they are to end
	abort context.CancelFunc
}

func newConnection(above context.Context) *connection {
	c := &connection{above: above}
	c.alive, c.abort = context.WithCancel(above)
	return c
}

// calls is done when the calls that are under way now are to end.
func (c *connection) calls() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alive
}

// cancelCalls ends the calls under way. Those that come later run.
func (c *connection) cancelCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abort()
	c.alive, c.abort = context.WithCancel(c.above)
}

// close ends the calls under way and those that come later.
func (c *connection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abort()
}

// connectionKey is where the contexts of a connection's calls have it.
type connectionKey struct{}

func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}

// connections gives each connection of a server its own [connection]. It is a
// stats.Handler, since that is what grpc-go tells of connections.
type connections struct{ server *server }

// TagConn adds the connection to the context of its calls.
func (t connections) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	return context.WithValue(ctx, connectionKey{}, newConnection(t.server.alive))
}

// HandleConn closes a connection that ends.
func (connections) HandleConn(ctx context.Context, s stats.ConnStats) {
	if _, ended := s.(*stats.ConnEnd); ended {
		connectionOf(ctx).close()
	}
}

// TagRPC adds nothing.
func (connections) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC does nothing.
func (connections) HandleRPC(context.Context, stats.RPCStats) {}
