// Command pulumi-resource-raw is a provider of records in memory on the server of Pulumi's Go SDK,
// with all methods by hand. docs/notes/any-provider.md says what propalg-test finds in it.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

func main() {
	served, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Init: func(s *grpc.Server) error {
		pulumirpc.RegisterResourceProviderServer(s, plugin.NewProviderServer(&records{all: map[resource.ID]resource.PropertyMap{}}))
		return nil
	}})
	if err == nil {
		fmt.Println(served.Port)
		err = <-served.Done
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const schema = `{
  "name": "raw", "version": "0.1.0",
  "types": {"raw:index:Settings": {"type": "object", "properties": {
    "owner": {"type": "string"}, "days": {"type": "integer"}, "mirrors": {"type": "array", "items": {"type": "string"}}}}},
  "resources": {"raw:index:Record": {
    "inputProperties": {
      "name": {"type": "string", "willReplaceOnChanges": true},
      "zone": {"type": "string", "willReplaceOnChanges": true},
      "ttl": {"type": "integer"},
      "values": {"type": "array", "items": {"type": "string"}},
      "settings": {"$ref": "#/types/raw:index:Settings"},
      "password": {"type": "string", "secret": true}},
    "requiredInputs": ["name"],
    "properties": {
      "name": {"type": "string"}, "zone": {"type": "string"}, "ttl": {"type": "integer"},
      "values": {"type": "array", "items": {"type": "string"}},
      "settings": {"$ref": "#/types/raw:index:Settings"},
      "password": {"type": "string", "secret": true},
      "address": {"type": "string"}},
    "required": ["name", "ttl", "address"]}}}`

// records holds the inputs of what was created.
type records struct {
	plugin.UnimplementedProvider

	mu     sync.Mutex
	all    map[resource.ID]resource.PropertyMap
	serial int
}

func (*records) Handshake(context.Context, plugin.ProviderHandshakeRequest) (*plugin.ProviderHandshakeResponse, error) {
	return &plugin.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

// Attach lets PULUMI_DEBUG_PROVIDERS name a provider that runs.
func (*records) Attach(string) error { return nil }

func (*records) GetPluginInfo(context.Context) (plugin.PluginInfo, error) {
	version := semver.MustParse("0.1.0")
	return plugin.PluginInfo{Version: &version}, nil
}

func (*records) SignalCancellation(context.Context) error { return nil }

func (*records) GetSchema(context.Context, plugin.GetSchemaRequest) (plugin.GetSchemaResponse, error) {
	return plugin.GetSchemaResponse{Schema: []byte(schema)}, nil
}

func (*records) CheckConfig(_ context.Context, r plugin.CheckConfigRequest) (plugin.CheckConfigResponse, error) {
	return plugin.CheckConfigResponse{Properties: r.News}, nil
}

func (*records) DiffConfig(context.Context, plugin.DiffConfigRequest) (plugin.DiffConfigResponse, error) {
	return plugin.DiffConfigResponse{Changes: plugin.DiffNone}, nil
}

func (*records) Configure(context.Context, plugin.ConfigureRequest) (plugin.ConfigureResponse, error) {
	return plugin.ConfigureResponse{}, nil
}

// Check sets the default of ttl, and refuses a negative one.
func (*records) Check(_ context.Context, r plugin.CheckRequest) (plugin.CheckResponse, error) {
	inputs := r.News.Copy()
	if !inputs.HasValue("ttl") {
		inputs["ttl"] = resource.NewProperty(300.0)
	}
	var failures []plugin.CheckFailure
	if ttl := inputs["ttl"]; ttl.IsNumber() && ttl.NumberValue() < 0 {
		failures = append(failures, plugin.CheckFailure{Property: "ttl", Reason: "expected 0 or more"})
	}
	return plugin.CheckResponse{Properties: inputs, Failures: failures}, nil
}

// Diff compares inputs. Another name or zone is another record.
func (*records) Diff(_ context.Context, r plugin.DiffRequest) (plugin.DiffResponse, error) {
	changes := r.OldInputs.Diff(r.NewInputs, func(key resource.PropertyKey) bool {
		return resource.IsInternalPropertyKey(key) || slices.Contains(r.IgnoreChanges, string(key))
	})
	if changes == nil {
		return plugin.DiffResponse{Changes: plugin.DiffNone}, nil
	}
	detailed := plugin.NewDetailedDiffFromObjectDiff(changes, true)
	for at, change := range detailed {
		if at == "name" || at == "zone" {
			change.Kind = change.Kind.AsReplace()
			detailed[at] = change
		}
	}
	return plugin.DiffResponse{Changes: plugin.DiffSome, DetailedDiff: detailed}, nil
}

// state adds the outputs of a record.
func state(inputs resource.PropertyMap, id resource.ID) resource.PropertyMap {
	all := inputs.Copy()
	all["address"] = resource.NewProperty("https://records.test/" + string(id))
	if id == "" {
		all["address"] = resource.MakeComputed(resource.NewProperty(""))
	}
	return all
}

func (p *records) Create(_ context.Context, r plugin.CreateRequest) (plugin.CreateResponse, error) {
	if r.Preview {
		return plugin.CreateResponse{Properties: state(r.Properties, "")}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serial++
	id := resource.ID(fmt.Sprint("record-", p.serial))
	p.all[id] = r.Properties
	return plugin.CreateResponse{ID: id, Properties: state(r.Properties, id)}, nil
}

func (p *records) Read(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	inputs, ok := p.all[r.ID]
	if !ok {
		return plugin.ReadResponse{}, nil
	}
	return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: r.ID, Inputs: inputs, Outputs: state(inputs, r.ID)}}, nil
}

func (p *records) Update(_ context.Context, r plugin.UpdateRequest) (plugin.UpdateResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !r.Preview {
		p.all[r.ID] = r.NewInputs
	}
	return plugin.UpdateResponse{Properties: state(r.NewInputs, r.ID)}, nil
}

func (p *records) Delete(_ context.Context, r plugin.DeleteRequest) (plugin.DeleteResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, r.ID)
	return plugin.DeleteResponse{}, nil
}
