package grpc

import (
	"context"
	"sync"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
)

const (
	serviceName = "pulumirpc.ResourceProvider"
	service     = "/" + serviceName + "/"
)

// DefaultMaxMessage is how large a message may be, in bytes: what engines take and
// send.
const DefaultMaxMessage = 400 << 20

// ServerOptions say how a provider is served. The zero options are ready.
type ServerOptions struct {
	// MaxMessage is the size of the largest message, in bytes; 0:
	// [DefaultMaxMessage].
	MaxMessage int
	// Panicked is called with the name of a method that panicked or ended its
	// goroutine, and where. The stack has no payload in it: it names functions, files
	// and lines, without arguments and without the value of the panic.
	Panicked func(method, stack string)
	// Options are for grpc-go: interceptors, keepalive and the like.
	Options []google.ServerOption
}

// NewServer returns a server of a provider, to be given a listener. Other services
// may be registered on it. [Serve] does the whole of it. By ServeHTTP each request is
// a connection of its own, on which nothing was said before.
func NewServer(p Provider, o ServerOptions) *google.Server {
	s, _ := newServer(p, o)
	return s
}

func newServer(p Provider, o ServerOptions) (*google.Server, *server) {
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

// describe is the service as grpc-go wants it described.
func describe() *google.ServiceDesc {
	return &google.ServiceDesc{
		ServiceName: serviceName,
		HandlerType: (*any)(nil),
		Methods: []google.MethodDesc{
			unary("Handshake", Provider.Handshake),
			unary("Parameterize", Provider.Parameterize),
			unary("GetSchema", Provider.GetSchema),
			unary("CheckConfig", Provider.CheckConfig),
			unary("DiffConfig", Provider.DiffConfig),
			unary("Configure", Provider.Configure),
			unary("Invoke", Provider.Invoke),
			unary("Call", Provider.Call),
			unary("Check", Provider.Check),
			unary("Diff", Provider.Diff),
			unary("Create", Provider.Create),
			unary("Read", Provider.Read),
			unary("Update", Provider.Update),
			unary("Delete", Provider.Delete),
			unary("Construct", Provider.Construct),
			unary("Cancel", Provider.Cancel),
			unary("GetPluginInfo", Provider.GetPluginInfo),
			unary("Attach", Provider.Attach),
			unary("GetMapping", Provider.GetMapping),
			unary("GetMappings", Provider.GetMappings),
		},
		Streams: []google.StreamDesc{{StreamName: "List", Handler: list, ServerStreams: true}},
	}
}

// message is a pointer to a struct of package rpc.
type message[T any] interface {
	*T
	rpc.Message
}

// unary describes a method with one request and one response.
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

// list serves List.
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
	pieces := &pieces{stream: stream, options: c.options()}
	defer pieces.end()
	_, err := run(ctx, c, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.provider.List(ctx, request, pieces.send)
	})
	return err
}

// pieces sends the pieces of an answer of List, until its handler returns.
type pieces struct {
	stream  google.ServerStream
	options rpc.Options

	mu    sync.Mutex
	ended bool
}

func (p *pieces) send(m *rpc.ListResponse) error {
	piece, err := written(m, p.options)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return context.Canceled
	}
	return p.stream.SendMsg(piece)
}

func (p *pieces) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

func unreadable(err error) error {
	return status.Error(codes.InvalidArgument, fitting(err.Error()))
}

// written writes an answer; one that cannot be is the provider's fault.
func written(m rpc.Message, o rpc.Options) (outgoing, error) {
	data, err := rpc.Marshal(m, o)
	if err != nil {
		return nil, status.Error(codes.Internal, fitting(err.Error()))
	}
	return data, nil
}

// server is a provider that is served.
type server struct {
	provider Provider
	panicked func(method, stack string)
	alive    context.Context // done when the server ends, and every call with it
	end      context.CancelFunc
	left     chan struct{} // closed when nothing waits for a method any more
}

func newRunning(p Provider, panicked func(method, stack string)) *server {
	s := &server{provider: p, panicked: panicked, left: make(chan struct{})}
	s.alive, s.end = context.WithCancel(context.Background())
	return s
}

// answer is what a method returned.
type answer[R any] struct {
	response R
	err      error
}

// invocation is one call of a method.
type invocation struct {
	server  *server
	from    *connection
	name    string
	request rpc.Message
}

// options are for writing the response.
func (c invocation) options() rpc.Options { return c.from.peer.options(wanted(c.request)) }

// run calls a method of the provider: with a context that Cancel cancels, and so
// that neither a panic nor an error of ours gets further than it should. The method
// has a goroutine of its own: one that it ends is answered all the same, and one
// that never ends does not keep the server.
func run[R any](ctx context.Context, c invocation, method func(context.Context) (R, error)) (R, error) {
	s, name := c.server, c.name
	c.from.peer.heard(c.request)
	if name == "Cancel" {
		c.from.cancelCalls()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.from.calls(), cancel)()
	answered := make(chan answer[R], 1)
	go func() {
		var a answer[R]
		returned := false
		defer func() { answered <- a }()
		defer func() {
			if returned {
				return
			}
			how := " ended its goroutine"
			if recover() != nil {
				how = " panicked"
			}
			a.err = status.Error(codes.Internal, name+how)
			if s.panicked != nil {
				s.panicked(name, stack())
			}
		}()
		a.response, a.err = method(ctx)
		if a.err != nil {
			a.err = sent(a.err, c.options())
		}
		returned = true
	}()
	select {
	case a := <-answered:
		return a.response, a.err
	case <-s.left:
		var none R
		return none, status.Error(codes.Unavailable, name+" did not end before the server")
	}
}
