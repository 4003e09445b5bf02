package grpc

import (
	"sync"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

// features is what a peer accepts, as it has reported. Before its first report that is
// everything but outputs, which only single calls ask for.
type features struct {
	mu          sync.Mutex
	handshake   codec.Features
	configure   codec.Features
	shaken, set bool // whether handshake and configure are known
}

// heard records what a message reports, if it does.
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

// options returns those for writing to the peer, which accepts more in this message.
func (f *features) options(more codec.Features) rpc.Options {
	f.mu.Lock()
	defer f.mu.Unlock()

	accepted := f.handshake | f.configure | more
	if !f.set {
		accepted |= codec.AcceptSecrets | codec.AcceptResources
	}
	if !f.set && !f.shaken {
		accepted |= codec.AcceptByteStrings
	}
	return rpc.Options{Properties: accepted.Options()}
}

// wanted returns what a request accepts in its response, in addition to what its sender
// always accepts.
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
