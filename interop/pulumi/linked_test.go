package pulumi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// server is a provider written with the SDK's generated code.
type server struct {
	pulumirpc.UnimplementedResourceProviderServer
	asked *pulumirpc.DiffRequest
}

func (s *server) Diff(_ context.Context, r *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	s.asked = r
	return &pulumirpc.DiffResponse{
		Changes: pulumirpc.DiffResponse_DIFF_SOME, Replaces: []string{"size"},
		DetailedDiff: map[string]*pulumirpc.PropertyDiff{"size": {Kind: pulumirpc.PropertyDiff_UPDATE_REPLACE, InputDiff: true}},
	}, nil
}

func (s *server) Create(context.Context, *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	st, err := status.New(codes.Unknown, "half done").WithDetails(&pulumirpc.ErrorResourceInitFailed{
		Id: "i", Reasons: []string{"no quota"}, Properties: &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewNumberValue(1)}},
	})
	if err != nil {
		return nil, err
	}
	return nil, st.Err()
}

// TestBothLinked: this program links the SDK's generated messages and ours, and a
// client with our messages talks to a server with the SDK's.
func TestBothLinked(t *testing.T) {
	listener := bufconn.Listen(1 << 16)
	s := grpc.NewServer()
	provider := &server{}
	pulumirpc.RegisterResourceProviderServer(s, provider)
	go func() { _ = s.Serve(listener) }()
	defer s.Stop()
	conn, err := grpc.NewClient("passthrough:buffer",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.ForceCodec(rpc.Codec{})))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()

	request := &rpc.DiffRequest{
		ID: "i", URN: "urn:pulumi:s::p::t:m:T::n",
		Olds: value.Object(), News: value.Object(value.Member{Key: "size", Value: value.Secret(value.Number(3))}),
	}
	var answer rpc.DiffResponse
	if err := conn.Invoke(t.Context(), "/pulumirpc.ResourceProvider/Diff", request, &answer); err != nil {
		t.Fatal(err)
	}
	if got := answer.DetailedDiff["size"]; answer.Changes != rpc.DiffSome || got.Kind != rpc.PropertyDiffUpdateReplace || !got.InputDiff || len(answer.Replaces) != 1 {
		t.Errorf("got %v", answer)
	}
	if provider.asked.GetId() != "i" || provider.asked.GetOlds() == nil || provider.asked.GetOldInputs() != nil ||
		provider.asked.GetNews().GetFields()["size"].GetStructValue().GetFields()["value"].GetNumberValue() != 3 {
		t.Errorf("the server got %v", provider.asked)
	}

	err = conn.Invoke(t.Context(), "/pulumirpc.ResourceProvider/Create", &rpc.CreateRequest{}, &rpc.CreateResponse{})
	data, marshalErr := proto.Marshal(status.Convert(err).Proto())
	if marshalErr != nil {
		t.Fatal(marshalErr)
	}
	var failed rpc.ErrorResourceInitFailed
	found, err := rpc.FindDetail(data, &failed, rpc.Options{})
	if err != nil || !found || failed.ID != "i" || !slices.Equal(failed.Reasons, []string{"no quota"}) || !failed.Properties.Equal(value.Object(value.Member{Key: "a", Value: value.Number(1)})) {
		t.Errorf("%v, %v: %v", found, err, failed)
	}
	ours, err := rpc.MarshalStatus(int32(codes.InvalidArgument), "no", []rpc.Message{&rpc.ConfigureErrorMissingKeys{MissingKeys: []rpc.MissingKey{{Name: "k", Description: "d"}}}}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := status.New(codes.OK, "").Proto()
	if proto.Unmarshal(ours, st) != nil {
		t.Fatal("grpc does not read our status")
	}
	details := status.FromProto(st).Details()
	if len(details) != 1 {
		t.Fatal(details)
	}
	if m, ok := details[0].(*pulumirpc.ConfigureErrorMissingKeys); !ok || m.GetMissingKeys()[0].GetName() != "k" {
		t.Errorf("%T %v", details[0], details[0])
	}
}

// TestLoggedCalls: of every call in the logs of a real engine, protojson with the
// SDK's messages and we with ours read the same.
func TestLoggedCalls(t *testing.T) {
	files, err := filepath.Glob("../../../shared/data/grpc-logs/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no logs here")
	}
	types := sdkMessages(t)
	seen := map[string]int{}
	for _, file := range append(files, "../../../shared/data/grpc-diff.jsonl") {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var call struct {
				Method            string
				Request, Response json.RawMessage
				Wildcard          json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
				t.Fatal(err)
			}
			request, response := rpc.NewCall(call.Method)
			if request == nil || string(call.Wildcard) == "true" {
				continue
			}
			for _, side := range []struct {
				text json.RawMessage
				m    rpc.Message
			}{{call.Request, request}, {call.Response, response}} {
				if len(side.text) == 0 || string(side.text) == "null" {
					continue
				}
				name := rpc.Name(side.m)
				theirs := types[name].New().Interface()
				if err := protojson.Unmarshal(side.text, theirs); err != nil {
					t.Errorf("%s: protojson: %v", name, err)
					continue
				}
				if err := rpc.DecodeJSON(side.text, side.m, rpc.Options{}); err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				data, err := rpc.Append(nil, side.m, rpc.Options{})
				again := rpc.New(name) // since text assets get their hash
				if readErr := rpc.Decode(deterministic(t, theirs), again, rpc.Options{}); err != nil || readErr != nil {
					t.Errorf("%s: %v, %v", name, err, readErr)
					continue
				}
				if want, err := rpc.Append(nil, again, rpc.Options{}); err != nil || !bytes.Equal(data, want) {
					t.Errorf("%s: %v\ngot  %x\nwant %x", name, err, data, want)
				}
				seen[name]++
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	t.Log(seen)
	if len(seen) < 10 {
		t.Error("hardly any call was read")
	}
}
