package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

// launch starts a provider without an engine, with a store of its own, and
// configures it. What it writes to its standard error is returned once it has
// ended.
func launch(t *testing.T, program string) (p *grpc.Plugin, end func() string) {
	t.Helper()
	var stderr bytes.Buffer
	ctx := context.Background()
	p, err := grpc.Launch(ctx, program, grpc.LaunchOptions{
		Stderr: &stderr, Env: []string{"DEMO_STORE=" + filepath.Join(t.TempDir(), "store.db")},
	})
	if err != nil {
		t.Fatal(err)
	}
	closing := sync.OnceFunc(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(closing)
	if _, err := p.Handshake(ctx, &rpc.ProviderHandshakeRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Configure(ctx, &rpc.ConfigureRequest{Args: value.Object(), AcceptSecrets: true, AcceptResources: true}); err != nil {
		t.Fatal(err)
	}
	return p, func() string { closing(); return stderr.String() }
}

// rawCodec sends bytes as they are.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error)      { return v.([]byte), nil }
func (rawCodec) Unmarshal(data []byte, v any) error { *v.(*[]byte) = bytes.Clone(data); return nil }
func (rawCodec) Name() string                       { return "proto" }

// TestMalformed sends a request whose properties mean nothing: the error says
// where, and does not say what.
func TestMalformed(t *testing.T) {
	p, _ := launch(t, filepath.Join(bin, "pulumi-resource-demo"))
	conn, err := google.NewClient("passthrough:///"+p.Address(), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	news, err := structpb.NewStruct(map[string]any{"labels": map[string]any{"x": []any{1, map[string]any{signature: "none that there is", "value": "canary"}}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := proto.Marshal(news)
	if err != nil {
		t.Fatal(err)
	}
	const newsField = 4
	request := protowire.AppendBytes(protowire.AppendTag(nil, newsField, protowire.BytesType), data)
	for name, raw := range map[string][]byte{"labels.x[1]": request, "DiffRequest": request[:len(request)-3]} {
		var response []byte
		err = conn.Invoke(context.Background(), "/pulumirpc.ResourceProvider/Diff", raw, &response, google.ForceCodec(rawCodec{}))
		s := status.Convert(err)
		if s.Code() != codes.InvalidArgument || !strings.Contains(s.Message(), name) || strings.Contains(s.Message(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := p.GetPluginInfo(context.Background(), &rpc.Empty{}); err != nil {
		t.Errorf("it does not live on: %v", err)
	}
}

// TestConcurrent makes two hundred lives of records at once, with a provider that
// was built with the race detector.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "pulumi-resource-demo")
	build := exec.Command("go", "build", "-race", "-buildvcs=false", "-o", program, "./pulumi-resource-demo")
	build.Dir = "../examples/provider"
	build.Env = append(build.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, end := launch(t, program)
	const lives = 200
	failures := make([]error, lives)
	var all sync.WaitGroup
	for i := range lives {
		all.Go(func() { failures[i] = live(p, fmt.Sprintf("record%d", i)) })
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Error(err)
	}
	if stderr := end(); strings.Contains(stderr, "DATA RACE") {
		t.Error(stderr)
	}
}

// live checks, creates, compares, updates, reads and deletes one record.
func live(p *grpc.Plugin, name string) error {
	ctx, urn := context.Background(), "urn:pulumi:dev::e2e::demo:index:Record::"+name
	inputs := func(title string) value.Value {
		return value.Object(
			value.Member{Key: "name", Value: value.String(name)}, value.Member{Key: "title", Value: value.String(title)},
			value.Member{Key: "password", Value: value.Secret(value.String("p"))})
	}
	old, err := p.Check(ctx, &rpc.CheckRequest{URN: urn, Name: name, Type: "demo:index:Record", Olds: value.Object(), News: inputs("one")})
	if err != nil {
		return err
	}
	created, err := p.Create(ctx, &rpc.CreateRequest{URN: urn, Name: name, Type: "demo:index:Record", Properties: old.Inputs})
	if err != nil {
		return err
	}
	now, err := p.Check(ctx, &rpc.CheckRequest{URN: urn, Name: name, Type: "demo:index:Record", Olds: old.Inputs, News: inputs("two")})
	if err != nil {
		return err
	}
	answer, err := p.Diff(ctx, &rpc.DiffRequest{ID: created.ID, URN: urn, Name: name, Type: "demo:index:Record", OldInputs: old.Inputs, Olds: created.Properties, News: now.Inputs})
	if err != nil {
		return err
	}
	if len(answer.DetailedDiff) != 1 || answer.DetailedDiff["title"].Kind != rpc.PropertyDiffUpdate {
		return fmt.Errorf("%s: %d entries", name, len(answer.DetailedDiff))
	}
	updated, err := p.Update(ctx, &rpc.UpdateRequest{ID: created.ID, URN: urn, Name: name, Type: "demo:index:Record", OldInputs: old.Inputs, Olds: created.Properties, News: now.Inputs})
	if err != nil {
		return err
	}
	read, err := p.Read(ctx, &rpc.ReadRequest{ID: created.ID, URN: urn, Name: name, Type: "demo:index:Record", Inputs: now.Inputs, Properties: updated.Properties})
	if err != nil {
		return err
	}
	if !read.Inputs.Equal(now.Inputs) || !read.Properties.Equal(updated.Properties) {
		return fmt.Errorf("%s is not read as it was written", name)
	}
	_, err = p.Delete(ctx, &rpc.DeleteRequest{ID: created.ID, URN: urn, Name: name, Type: "demo:index:Record", Properties: updated.Properties})
	return err
}
