package main

import (
	"net"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// engine is the server whose address providers get. It takes what they log, and answers
// all else with nothing; that it is there says that somebody waits for the provider.
type engine struct {
	address string
	server  *google.Server
}

func newEngine() (*engine, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return nil, err
	}

	s := google.NewServer(google.ForceServerCodecV2(empty{}), google.UnknownServiceHandler(func(_ any, stream google.ServerStream) error {
		if method, _ := google.MethodFromServerStream(stream); method == "/grpc.health.v1.Health/Watch" {
			return status.Error(codes.Unimplemented, "not here")
		}
		if err := stream.RecvMsg(nil); err != nil {
			return err
		}
		return stream.SendMsg(nil)
	}))
	go func() { _ = s.Serve(l) }()
	return &engine{l.Addr().String(), s}, nil
}

func (e *engine) close() { e.server.Stop() }
