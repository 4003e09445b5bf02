package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
)

// demo is the provider.
type demo struct {
	plugin.UnimplementedProvider
	store store
}

func (d *demo) Close() error { return nil }

func (d *demo) SignalCancellation(context.Context) error { return nil }

func (d *demo) GetPluginInfo(context.Context) (plugin.PluginInfo, error) {
	version := semver.MustParse("0.1.0")
	return plugin.PluginInfo{Version: &version}, nil
}

func (d *demo) Handshake(context.Context, plugin.ProviderHandshakeRequest) (*plugin.ProviderHandshakeResponse, error) {
	return &plugin.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true}, nil
}

func (d *demo) GetSchema(context.Context, plugin.GetSchemaRequest) (plugin.GetSchemaResponse, error) {
	return plugin.GetSchemaResponse{Schema: []byte(schema)}, nil
}

func (d *demo) CheckConfig(_ context.Context, r plugin.CheckConfigRequest) (plugin.CheckConfigResponse, error) {
	return plugin.CheckConfigResponse{Properties: r.News}, nil
}

func (d *demo) DiffConfig(_ context.Context, r plugin.DiffConfigRequest) (plugin.DiffConfigResponse, error) {
	return compare(r.OldInputs, r.NewInputs, "store"), nil
}

func (d *demo) Configure(_ context.Context, r plugin.ConfigureRequest) (plugin.ConfigureResponse, error) {
	d.store.file = os.Getenv("DEMO_STORE")
	if file := r.Inputs["store"]; file.IsString() {
		d.store.file = file.StringValue()
	}
	return plugin.ConfigureResponse{}, nil
}

func (d *demo) Check(_ context.Context, r plugin.CheckRequest) (plugin.CheckResponse, error) {
	news := r.News.Copy()
	if old, ok := r.Olds["name"]; ok && !news.HasValue("name") {
		news["name"] = old
	}
	if !news.HasValue("name") {
		name, err := resource.NewUniqueName(r.RandomSeed, r.Name+"-", 7, 0, nil)
		if err != nil {
			return plugin.CheckResponse{}, err
		}
		news["name"] = resource.NewProperty(name)
	}
	if !news.HasValue("zone") {
		news["zone"] = resource.NewProperty("a")
	}
	if !news.HasValue("size") {
		news["size"] = resource.NewProperty(1.0)
	}
	if password, ok := news["password"]; ok && !password.IsSecret() {
		news["password"] = resource.MakeSecret(password)
	}
	var failures []plugin.CheckFailure
	for name := range news {
		switch name {
		case "name", "zone", "title", "size", "enabled", "labels", "settings", "rules", "members", "limits", "extra", "password", "document", "bundle":
		default:
			failures = append(failures, plugin.CheckFailure{Property: name, Reason: "no such property"})
		}
	}
	return plugin.CheckResponse{Properties: news, Failures: failures}, nil
}

// compare tells what changed from old to new inputs, and what of it replaces.
func compare(old, now resource.PropertyMap, replacing ...resource.PropertyKey) plugin.DiffResult {
	d := old.Diff(now)
	if d == nil {
		return plugin.DiffResult{Changes: plugin.DiffNone}
	}
	result := plugin.DiffResult{Changes: plugin.DiffSome, ChangedKeys: d.ChangedKeys(), DetailedDiff: plugin.NewDetailedDiffFromObjectDiff(d, true)}
	for _, name := range replacing {
		if d.Changed(name) {
			result.ReplaceKeys = append(result.ReplaceKeys, name)
		}
	}
	return result
}

func (d *demo) Diff(_ context.Context, r plugin.DiffRequest) (plugin.DiffResult, error) {
	result := compare(r.OldInputs, r.NewInputs, "name", "zone")
	result.DeleteBeforeReplace = len(result.ReplaceKeys) > 0 && r.OldInputs["name"].DeepEquals(r.NewInputs["name"])
	return result, nil
}

func (d *demo) Create(_ context.Context, r plugin.CreateRequest) (plugin.CreateResponse, error) {
	state := r.Properties.Copy()
	name := state["name"]
	if !name.IsString() || r.Preview {
		return plugin.CreateResponse{Properties: state}, nil
	}
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return plugin.CreateResponse{}, err
	}
	state["token"] = resource.MakeSecret(resource.NewProperty(hex.EncodeToString(token)))
	state["url"] = resource.NewProperty(fmt.Sprintf("https://%s.%s.demo.test/", name.StringValue(), state["zone"].StringValue()))
	state["revision"] = resource.NewProperty(1.0)
	err := d.store.save(name.StringValue(), r.Properties, state)
	return plugin.CreateResponse{ID: resource.ID(name.StringValue()), Properties: state}, err
}

func (d *demo) Read(_ context.Context, r plugin.ReadRequest) (plugin.ReadResponse, error) {
	in, state, err := d.store.load(string(r.ID))
	if errors.Is(err, errNone) {
		return plugin.ReadResponse{}, nil
	}
	return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: r.ID, Inputs: in, Outputs: state}}, err
}

func (d *demo) Update(_ context.Context, r plugin.UpdateRequest) (plugin.UpdateResponse, error) {
	state := r.NewInputs.Copy()
	for _, name := range []resource.PropertyKey{"token", "url", "revision"} {
		state[name] = r.OldOutputs[name]
	}
	if r.Preview {
		state["revision"] = resource.MakeComputed(resource.NewProperty(0.0))
		return plugin.UpdateResponse{Properties: state}, nil
	}
	if n := state["revision"]; n.IsNumber() {
		state["revision"] = resource.NewProperty(n.NumberValue() + 1)
	}
	return plugin.UpdateResponse{Properties: state}, d.store.save(string(r.ID), r.NewInputs, state)
}

func (d *demo) Delete(_ context.Context, r plugin.DeleteRequest) (plugin.DeleteResponse, error) {
	return plugin.DeleteResponse{}, d.store.remove(string(r.ID))
}
