package main

import (
	"net"
	"strings"
	"sync"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
)

const monitorService = "/pulumirpc.ResourceMonitor/"

// engine is the server whose address providers get. It takes what they log and what their
// components register, and answers all else with nothing; that it is there says that somebody
// waits for the provider.
type engine struct {
	address string
	server  *google.Server

	mu      sync.Mutex
	monitor *monitor // of the component that is made now; nil: there is none
}

func newEngine() (*engine, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return nil, err
	}

	e := &engine{address: l.Addr().String()}
	e.server = google.NewServer(google.ForceServerCodecV2(raw{}), google.MaxRecvMsgSize(mostMessage), google.UnknownServiceHandler(func(_ any, stream google.ServerStream) error {
		method, _ := google.MethodFromServerStream(stream)
		if method == "/grpc.health.v1.Health/Watch" {
			return status.Error(codes.Unimplemented, "not here")
		}
		var request []byte
		if err := stream.RecvMsg(&request); err != nil {
			return err
		}
		answer, err := e.answer(method, request)
		if err != nil {
			return err
		}
		return stream.SendMsg(&answer)
	}))
	go func() { _ = e.server.Serve(l) }()
	return e, nil
}

func (e *engine) answer(method string, request []byte) ([]byte, error) {
	if !strings.HasPrefix(method, monitorService) {
		return nil, nil
	}

	e.mu.Lock()
	m := e.monitor
	e.mu.Unlock()
	if m == nil {
		return nil, status.Error(codes.Unavailable, "no component is made now")
	}
	return m.answer(method, request)
}

// serve makes a monitor the one that components reach.
func (e *engine) serve(m *monitor) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.monitor = m
}

func (e *engine) close() { e.server.Stop() }

// raw is a codec of messages that are read and written elsewhere.
type raw struct{}

// Name returns the name that all of gRPC expects.
func (raw) Name() string { return "proto" }

// Marshal returns the bytes.
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	data, _ := v.(*[]byte)
	return mem.BufferSlice{mem.SliceBuffer(*data)}, nil
}

// Unmarshal copies the bytes.
func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	to, _ := v.(*[]byte)
	*to = data.Materialize()
	return nil
}
