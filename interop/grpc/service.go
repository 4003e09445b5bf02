package grpc

import (
	"context"
	"sync"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
)

const (
	serviceName = "pulumirpc.ResourceProvider"
	service     = "/" + serviceName + "/"
)

// DefaultMaxMessage is the size in bytes of the largest message that may be sent or
// received by default: 400 MiB, as in engines.
const DefaultMaxMessage = 400 << 20

// ServerOptions selects how a provider is served. The zero ServerOptions is ready to
// use.
type ServerOptions struct {
	// MaxMessage is the size in bytes of the largest message that may be sent or
	// received. 0 or less means [DefaultMaxMessage].
	MaxMessage int
	// Panicked is called when a method panicked or ended its goroutine. The stack holds no payload: it has functions, files and
	// lines, without arguments and without the value of the panic.
	Panicked func(method, stack string)
	// Options are further options of grpc-go, such as interceptors.
	Options []google.ServerOption
}

// NewServer returns a server for a provider. Call its method Serve with a listener;
// [Serve] does all of this for a plugin. Other services may be registered on the server.
// If it is used through ServeHTTP, each request counts as a new connection on which there
// was no Handshake and no Configure.
func NewServer(p Provider, o ServerOptions) *google.Server {
	s, _ := newServer(p, o)
	return s
}

func newServer(p Provider, o ServerOptions) (*google.Server, *server) {
	if p == nil {
		panic("grpc: nil provider")
	}

	if o.MaxMessage <= 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	options := append([]google.ServerOption{
		google.ForceServerCodecV2(wireCodec{}),
		google.MaxRecvMsgSize(o.MaxMessage), google.MaxSendMsgSize(o.MaxMessage),
	}, o.Options...)
	s := newRunning(p, o.Panicked)
	options = append(options, google.StatsHandler(connections{s}))
	g := google.NewServer(options...)
	g.RegisterService(describe(), s)
	return g, s
}

func describe() *google.ServiceDesc {
	return &google.ServiceDesc{
		ServiceName: serviceName,
		HandlerType: (*any)(nil),
		Methods:     methods(),
		Streams:     []google.StreamDesc{{StreamName: "List", Handler: list, ServerStreams: true}},
	}
}

// message is a pointer to a struct of package rpc.
type message[T any] interface {
	*T
	rpc.Message
}

// unary returns the description of a method with one request and one response.
func unary[Q, A any, PQ message[Q], PA message[A]](name string, method func(Provider, context.Context, PQ) (PA, error)) google.MethodDesc {
	handler := func(srv any, ctx context.Context, decode func(any) error, intercept google.UnaryServerInterceptor) (any, error) {
		s, _ := srv.(*server) // newServer registers nothing else

		request := PQ(new(Q))
		in := &incoming{message: request}
		if err := decode(in); err != nil {
			return nil, err
		}
		if in.err != nil {
			return nil, unreadable(in.err)
		}

		c := invocation{s, connectionOf(ctx), name, request}
		next := func(ctx context.Context, _ any) (any, error) {
			response, err := run(ctx, c, func(ctx context.Context) (PA, error) {
				return method(s.provider, ctx, request)
			})
			if err == nil && response == nil {
				response = new(A)
			}
			return response, err
		}
		var response any
		var err error
		if intercept == nil {
			response, err = next(ctx, request)
		} else {
			response, err = intercept(ctx, request, &google.UnaryServerInfo{Server: s.provider, FullMethod: service + name}, next)
		}
		if err != nil {
			return nil, err
		}

		if m, ok := response.(rpc.Message); ok {
			return written(m, c.options())
		}
		return response, nil
	}
	return google.MethodDesc{MethodName: name, Handler: handler}
}

func list(srv any, stream google.ServerStream) error {
	s, _ := srv.(*server)
	request := &rpc.ListRequest{}
	in := &incoming{message: request}
	if err := stream.RecvMsg(in); err != nil {
		return err
	}
	if in.err != nil {
		return unreadable(in.err)
	}

	ctx := stream.Context()
	c := invocation{s, connectionOf(ctx), "List", request}
	sender := &parts{stream: stream, options: c.options()}
	defer sender.end()
	_, err := run(ctx, c, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.provider.List(ctx, request, sender.send)
	})
	return err
}

// parts sends the parts of a response to List, until its handler returns.
type parts struct {
	stream  google.ServerStream
	options rpc.Options

	mu    sync.Mutex
	ended bool
}

func (p *parts) send(m *rpc.ListResponse) error {
	part, err := written(m, p.options)
	if err != nil {
		return err
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return context.Canceled
	}
	return p.stream.SendMsg(part)
}

func (p *parts) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

func unreadable(err error) error {
	return status.Error(codes.InvalidArgument, fitting(err.Error()))
}

// written writes a response. If it cannot be written, the provider is at fault.
func written(m rpc.Message, o rpc.Options) (outgoing, error) {
	data, err := rpc.Append(nil, m, o)
	if err != nil {
		return nil, status.Error(codes.Internal, fitting(err.Error()))
	}
	return data, nil
}

type server struct {
	provider Provider
	panicked func(method, stack string)
	alive    context.Context // done when the server ends; parent of every call
	end      context.CancelFunc
	left     chan struct{} // closed when the server no longer waits for methods
}

func newRunning(p Provider, panicked func(method, stack string)) *server {
	s := &server{provider: p, panicked: panicked, left: make(chan struct{})}
	s.alive, s.end = context.WithCancel(context.Background())
	return s
}

type result[R any] struct {
	response R
	err      error
}

type invocation struct {
	server  *server
	from    *connection
	name    string
	request rpc.Message
}

// options are for writing the response.
func (c invocation) options() rpc.Options { return c.from.peer.options(wanted(c.request)) }

// run calls a method of the provider, with a context that Cancel cancels. The method has
// a goroutine of its own, so that neither a panic nor runtime.Goexit goes further, and
// a method that never returns does not block the end of the server.
func run[R any](ctx context.Context, c invocation, method func(context.Context) (R, error)) (R, error) {
	s, name := c.server, c.name
	c.from.peer.heard(c.request)
	c.from.engine.heard(c.request)
	if name == "Cancel" {
		c.from.cancelCalls()
	}

	ctx, cancel := context.WithCancel(protocol.WithEngine(ctx, c.from.engine.log, connectMonitor))
	defer cancel()
	defer context.AfterFunc(c.from.calls(), cancel)()

	results := make(chan result[R], 1)
	go func() {
		var res result[R]
		defer func() { results <- res }()

		returned := false
		defer func() {
			if returned {
				return
			}
			how := " ended its goroutine"
			if recover() != nil {
				how = " panicked"
			}
			res.err = status.Error(codes.Internal, name+how)
			if s.panicked != nil {
				s.panicked(name, stack())
			}
		}()
		res.response, res.err = method(ctx)
		if res.err != nil {
			res.err = sent(res.err, c.options())
		}
		returned = true
	}()
	select {
	case res := <-results:
		return res.response, res.err
	case <-s.left:
		var none R
		return none, status.Error(codes.Unavailable, name+" did not end before the server")
	}
}
