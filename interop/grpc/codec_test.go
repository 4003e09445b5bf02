package grpc_test

import (
	"bytes"
	"context"
	"net"
	"sync"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// keeper is a codec of grpc-go's version 1 that keeps the bytes that it is given, as
// rpc.Codec does, and a copy of them.
type keeper struct {
	rpc.Codec

	mu            *sync.Mutex
	given, copies *[][]byte
}

func (k keeper) Unmarshal(data []byte, v any) error {
	k.mu.Lock()
	*k.given, *k.copies = append(*k.given, data), append(*k.copies, bytes.Clone(data))
	k.mu.Unlock()

	return k.Codec.Unmarshal(data, v)
}

// TestBytesOfCodecs checks what rpc.Codec relies on: grpc-go makes the bytes that a codec
// of version 1 reads for that call alone, and does not use them again. (Source:
// codecV0Bridge.Unmarshal in grpc-go's codec.go, by mem.BufferSlice.Materialize.)
func TestBytesOfCodecs(t *testing.T) {
	k := keeper{mu: new(sync.Mutex), given: new([][]byte), copies: new([][]byte)}
	listener := bufconn.Listen(1 << 20)
	server := google.NewServer(google.ForceServerCodec(k))
	server.RegisterService(&google.ServiceDesc{
		ServiceName: "test", HandlerType: (*any)(nil),
		Methods: []google.MethodDesc{{MethodName: "Check", Handler: func(_ any, _ context.Context, read func(any) error, _ google.UnaryServerInterceptor) (any, error) {
			m := new(rpc.CheckRequest)
			err := read(m)

			return &rpc.CheckResponse{Inputs: m.News}, err
		}}},
	}, nil)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()

	conn, err := google.NewClient("passthrough:test", google.WithTransportCredentials(insecure.NewCredentials()),
		google.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()

	const calls = 200
	answers := make([]rpc.CheckResponse, calls)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := worker; i < calls; i += 4 {
				request := &rpc.CheckRequest{News: object(text("k"), text(longText(i)))}
				if err := conn.Invoke(t.Context(), "/test/Check", request, &answers[i], google.ForceCodec(k)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()

	if len(*k.given) != 2*calls {
		t.Fatalf("%d messages were read", len(*k.given))
	}
	for i, data := range *k.given {
		if !overwrites && !bytes.Equal(data, (*k.copies)[i]) {
			t.Fatalf("the bytes of message %d were used again", i)
		}
	}
	for i := range answers {
		if s, _ := answers[i].Inputs.Field("k").AsString(); s != longText(i) {
			t.Fatalf("answer %d has another text", i)
		}
	}
}

// TestTextsStay checks that the texts of messages stay what they are when others follow.
func TestTextsStay(t *testing.T) {
	const calls = 200
	requests := make(chan value.Value, calls)
	plugin := served(t, &fake{create: func(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
		requests <- r.Properties

		return &rpc.CreateResponse{ID: "i", Properties: r.Properties}, nil
	}}, grpc.ServeOptions{})

	answers := make([]value.Value, calls)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := worker; i < calls; i += 4 {
				r, err := plugin.Create(t.Context(), &rpc.CreateRequest{Properties: object(text("k"), text(longText(i)))})
				if err != nil {
					t.Error(err)

					return
				}
				answers[i] = r.Properties
			}
		})
	}
	all.Wait()
	close(requests)

	want := map[string]int{}
	for i, answer := range answers {
		want[longText(i)]++
		if s, _ := answer.Field("k").AsString(); s != longText(i) {
			t.Fatalf("answer %d has another text", i)
		}
	}
	for request := range requests {
		s, _ := request.Field("k").AsString()
		if want[s]--; want[s] < 0 {
			t.Fatal("a request has another text")
		}
	}
}

// longText has sizes of several of grpc-go's pools of buffers.
func longText(i int) string { return string(bytes.Repeat([]byte{byte('a' + i%26)}, 1<<(i%17))) }
