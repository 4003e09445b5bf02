package grpc

import (
	"context"
	"runtime/debug"
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
	// Panicked is told of a method that panicked, and where. The stack has no
	// payload in it: the value of the panic is left out.
	Panicked func(method, stack string)
	// Options are for grpc-go: interceptors, keepalive and the like.
	Options []google.ServerOption
}

// NewServer returns a server of a provider, to be given a listener. Other services
// may be registered on it. [Serve] does the whole of it.
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
	s := &server{provider: p, panicked: o.Panicked}
	s.renew()
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
		next := func(ctx context.Context, _ any) (any, error) {
			var response PA
			err := s.run(ctx, name, request, func(ctx context.Context) (err error) {
				response, err = method(s.provider, ctx, request)
				return err
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
			return written(m, s.peer.wire(wanted(request)))
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
	return s.run(stream.Context(), "List", request, func(ctx context.Context) error {
		return s.provider.List(ctx, request, func(m *rpc.ListResponse) error {
			piece, err := written(m, s.peer.wire(0))
			if err != nil {
				return err
			}
			return stream.SendMsg(piece)
		})
	})
}

func unreadable(err error) error {
	return status.Error(codes.InvalidArgument, fitting(err.Error()))
}

// written writes an answer; one that cannot be is the provider's fault.
func written(m rpc.Message, w rpc.Wire) (outgoing, error) {
	data, err := w.Marshal(m)
	if err != nil {
		return nil, status.Error(codes.Internal, fitting(err.Error()))
	}
	return data, nil
}

// server is a provider and what is known of the engine that calls it.
type server struct {
	provider Provider
	panicked func(method, stack string)
	peer     features

	mu    sync.Mutex
	alive context.Context // of the calls under way; done when they are to end
	abort context.CancelFunc
}

// renew ends the calls under way. Those that come later run.
func (s *server) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.abort != nil {
		s.abort()
	}
	s.alive, s.abort = context.WithCancel(context.Background())
}

// run calls a method of the provider: with a context that Cancel cancels, and so
// that neither a panic nor an error of ours gets further than it should.
func (s *server) run(ctx context.Context, name string, request rpc.Message, call func(context.Context) error) (err error) {
	s.peer.heard(request)
	if name == "Cancel" {
		s.renew()
	}
	s.mu.Lock()
	alive := s.alive
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(alive, cancel)()
	defer func() {
		if recover() == nil {
			return
		}
		err = status.Error(codes.Internal, name+" panicked")
		if s.panicked != nil {
			s.panicked(name, string(debug.Stack()))
		}
	}()
	if err := call(ctx); err != nil {
		return sent(err, s.peer.wire(wanted(request)))
	}
	return nil
}
