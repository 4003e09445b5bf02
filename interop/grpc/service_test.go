package grpc_test

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// Cancel ends what is under way, and nothing that comes later.
func TestCancel(t *testing.T) {
	begun, returned, answered := make(chan struct{}, 8), make(chan struct{}), make(chan struct{})
	plugin := served(t, &fake{create: func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		switch r.Name {
		case "quick":
			return &rpc.CreateResponse{ID: "q"}, ctx.Err()
		case "later":
			begun <- struct{}{}
			select {
			case <-ctx.Done():
			case <-answered:
			}
			return &rpc.CreateResponse{ID: "l"}, ctx.Err()
		}
		begun <- struct{}{}
		<-ctx.Done()
		<-returned // Cancel does not wait for its calls
		return nil, ctx.Err()
	}}, grpc.ServeOptions{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, err := plugin.Create(context.Background(), &rpc.CreateRequest{})
			isError(t, "Create", err, context.Canceled)
		})
	}
	for range 4 {
		<-begun
	}
	if _, err := plugin.Cancel(t.Context(), &rpc.Empty{}); err != nil {
		t.Error(err)
	}
	close(returned)
	wg.Wait()
	wg.Go(func() {
		if _, err := plugin.Create(t.Context(), &rpc.CreateRequest{Name: "later"}); err != nil {
			t.Errorf("begun after Cancel: %v", err)
		}
	})
	<-begun
	for range 50 { // a context that Cancel ends would end meanwhile
		if _, err := plugin.Create(t.Context(), &rpc.CreateRequest{Name: "quick"}); err != nil {
			t.Errorf("after Cancel: %v", err)
		}
	}
	close(answered)
	wg.Wait()
}

func TestConcurrentCalls(t *testing.T) {
	plugin := served(t, &fake{create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		return &rpc.CreateResponse{ID: r.Name, Properties: r.Properties}, nil
	}}, grpc.ServeOptions{})
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			name := strconv.Itoa(i)
			props := object(text("n"), value.Number(float64(i)))
			r, err := plugin.Create(t.Context(), &rpc.CreateRequest{Name: name, Properties: props})
			if err != nil || r.ID != name || !r.Properties.Identical(props) {
				t.Errorf("%s: %v %v", name, r, err)
			}
			if i%50 == 0 {
				_, err = plugin.Handshake(t.Context(), &rpc.ProviderHandshakeRequest{AcceptsByteString: true})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

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
