package grpc_test

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// Cancel ends what is under way, and nothing that comes later.
func TestCancel(t *testing.T) {
	waiting := make(chan struct{}, 8)
	plugin := served(t, &fake{create: func(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		if r.Name == "quick" {
			return &rpc.CreateResponse{ID: "q"}, ctx.Err()
		}
		waiting <- struct{}{}
		<-ctx.Done()
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
		<-waiting
	}
	if _, err := plugin.Cancel(t.Context(), &rpc.Empty{}); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if _, err := plugin.Create(t.Context(), &rpc.CreateRequest{Name: "quick"}); err != nil {
		t.Errorf("after Cancel: %v", err)
	}
}

// What hangs is given up when the server ends.
func TestServeEndsCalls(t *testing.T) {
	waiting := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	t.Run("call", func(t *testing.T) {
		plugin := served(t, &fake{create: func(ctx context.Context, _ *rpc.CreateRequest) (*rpc.CreateResponse, error) {
			close(waiting)
			<-ctx.Done()
			return nil, ctx.Err()
		}}, grpc.ServeOptions{})
		go func() {
			_, err := plugin.Create(ctx, &rpc.CreateRequest{})
			done <- err
		}()
		<-waiting
	}) // here Serve is told to end, and is waited for
	if err := <-done; err == nil {
		t.Error("the call went on")
	}
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
