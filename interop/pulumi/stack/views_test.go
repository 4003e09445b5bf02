package stack_test

import (
	"context"
	"fmt"
	"net"
	"testing"

	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	google "google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/test/messages"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// statusServer is a service with the SDK's generated code.
type statusServer struct {
	pulumirpc.UnimplementedResourceStatusServer
	got *pulumirpc.PublishViewStepsRequest
}

func (s *statusServer) PublishViewSteps(_ context.Context, r *pulumirpc.PublishViewStepsRequest) (*pulumirpc.PublishViewStepsResponse, error) {
	s.got = r
	return &pulumirpc.PublishViewStepsResponse{}, nil
}

// TestPublishedSteps publishes steps by interop/grpc, and finds them in a server of the SDK.
func TestPublishedSteps(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	service, server := &statusServer{}, google.NewServer()
	pulumirpc.RegisterResourceStatusServer(server, service)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	engine, err := grpc.ConnectResourceStatus(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()

	rapid.Check(t, func(rt *rapid.T) {
		want := &pulumirpc.PublishViewStepsRequest{}
		messages.Fill(rt, want.ProtoReflect(), false)
		data, err := proto.Marshal(want)
		if err != nil {
			rt.Fatal(err)
		}
		var request rpc.PublishViewStepsRequest
		if err := rpc.Decode(data, &request, rpc.Options{}); err != nil {
			rt.Fatal(err)
		}
		if _, err := engine.PublishViewSteps(t.Context(), &request); err != nil || !proto.Equal(service.got, want) {
			rt.Fatalf("%v\ngot  %v\nwant %v", err, service.got, want)
		}
	})
}

const viewURN = "urn:pulumi:test::test::pkg:index:Thing$pkg:index:View::v"

// viewOf is a view of the resource with an input and an output.
func viewOf(n float64) *rpc.View {
	return &rpc.View{
		Type: "pkg:index:View", Name: "v",
		Inputs: value.Object(value.Field("n", value.Secret(value.Number(n)))), Outputs: value.Object(value.Field("out", value.Number(n))),
	}
}

// publish publishes a step to an engine.
func publish(address, token string, step rpc.ViewStep) error {
	engine, err := grpc.ConnectResourceStatus(address)
	if err != nil {
		return err
	}
	defer engine.Close()
	_, err = engine.PublishViewSteps(context.Background(), &rpc.PublishViewStepsRequest{Token: rpc.Hide(token), Steps: []rpc.ViewStep{step}})
	return err
}

// viewer is a provider whose resource has a view.
func viewer() deploytest.Provider {
	return deploytest.Provider{
		CreateF: func(_ context.Context, r plugin.CreateRequest) (plugin.CreateResponse, error) {
			err := publish(r.ResourceStatusAddress, r.ResourceStatusToken, rpc.ViewStep{Op: rpc.ViewOpCreate, New: viewOf(r.Properties["n"].NumberValue())})
			return plugin.CreateResponse{ID: "id", Properties: r.Properties}, err
		},
		DiffF: func(_ context.Context, r plugin.DiffRequest) (plugin.DiffResult, error) {
			if r.OldInputs.DeepEquals(r.NewInputs) {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome}, nil
		},
		UpdateF: func(_ context.Context, r plugin.UpdateRequest) (plugin.UpdateResponse, error) {
			step := rpc.ViewStep{
				Op: rpc.ViewOpUpdate, Old: viewOf(r.OldInputs["n"].NumberValue()), New: viewOf(r.NewInputs["n"].NumberValue()), Diffs: []string{"n", "m"},
				DetailedDiff: []rpc.PathDiff{
					{Path: "n", Diff: rpc.PropertyDiff{Kind: rpc.PropertyDiffAdd}},
					{Path: "m", Diff: rpc.PropertyDiff{Kind: rpc.PropertyDiffDelete}},
					{Path: "n", Diff: rpc.PropertyDiff{Kind: rpc.PropertyDiffUpdate, InputDiff: true}},
				},
				HasDetailedDiff: true,
			}
			if r.NewInputs["n"].NumberValue() == 3 {
				step.Status, step.Error = rpc.ViewStatusPartialFailure, "no room"
			}
			return plugin.UpdateResponse{Properties: r.NewInputs}, publish(r.ResourceStatusAddress, r.ResourceStatusToken, step)
		},
		DeleteF: func(_ context.Context, r plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			if len(r.OldViews) != 1 || r.OldViews[0].Name != "v" {
				return plugin.DeleteResponse{}, fmt.Errorf("views are %v", r.OldViews)
			}
			return plugin.DeleteResponse{}, publish(r.ResourceStatusAddress, r.ResourceStatusToken, rpc.ViewStep{Op: rpc.ViewOpDelete, Old: viewOf(r.Inputs["n"].NumberValue())})
		},
	}
}

// TestViewsOfTheEngine publishes steps to Pulumi's engine, which does what they say.
func TestViewsOfTheEngine(t *testing.T) {
	r := &inProcess{t: t, provider: viewer()}
	var before *deploy.Snapshot
	for _, row := range []struct {
		n    float64 // 0 if the resource is gone
		want string  // the operations on the view, its state after them, and the error
	}{
		{1, "[create[] map[]] [map[n:{&{{1}}}] map[out:{1}]] <nil>"},
		{1, "[same[] map[]] [map[n:{&{{1}}}] map[out:{1}]] <nil>"},
		{2, "[update[n m] map[m:{delete false} n:{update true}]] [map[n:{&{{2}}}] map[out:{2}]] <nil>"},
		{3, "[update[n m] map[m:{delete false} n:{update true}]] [map[n:{&{{2}}}] map[out:{3}]] BAIL: step executor errored: step application failed: no room"},
		{0, "[delete[] map[]] [] <nil>"},
	} {
		did := r.run(pulumiengine.Update, before, false, func(monitor *deploytest.ResourceMonitor) error {
			if row.n == 0 {
				return nil
			}
			return registers(deploytest.ResourceOptions{Inputs: resource.PropertyMap{"n": resource.NewProperty(row.n)}})(monitor)
		})
		var ops, states []string
		for _, s := range did.steps {
			if string(s.URN) == viewURN {
				ops = append(ops, fmt.Sprint(s.Op, s.Diffs, s.DetailedDiff))
			}
		}
		for _, s := range did.snapshot.Resources {
			if s.ViewOf == thingURN && string(s.URN) == viewURN {
				states = append(states, fmt.Sprint(s.Inputs, s.Outputs))
			}
		}
		if got := fmt.Sprint(ops, states, did.err); got != row.want {
			t.Errorf("%v:\ngot  %s\nwant %s", row.n, got, row.want)
		}
		before = did.snapshot
	}
}
