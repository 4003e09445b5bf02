package pulumi_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Rows of what users wait for, from bytes to bytes.

// answerRow is a provider's Diff without the network: the bytes of a request with old
// inputs, old state and new inputs, to the bytes of the response. Our side may keep the
// bytes of the request, as with grpc-go, which makes them for one call. The SDK's side is
// its provider server, around a Diff that compares as the SDK does.
func answerRow(b *testing.B) {
	all := requests(b)
	server := plugin.NewProviderServer(&plugin.MockProvider{DiffF: sdkDiff})
	var buf []byte
	ours := func(data []byte) error {
		var request rpc.DiffRequest
		err := rpc.Decode(data, &request, rpc.Options{Properties: codec.Options{OwnBytes: true}})
		if err != nil {
			return err
		}
		response, err := provider.Differ{}.Answer(&request)
		if err == nil {
			buf, err = rpc.Append(buf[:0], response, rpc.Options{})
		}
		return err
	}
	theirs := func(data []byte) error {
		var request pulumirpc.DiffRequest
		if err := proto.Unmarshal(data, &request); err != nil {
			return err
		}
		response, err := server.Diff(context.Background(), &request)
		if err == nil {
			buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], response)
		}
		return err
	}

	// Both say whether there is a change.
	for i, data := range all {
		var changes [2]pulumirpc.DiffResponse_DiffChanges
		for side, answer := range []func([]byte) error{ours, theirs} {
			var response pulumirpc.DiffResponse
			if err := answer(data); err != nil {
				b.Fatalf("request %d: %v", i, err)
			}
			if err := proto.Unmarshal(buf, &response); err != nil {
				b.Fatalf("request %d: %v", i, err)
			}
			changes[side] = response.GetChanges()
		}
		if changes[0] != changes[1] {
			b.Fatalf("request %d: %s, the SDK answers %s", i, changes[0], changes[1])
		}
	}

	bench.Compare(b, bench.Each(bench.Ours, all, ours), bench.Each(classic, all, theirs))
}

// requests are requests for the real changes, as protobuf-go writes them. The old state
// is the old inputs with an ID.
func requests(b *testing.B) [][]byte {
	b.Helper()
	var all [][]byte
	for _, p := range realPairs(b, "oracle-diffs.jsonl") {
		outputs, err := p.old.ours.Put(path.MustParse("id"), value.String("i-0123456789abcdef0"))
		if err != nil {
			b.Fatal(err)
		}
		request := &pulumirpc.DiffRequest{
			Id: "i-0123456789abcdef0", Urn: "urn:pulumi:dev::shop::aws:ec2/instance:Instance::web",
			Name: "web", Type: "aws:ec2/instance:Instance",
		}
		if request.OldInputs, err = codec.ToMessage(p.old.ours, codec.Options{}); err != nil {
			b.Fatal(err)
		}
		if request.Olds, err = codec.ToMessage(outputs, codec.Options{}); err != nil {
			b.Fatal(err)
		}
		if request.News, err = codec.ToMessage(p.now.ours, codec.Options{}); err != nil {
			b.Fatal(err)
		}
		data, err := proto.Marshal(request)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// sdkDiff answers with the differences of the inputs.
func sdkDiff(_ context.Context, request plugin.DiffRequest) (plugin.DiffResponse, error) {
	found := request.OldInputs.Diff(request.NewInputs)
	if found == nil {
		return plugin.DiffResult{Changes: plugin.DiffNone}, nil
	}
	return plugin.DiffResult{
		Changes: plugin.DiffSome, ChangedKeys: found.ChangedKeys(),
		DetailedDiff: plugin.NewDetailedDiffFromObjectDiff(found, true),
	}, nil
}

// stackMegabytes is the size of each state file that the row "stacks" compares.
const stackMegabytes = 16

// stacksRow compares two state files, in the second of which every tenth resource has an
// edit: what is in both resources of a pair, where something is. The SDK's side is what
// its module has of that; the engine also looks for secrets, which is not in that module.
func stacksRow(b *testing.B) {
	bags := bench.Bags(stackBags)
	edited := bench.Edited(bags)
	for i := range edited {
		if i%10 > 0 {
			edited[i] = bags[i]
		}
	}
	many := resourcesIn(b, stackMegabytes, bags)
	old, now := stackOf(b, many, bags), stackOf(b, many, edited)

	ours := func() (changed int, err error) {
		c, err := state.Compare(bytes.NewReader(old), bytes.NewReader(now), state.CompareOptions{})
		if err != nil {
			return 0, err
		}
		for d, err := range c.Resources() {
			if err != nil {
				return 0, err
			}
			if d.Outcome != state.Unchanged {
				changed++
			}
		}
		return changed, nil
	}
	theirs := func() (changed int, err error) {
		olds, err := sdkResources(old)
		if err != nil {
			return 0, err
		}
		news, err := sdkResources(now)
		if err != nil {
			return 0, err
		}
		byURN := make(map[resource.URN]apitype.ResourceV3, len(olds))
		for _, r := range olds {
			byURN[r.URN] = r
		}
		for _, r := range news {
			before, ok := byURN[r.URN]
			if !ok || differ(before.Inputs, r.Inputs) || differ(before.Outputs, r.Outputs) {
				changed++
			}
		}
		return changed, nil
	}

	// Both find the same number of changed resources.
	want, err := ours()
	if err != nil {
		b.Fatal(err)
	}
	if found, err := theirs(); err != nil || found != want || want < many/11 {
		b.Fatalf("%d of %d resources changed, the SDK finds %d; %v", want, many, found, err)
	}

	sides := []bench.Side{{Name: bench.Ours}, {Name: classic}}
	for i, work := range []func() (int, error){ours, theirs} {
		sides[i].Do = func() error {
			changed, err := work()
			if err != nil {
				return err
			}
			return bench.Must(changed == want)
		}
	}
	bench.Compare(b, sides...)
}

// differ makes the SDK's values of the properties, and diffs them.
func differ(old, now map[string]any) bool {
	return resource.NewPropertyMapFromMap(old).Diff(resource.NewPropertyMapFromMap(now)) != nil
}

// sidesRow is the part of a Diff that does not depend on the protocol's messages: the bytes
// of old and new inputs to the answer.
func sidesRow(b *testing.B) {
	type sides struct{ old, now []byte }
	var all []sides
	for _, p := range realPairs(b, "oracle-diffs.jsonl") {
		all = append(all, sides{marshalled(b, p.old.ours), marshalled(b, p.now.ours)})
	}
	given := codec.Options{OwnBytes: true}
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(s sides) error {
			old, err := codec.Decode(s.old, given)
			if err != nil {
				return err
			}
			now, err := codec.Decode(s.now, given)
			if err != nil {
				return err
			}
			r := provider.Differ{}.Compare(provider.Sides{OldInputs: old, News: now}).Response()
			return bench.Must(r.HasDetailed)
		}),
		bench.Each(classic, all, func(s sides) error {
			old, err := sdkDecode(s.old)
			if err != nil {
				return err
			}
			now, err := sdkDecode(s.now)
			if err != nil {
				return err
			}
			if found := old.Diff(now); found != nil {
				return bench.Must(plugin.NewDetailedDiffFromObjectDiff(found, true) != nil)
			}
			return nil
		}))
}
