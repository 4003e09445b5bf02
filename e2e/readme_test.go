package e2e_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	google "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// readmeProvider builds the provider that README.md shows, unchanged, and returns the
// file.
func readmeProvider(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	program := ""
	for block := range strings.SplitSeq(string(page), "```") {
		if code, ok := strings.CutPrefix(block, "go\npackage main\n"); ok && strings.Contains(code, "grpc.Serve(") {
			program = code
		}
	}
	if program == "" {
		t.Fatal("README.md has no provider")
	}
	// The module of the server gets one file more, for the build only.
	folder, err := filepath.Abs("../interop/grpc")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, overlay, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "pulumi-resource-readme")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(folder, "readme", "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{source: []byte("package main\n" + program), overlay: replace} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", binary, "./readme")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("README's program: %v\n%s", err, out)
	}
	return binary
}

// launchPlugin starts a provider and returns the SDK's client of it.
func launchPlugin(t *testing.T, binary string) plugin.Provider {
	t.Helper()
	c := exec.Command(binary)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	port := make([]byte, len("65535\n"))
	n, err := out.Read(port)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := google.NewClient("passthrough:///127.0.0.1:"+strings.TrimSpace(string(port[:n])), google.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	dir := t.TempDir()
	engine, err := plugin.NewContextWithHost(t.Context(), nil, nil, &plugin.MockHost{}, dir, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	return plugin.NewProviderWithClient(engine, pulumirpc.NewResourceProviderClient(conn), false)
}

func text(s string) resource.PropertyValue { return resource.NewProperty(s) }

func tags(env string) resource.PropertyValue {
	return resource.NewProperty(resource.PropertyMap{"env": text(env)})
}

// TestReadmeProvider calls the provider of README.md by the client of Pulumi's SDK,
// in the order of an engine.
func TestReadmeProvider(t *testing.T) {
	ctx := context.Background()
	p := launchPlugin(t, readmeProvider(t))
	// Engines take a provider without a Handshake for one that says all in Configure.
	if _, err := p.Handshake(ctx, plugin.ProviderHandshakeRequest{}); err != nil && status.Code(err) != codes.Unimplemented {
		t.Fatalf("Handshake: %v", err)
	}
	if _, err := p.GetPluginInfo(ctx); err != nil {
		t.Errorf("GetPluginInfo: %v", err)
	}
	providerURN := resource.URN("urn:pulumi:dev::shop::pulumi:providers:readme::default")
	config := resource.PropertyMap{"region": text("eu")}
	checked, err := p.CheckConfig(ctx, plugin.CheckConfigRequest{URN: providerURN, News: config})
	if err != nil || !checked.Properties.DeepEquals(config) {
		t.Errorf("CheckConfig: %v %v", checked, err)
	}
	if d, err := p.DiffConfig(ctx, plugin.DiffConfigRequest{URN: providerURN, OldInputs: config, OldOutputs: config, NewInputs: config}); err != nil || len(d.ReplaceKeys) > 0 {
		t.Errorf("DiffConfig: %v %v", d, err)
	}
	providerType := tokens.Type("pulumi:providers:readme")
	if _, err := p.Configure(ctx, plugin.ConfigureRequest{URN: &providerURN, Type: &providerType, Inputs: config}); err != nil {
		t.Fatalf("Configure: %v", err)
	}

	urn := resource.URN("urn:pulumi:dev::shop::readme:index:Bucket::b")
	old := resource.PropertyMap{"name": text("b"), "password": resource.MakeSecret(text("one")), "tags": tags("dev")}
	news := old.Copy()
	news["password"], news["tags"] = resource.MakeSecret(text("two")), tags("prod")
	inputs, err := p.Check(ctx, plugin.CheckRequest{URN: urn, News: news, AllowUnknowns: true})
	if err != nil || !inputs.Properties.DeepEquals(news) {
		t.Fatalf("Check: %v %v", inputs, err)
	}
	state := old.Copy()
	state["url"] = text("computed")
	d, err := p.Diff(ctx, plugin.DiffRequest{URN: urn, ID: "b", OldInputs: old, OldOutputs: state, NewInputs: inputs.Properties, AllowUnknowns: true})
	if err != nil || d.Changes != plugin.DiffSome || len(d.DetailedDiff) != 2 || d.DetailedDiff["password"].Kind != plugin.DiffUpdate || d.DetailedDiff["tags.env"].Kind != plugin.DiffUpdate {
		t.Errorf("Diff: %+v %v", d, err)
	}
	if d, err = p.Diff(ctx, plugin.DiffRequest{URN: urn, ID: "b", OldInputs: old, OldOutputs: state, NewInputs: old, AllowUnknowns: true}); err != nil || d.Changes != plugin.DiffNone {
		t.Errorf("Diff of what is equal: %+v %v", d, err)
	}
	// A preview makes nothing: the engine knows that Create is not for previews.
	if made, err := p.Create(ctx, plugin.CreateRequest{URN: urn, Properties: news, Preview: true}); err != nil {
		t.Errorf("preview of Create: %v %v", made, err)
	}
	if err := p.SignalCancellation(ctx); err != nil {
		t.Errorf("Cancel: %v", err)
	}
}
