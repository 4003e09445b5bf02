package pulumi_test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi-internal/rpcdebug"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// things is a provider as one writes it with the SDK. It does what is right, but
// for the types that are called by a mistake.
type things struct{ plugin.UnimplementedProvider }

func (*things) Check(_ context.Context, r plugin.CheckRequest) (plugin.CheckResponse, error) {
	if r.Type == "demo:index:Unknown" {
		r.News["made"] = resource.MakeComputed(resource.NewProperty(""))
	}
	return plugin.CheckResponse{Properties: r.News}, nil
}

func (*things) Diff(_ context.Context, r plugin.DiffRequest) (plugin.DiffResponse, error) {
	d := r.OldInputs.Diff(r.NewInputs)
	result := plugin.DiffResult{Changes: plugin.DiffNone}
	if d.AnyChanges() {
		result.Changes, result.ChangedKeys = plugin.DiffSome, d.ChangedKeys()
	}
	switch r.Type {
	case "demo:index:Detailed": // what the server makes of it engines throw away
		result.DetailedDiff = map[string]plugin.PropertyDiff{"size": {Kind: plugin.DiffUpdate, InputDiff: true}}
	case "demo:index:Silent":
		result = plugin.DiffResult{Changes: plugin.DiffNone}
	case "demo:index:Replaced":
		result.Changes, result.ReplaceKeys = plugin.DiffNone, result.ChangedKeys
	}
	return result, nil
}

func (*things) Create(_ context.Context, r plugin.CreateRequest) (plugin.CreateResponse, error) {
	return plugin.CreateResponse{ID: "i-1", Properties: r.Properties}, nil
}

func (*things) Read(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
	return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: r.ID, Inputs: r.Inputs, Outputs: r.State}}, nil
}

func (*things) Update(_ context.Context, r plugin.UpdateRequest) (plugin.UpdateResponse, error) {
	out := r.NewInputs.Copy()
	if r.Type == "demo:index:Moved" {
		out["id"] = resource.NewProperty("i-2")
	}
	return plugin.UpdateResponse{Properties: out}, nil
}

func (*things) Delete(context.Context, plugin.DeleteRequest) (plugin.DeleteResponse, error) {
	return plugin.DeleteResponse{}, nil
}

// loggedLife makes, changes, refreshes and deletes a resource of each type, as an
// engine would, and returns the logs that the SDK writes of the calls: that of the
// side that calls, as an engine does, and that of the provider.
func loggedLife(t *testing.T, types ...string) (names [2]string) {
	t.Helper()
	var logs [2]*rpcdebug.DebugInterceptor
	for i, name := range []string{"engine.json", "provider.json"} {
		names[i] = filepath.Join(t.TempDir(), name)
		var err error
		if logs[i], err = rpcdebug.NewDebugInterceptor(rpcdebug.DebugInterceptorOptions{LogFile: names[i]}); err != nil {
			t.Fatal(err)
		}
	}
	wire := bufconn.Listen(1 << 20)
	server := grpc.NewServer(logs[1].ServerOptions(rpcdebug.LogOptions{})...)
	pulumirpc.RegisterResourceProviderServer(server, plugin.NewProviderServer(&things{}))
	go func() { _ = server.Serve(wire) }()
	t.Cleanup(server.Stop)
	options := append(logs[0].DialOptions(rpcdebug.LogOptions{}),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return wire.Dial() }))
	conn, err := grpc.NewClient("passthrough:provider", options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	client, ctx := pulumirpc.NewResourceProviderClient(conn), context.Background()
	bag := func(size float64) *structpb.Struct {
		s, err := structpb.NewStruct(map[string]any{
			"size": size, "tags": map[string]any{"env": "dev"},
			"password": map[string]any{resource.SigKey: resource.SecretSig, "value": loggedSecret},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	must := func(_ any, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, typ := range types {
		urn := "urn:pulumi:dev::demo::" + typ + "::one"
		must(client.Check(ctx, &pulumirpc.CheckRequest{Urn: urn, News: bag(1)}))
		must(client.Create(ctx, &pulumirpc.CreateRequest{Urn: urn, Properties: bag(1)}))
		must(client.Check(ctx, &pulumirpc.CheckRequest{Urn: urn, Olds: bag(1), News: bag(2)}))
		must(client.Diff(ctx, &pulumirpc.DiffRequest{Urn: urn, Id: "i-1", Olds: bag(1), OldInputs: bag(1), News: bag(2)}))
		must(client.Update(ctx, &pulumirpc.UpdateRequest{Urn: urn, Id: "i-1", Olds: bag(1), OldInputs: bag(1), News: bag(2)}))
		must(client.Read(ctx, &pulumirpc.ReadRequest{Urn: urn, Id: "i-1", Properties: bag(2), Inputs: bag(2)}))
		must(client.Delete(ctx, &pulumirpc.DeleteRequest{Urn: urn, Id: "i-1", Properties: bag(2), OldInputs: bag(2)}))
	}
	return names
}

const loggedSecret = "correct horse"

// propalgTool builds the tool of the module that this one is in.
func propalgTool(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "propalg")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/propalg/propalg/cmd/propalg").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// TestLintServedProvider: of a provider that is served by the SDK, `propalg lint`
// finds the five mistakes that were planted and no others, and none in one
// without; nothing of what was secret in the log.
func TestLintServedProvider(t *testing.T) {
	bin := propalgTool(t)
	lint := func(log string) (found []string, code int) {
		c := exec.Command(bin, "lint", "-o", "json", log)
		out, _ := c.Output()
		var doc struct {
			Types []struct {
				Type     string
				Findings []struct{ Severity, Call, At, Code string }
			}
			Calls struct{ Checked, Failed, Unfinished int }
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if doc.Calls.Checked == 0 || doc.Calls.Checked%7 != 0 || doc.Calls.Failed+doc.Calls.Unfinished > 0 || strings.Contains(string(out), loggedSecret) {
			t.Errorf("%s", out)
		}
		for _, typ := range doc.Types {
			for _, f := range typ.Findings {
				found = append(found, strings.Join([]string{typ.Type, f.Severity, f.Call, f.At, f.Code}, " "))
			}
		}
		return found, c.ProcessState.ExitCode()
	}
	for _, clean := range loggedLife(t, "demo:index:Thing", "demo:index:Other") {
		if found, code := lint(clean); len(found) > 0 || code != 0 {
			t.Errorf("%s: clean: exit %d, %q", filepath.Base(clean), code, found)
		}
		if text, err := os.ReadFile(clean); err != nil || !strings.Contains(string(text), loggedSecret) {
			t.Errorf("the log has no secret in it: %v", err)
		}
	}
	planted := loggedLife(t, "demo:index:Thing", "demo:index:Detailed", "demo:index:Silent", "demo:index:Replaced", "demo:index:Unknown", "demo:index:Moved")
	want := []string{
		"demo:index:Detailed error Diff  not-detailed",
		"demo:index:Moved error Update id id-changed",
		"demo:index:Replaced error Diff  none-with-changes",
		"demo:index:Silent warning Diff size none-while-differ",
		"demo:index:Unknown error Check made unknown",
	}
	for _, log := range planted {
		if found, code := lint(log); !slices.Equal(found, want) || code != 1 {
			t.Errorf("%s: exit %d, %q, want %q", filepath.Base(log), code, found, want)
		}
	}
}
