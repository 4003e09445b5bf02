package grpc

import (
	"context"
	"errors"
	"io"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/propalg/propalg/codec/rpc"
)

// Client is a [Provider] that calls another one over a connection. It writes requests
// according to what the provider accepts, as reported by its responses to Handshake and
// Configure. Errors are [*Error], with the detail that was received. A Client may be
// used by several goroutines. The zero Client has no connection, so its calls fail.
type Client struct {
	conn google.ClientConnInterface
	peer features
}

// NewClient returns a client on a connection. The connection's own codec is not used.
// Its limits on the size of messages apply: [Connect] and [Launch] set those of the
// protocol.
func NewClient(conn google.ClientConnInterface) *Client {
	return &Client{conn: conn}
}

// dial returns a local connection to an address, which its first call establishes.
func dial(address string, maxMessage int, more ...google.DialOption) (*google.ClientConn, error) {
	if maxMessage <= 0 {
		maxMessage = DefaultMaxMessage
	}

	options := append([]google.DialOption{
		google.WithTransportCredentials(insecure.NewCredentials()),
		google.WithDefaultCallOptions(google.MaxCallRecvMsgSize(maxMessage), google.MaxCallSendMsgSize(maxMessage)),
	}, more...)
	return google.NewClient("passthrough:///"+address, options...)
}

// notNil panics if a context is nil. Package documentation promises it.
func notNil(ctx context.Context) {
	if ctx == nil {
		panic("grpc: nil context")
	}
}

func invoke[A any, PA message[A]](ctx context.Context, conn google.ClientConnInterface, method string, request rpc.Message, o rpc.Options) (PA, error) {
	notNil(ctx)
	if conn == nil {
		return nil, unconnected(method)
	}

	data, err := rpc.Append(nil, request, o)
	if err != nil {
		return nil, &Error{Method: method, Code: codes.InvalidArgument, Text: err.Error(), err: err}
	}
	response := PA(new(A))
	in := &incoming{message: response}
	if err := conn.Invoke(ctx, method, outgoing(data), in, google.ForceCodecV2(wireCodec{})); err != nil {
		return nil, received(method, err)
	}
	if in.err != nil {
		return nil, &Error{Method: method, Code: codes.Internal, Text: in.err.Error(), err: in.err}
	}
	return response, nil
}

func unconnected(method string) error {
	return &Error{Method: method, Code: codes.Unavailable, Text: "no connection"}
}

func call[A any, PA message[A]](ctx context.Context, c *Client, name string, request rpc.Message) (PA, error) {
	notNil(ctx)
	if c == nil {
		return nil, unconnected(service + name)
	}

	response, err := invoke[A, PA](ctx, c.conn, service+name, request, c.peer.options(0))
	if err == nil {
		c.peer.heard(response)
	}
	return response, err
}

// List calls List of the provider, and passes each part of the response to send. An error
// of send ends the call and is returned unchanged. List panics if send is nil.
func (c *Client) List(ctx context.Context, r *rpc.ListRequest, send func(*rpc.ListResponse) error) error {
	const method = service + "List"
	notNil(ctx)
	if send == nil {
		panic("grpc: nil send")
	}
	if c == nil || c.conn == nil {
		return unconnected(method)
	}
	data, err := rpc.Append(nil, r, c.peer.options(0))
	if err != nil {
		return &Error{Method: method, Code: codes.InvalidArgument, Text: err.Error(), err: err}
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	stream, err := c.conn.NewStream(ctx, &google.StreamDesc{StreamName: "List", ServerStreams: true}, method, google.ForceCodecV2(wireCodec{}))
	if err != nil {
		return received(method, err)
	}

	err = stream.SendMsg(outgoing(data))
	if err == nil {
		err = stream.CloseSend()
	}
	if err != nil && !errors.Is(err, io.EOF) { // the cause of io.EOF is yet to be received
		return received(method, err)
	}
	for {
		part := &rpc.ListResponse{}
		in := &incoming{message: part}
		err := stream.RecvMsg(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return received(method, err)
		case in.err != nil:
			return &Error{Method: method, Code: codes.Internal, Text: in.err.Error(), err: in.err}
		}
		if err := send(part); err != nil {
			return err
		}
	}
}
