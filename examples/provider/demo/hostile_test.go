package demo_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// Records may be as deep as the protocol, and keys as long as they like.
func TestExtremes(t *testing.T) {
	s := configured(t, nil)
	deep := text(canary)
	for range 3000 {
		deep = array(deep)
	}
	labels := object("", text("1"), "*", text("2"), `\`, text("3"), `"`, text("4"), "\x00", text("5"), "a.b[0]", text("6"), "__x", text("7"), strings.Repeat("k", 1<<20), text("8"))
	inputs := s.check(with(full("one"), "extra", deep, "labels", labels))
	old := s.create(inputs).Properties
	r, err := s.Read(t.Context(), &rpc.ReadRequest{URN: recordURN, ID: "one", Properties: old, Inputs: inputs})
	if err != nil || !r.Inputs.Identical(inputs) || !r.Properties.Identical(old) {
		t.Errorf("read something else, %v", err)
	}
	if d := s.diff(r.Inputs, r.Properties, inputs); d.Changes != rpc.DiffNone {
		t.Errorf("%v", d)
	}
	changed := map[string]value.Value{}
	for key := range labels.Keys() {
		changed[key] = text("other")
	}
	if d := s.diff(inputs, old, with(inputs, "labels", value.ObjectFromMap(changed), "extra", array(deep))); d.Changes != rpc.DiffSome || !d.HasDetailedDiff {
		t.Errorf("%v", d)
	}
	for range 1998 { // as deep as a message can be; the store has a level more
		deep = array(deep)
	}
	_, err = s.Create(t.Context(), &rpc.CreateRequest{URN: recordURN + "2", Properties: with(inputs, "name", text("two"), "extra", deep)})
	if err == nil || !strings.Contains(err.Error(), "encode json: inputs.extra") {
		t.Errorf("the deepest: %v", err)
	}
	noSecret(t, err)
}

// No bytes make the provider panic, hang, or tell a secret. They are the same in each
// run: few of them, drawn at random, make of a secret a key outside of it, and keys are
// shown.
func TestGarbage(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(full("one"))
	state := s.create(inputs).Properties
	conn, err := google.NewClient("passthrough:///"+s.Address(), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	seen := map[codes.Code]int{}
	requests := map[string]rpc.Message{
		"Handshake":   &rpc.ProviderHandshakeRequest{AcceptsByteString: true, EngineAddress: "127.0.0.1:1"},
		"CheckConfig": &rpc.CheckRequest{URN: recordURN, News: inputs},
		"DiffConfig":  &rpc.DiffRequest{URN: recordURN, OldInputs: inputs, Olds: inputs, News: state},
		"Check":       &rpc.CheckRequest{URN: recordURN, Olds: inputs, News: state, RandomSeed: rpc.Hide([]byte("seed"))},
		"Diff":        &rpc.DiffRequest{URN: recordURN, OldInputs: inputs, Olds: state, News: with(inputs, "title", text("t")), IgnoreChanges: []string{"labels[*]"}},
		"Create":      &rpc.CreateRequest{URN: recordURN, Properties: inputs, Preview: true},
		"Update":      &rpc.UpdateRequest{URN: recordURN, ID: "one", Olds: state, News: inputs, OldInputs: inputs, Preview: true},
		"Read":        &rpc.ReadRequest{URN: recordURN, ID: "one", Properties: state, Inputs: inputs},
		"Delete":      &rpc.DeleteRequest{URN: recordURN, ID: "none", Properties: state},
		"Invoke":      &rpc.InvokeRequest{Tok: "demo:index:getRecord", Args: object("name", text("one"))},
		"Construct":   &rpc.ConstructRequest{Type: "demo:index:Group", Name: "g", Inputs: object("names", array(text("a")), "password", value.Secret(text(canary)))},
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for _, method := range slices.Sorted(maps.Keys(requests)) {
		data, err := rpc.Append(nil, requests[method], rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			bytes := append([]byte{}, data...)
			for range draw.IntN(4) {
				bytes[draw.IntN(len(bytes))] = byte(draw.Uint32())
			}
			if draw.IntN(4) == 0 {
				bytes = bytes[:draw.IntN(len(bytes))]
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			var answer []byte
			err := conn.Invoke(ctx, "/pulumirpc.ResourceProvider/"+method, &bytes, &answer, google.ForceCodec(raw{}))
			cancel()
			code := status.Code(err)
			seen[code]++
			if code == codes.DeadlineExceeded || (err != nil && (strings.Contains(err.Error(), "panicked") || strings.Contains(err.Error(), canary))) {
				t.Errorf("%s of %q: %v", method, bytes, err)
			}
		}
	}
	if seen[codes.OK] < 50 || seen[codes.InvalidArgument] < 50 {
		t.Errorf("what was drawn is not varied: %v", seen)
	}
}
