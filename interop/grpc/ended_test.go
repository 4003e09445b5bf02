package grpc_test

import (
	"bufio"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
)

// soon is longer than what has to happen ever takes, on a machine under load too.
const soon = 30 * time.Second

// A method that ends its goroutine, as a test's FailNow does, is answered.
func TestMethodEndsItsGoroutine(t *testing.T) {
	ended := make(chan string, 1)
	plugin := served(t, &fake{create: func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		runtime.Goexit()
		return nil, nil
	}}, grpc.ServeOptions{Server: grpc.ServerOptions{Panicked: func(method, _ string) {
		ended <- method
		runtime.Goexit()
	}}})
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	_, err := plugin.Create(ctx, &rpc.CreateRequest{})
	if err == nil || err.Error() != "grpc: Create: Internal: Create ended its goroutine" {
		t.Fatal(err)
	}
	if method := <-ended; method != "Create" {
		t.Errorf("reported of %q", method)
	}
}

// stuck has methods that begin and never end, whatever their contexts say.
type stuck struct {
	grpc.Unimplemented
	begun chan struct{}
}

func (p *stuck) Create(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	p.begun <- struct{}{}
	select {}
}

func (p *stuck) List(_ context.Context, _ *rpc.ListRequest, send func(*rpc.ListResponse) error) error {
	p.begun <- struct{}{}
	for send(&rpc.ListResponse{Result: &rpc.ListResult{ID: "i"}}) == nil {
		time.Sleep(time.Millisecond)
	}
	select {}
}

// Serve returns while methods go on for ever: it waits for the grace and a second
// in all, by a clock of the test that strikes at once.
func TestServeLeavesWhatHangs(t *testing.T) {
	interceptor := func(ctx context.Context, q any, _ *google.UnaryServerInfo, next google.UnaryHandler) (any, error) {
		_, _ = next(ctx, q)
		select {}
	}
	for name, options := range map[string][]google.ServerOption{
		"a method":                      nil,
		"a method that Stop waits for":  {google.WaitForHandlers(true)},
		"a method of a pool":            {google.NumStreamWorkers(2)},
		"an interceptor":                {google.UnaryInterceptor(interceptor)},
		"an interceptor, and Stop does": {google.UnaryInterceptor(interceptor), google.WaitForHandlers(true)},
	} {
		var waited time.Duration
		strikes := make(chan time.Time)
		close(strikes)
		clock := func(d time.Duration) <-chan time.Time {
			waited += d
			return strikes
		}
		p := &stuck{begun: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		out, in := io.Pipe()
		returned := make(chan error, 1)
		go func() {
			o := grpc.ServeOptions{Out: in, Server: grpc.ServerOptions{Options: options}}
			returned <- grpc.ServeBy(ctx, p, o, clock)
		}()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		plugin, err := grpc.Connect("127.0.0.1:" + strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		answers := make(chan error, 2)
		go func() {
			_, err := plugin.Create(context.Background(), &rpc.CreateRequest{})
			answers <- err
		}()
		go func() {
			answers <- plugin.List(context.Background(), &rpc.ListRequest{}, func(*rpc.ListResponse) error { return nil })
		}()
		<-p.begun
		<-p.begun
		cancel()
		select {
		case err := <-returned:
			if err != nil || waited > 6*time.Second {
				t.Errorf("%s: returned %v, after waiting for %v", name, err, waited)
			}
		case <-time.After(soon):
			t.Fatalf("%s: Serve does not return", name)
		}
		for range 2 {
			if err := <-answers; status.Code(err) != codes.Unavailable {
				t.Errorf("%s: the caller gets %v", name, err)
			}
		}
		_ = plugin.Close()
	}
}
