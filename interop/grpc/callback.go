package grpc

import (
	"context"
	"sync"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
)

// callback is the engine at the other end of a connection, for the logs of a provider. It
// connects when there is one.
type callback struct {
	mu      sync.Mutex
	address string
	engine  *Engine
}

// heard records the address in a message, if it has one.
func (c *callback) heard(m rpc.Message) {
	address := ""
	switch m := m.(type) {
	case *rpc.ProviderHandshakeRequest:
		address = m.EngineAddress
	case *rpc.PluginAttach:
		address = m.Address
	}
	if address == "" {
		return
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if address != c.address {
		c.address = address
		c.end()
	}
}

// end closes the connection; c.mu is held.
func (c *callback) end() {
	_ = c.engine.Close()
	c.engine = nil
}

func (c *callback) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
}

// log sends a message to the engine. Without an engine it does nothing.
func (c *callback) log(ctx context.Context, r *rpc.LogRequest) error {
	engine, err := c.connected()
	if engine == nil || err != nil {
		return err
	}
	_, err = engine.Log(ctx, r)
	return err
}

func (c *callback) connected() (*Engine, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	if c.engine == nil && c.address != "" {
		c.engine, err = ConnectEngine(c.address)
	}
	return c.engine, err
}

func connectMonitor(address string) (protocol.Monitor, error) {
	m, err := ConnectMonitor(address)
	if err != nil {
		return nil, err
	}
	return m, nil
}
