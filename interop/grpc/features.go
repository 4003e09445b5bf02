package grpc

import (
	"sync"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

// features is what a peer said that it accepts. Until it has spoken it is taken to
// accept all but outputs, which only single calls ask for.
type features struct {
	mu          sync.Mutex
	handshake   codec.Features
	configure   codec.Features
	shaken, set bool
}

// heard takes in a message that says something; any other it passes over.
func (f *features) heard(m rpc.Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch m := m.(type) {
	case *rpc.ProviderHandshakeRequest:
		f.handshake, f.shaken = m.Features(), true
	case *rpc.ProviderHandshakeResponse:
		f.handshake, f.shaken = m.Features(), true
	case *rpc.ConfigureRequest:
		f.configure, f.set = m.Features(), true
	case *rpc.ConfigureResponse:
		f.configure, f.set = m.Features(), true
	}
}

// options are for writing to the peer; more is what it accepts in one message only.
func (f *features) options(more codec.Features) rpc.Options {
	f.mu.Lock()
	defer f.mu.Unlock()
	said := f.handshake | f.configure | more
	if !f.set {
		said |= codec.AcceptSecrets | codec.AcceptResources
	}
	if !f.set && !f.shaken {
		said |= codec.AcceptByteStrings
	}
	return rpc.Options{Properties: said.Options()}
}

// wanted is what a request accepts in its response, beyond what its sender does
// anyway.
func wanted(request rpc.Message) codec.Features {
	outputs := false
	switch r := request.(type) {
	case *rpc.ConstructRequest:
		outputs = r.AcceptsOutputValues
	case *rpc.CallRequest:
		outputs = r.AcceptsOutputValues
	}
	if outputs {
		return codec.AcceptOutputs
	}
	return 0
}
