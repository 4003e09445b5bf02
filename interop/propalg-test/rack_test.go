package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

const rackInputs = `"name":{"type":"string","willReplaceOnChanges":true},"region":{"type":"string","willReplaceOnChanges":true},
 "ttl":{"type":"integer"},"weight":{"type":"number"},"labels":{"type":"object","additionalProperties":{"type":"string"}},
 "ports":{"type":"array","items":{"type":"integer"}},"settings":{"$ref":"#/types/rack:index:Settings"},"password":{"type":"string","secret":true}`

const rackSchema = `{"name":"rack","version":"1.0.0",
"config":{"variables":{"url":{"type":"string"},"apiKey":{"type":"string","secret":true}}},
"provider":{"inputProperties":{"url":{"type":"string"},"apiKey":{"type":"string","secret":true}}},
"types":{"rack:index:Settings":{"type":"object","properties":{"mode":{"type":"string"},"level":{"type":"integer"}}}},
"resources":{"rack:index:Server":{
 "inputProperties":{` + rackInputs + `},"requiredInputs":["region"],
 "properties":{` + rackInputs + `,"endpoint":{"type":"string"},"token":{"type":"string","secret":true},"handle":{"type":"string"}},
 "required":["name","region","ttl","endpoint","token"]}},
"functions":{"rack:index:lookup":{
 "inputs":{"properties":{"name":{"type":"string"},"region":{"type":"string"}},"required":["name"]},
 "outputs":{"properties":{"endpoint":{"type":"string"},"token":{"type":"string","secret":true}},"required":["endpoint","token"]}}}}`

// rack is a provider of servers, written by hand as its author, who knows no framework, might.
// Its mode names a mistake, or something unusual that is right.
type rack struct {
	grpc.Unimplemented

	mode   string
	mu     sync.Mutex
	things map[string]value.Value // the inputs in clear, by ID
	serial int
}

func (p *rack) is(modes ...string) bool {
	return slices.Contains(modes, strings.TrimPrefix(p.mode, "rack: "))
}

// crash ends the provider as a panic in another goroutine does.
func crash(text string) {
	fmt.Fprintln(os.Stderr, "panic: "+text)
	os.Exit(2)
}

func withField(v value.Value, name string, x value.Value) value.Value {
	v, _ = v.WithField(name, x)
	return v
}

func withoutField(v value.Value, name string) value.Value {
	var members []value.Member
	for k, x := range v.Members() {
		if k != name {
			members = append(members, value.Field(k, x))
		}
	}
	return value.Object(members...)
}

func textOf(v value.Value) string {
	s, _ := v.AsString()
	return s
}

func (p *rack) Handshake(ctx context.Context, r *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	if p.is("right: no secrets", "right: no previews") {
		return p.Unimplemented.Handshake(ctx, r)
	}
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true}, nil
}

func (p *rack) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	text := rackSchema
	switch {
	case p.is("a type is missing"):
		text = strings.ReplaceAll(text, "#/types/rack:index:Settings", "#/types/rack:index:Setting")
	case p.is("right: Diff leaves it to the engine"):
		text = strings.ReplaceAll(text, `,"willReplaceOnChanges":true`, "")
	}
	return &rpc.GetSchemaResponse{Schema: text}, nil
}

func (p *rack) GetPluginInfo(context.Context, *rpc.Empty) (*rpc.PluginInfo, error) {
	switch {
	case p.is("GetPluginInfo is missing"):
		return nil, status.Error(codes.Unimplemented, "unknown method GetPluginInfo")
	case p.is("the version is none"):
		return &rpc.PluginInfo{Version: "dev"}, nil
	case p.is("the version is another"):
		return &rpc.PluginInfo{Version: "1.1.0"}, nil
	case p.is("right: no version"):
		return &rpc.PluginInfo{}, nil
	case p.is("right: a build of the version"):
		return &rpc.PluginInfo{Version: "v1.0.0+dirty"}, nil
	}
	return &rpc.PluginInfo{Version: "1.0.0"}, nil
}

func (p *rack) CheckConfig(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if p.is("the configuration is in clear") {
		r.News = r.News.Reveal()
	}
	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func (p *rack) DiffConfig(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	a := &rpc.DiffResponse{Changes: rpc.DiffNone}
	for _, name := range []string{"url", "apiKey", "version"} {
		if !r.Olds.Field(name).Reveal().Equal(r.News.Field(name).Reveal()) {
			a.Changes, a.Diffs = rpc.DiffSome, append(a.Diffs, name)
			if name == "url" || p.is("any change of the configuration replaces") {
				a.Replaces = append(a.Replaces, name)
			}
		}
	}
	return a, nil
}

func (p *rack) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: !p.is("right: no secrets"), SupportsPreview: !p.is("right: no previews")}, nil
}

func (p *rack) Cancel(context.Context, *rpc.Empty) (*rpc.Empty, error) {
	if p.is("Cancel does not return") {
		select {}
	}
	return &rpc.Empty{}, nil
}

func (p *rack) GetMappings(ctx context.Context, r *rpc.GetMappingsRequest) (*rpc.GetMappingsResponse, error) {
	switch {
	case p.is("GetMappings fails"):
		return nil, errors.New("no mapping for " + r.Key)
	case p.is("right: has mappings", "a mapping is missing", "a mapping is of another provider"):
		return &rpc.GetMappingsResponse{Providers: []string{"racks"}}, nil
	case p.is("right: has no mappings", "GetMapping fails"):
		return &rpc.GetMappingsResponse{}, nil
	}
	return p.Unimplemented.GetMappings(ctx, r)
}

func (p *rack) GetMapping(_ context.Context, r *rpc.GetMappingRequest) (*rpc.GetMappingResponse, error) {
	switch {
	case p.is("GetMapping fails"):
		return nil, errors.New("no mapping for " + r.Key)
	case p.is("right: has mappings"):
		return &rpc.GetMappingResponse{Provider: r.Provider, Data: rpc.Hide([]byte("{}"))}, nil
	case p.is("a mapping is of another provider"):
		return &rpc.GetMappingResponse{Provider: "others", Data: rpc.Hide([]byte("{}"))}, nil
	}
	return &rpc.GetMappingResponse{}, nil
}

func (p *rack) List(ctx context.Context, r *rpc.ListRequest, send func(*rpc.ListResponse) error) error {
	if !p.is("right: lists", "List has a resource twice", "List goes on after its continuation", "List has a larger page", "the second page is larger") {
		return p.Unimplemented.List(ctx, r, send)
	}
	ids := []string{"a", "b"}
	switch {
	case p.is("List has a resource twice"):
		ids[1] = "a"
	case p.is("List has a larger page") || (r.ContinuationToken != "" && p.is("the second page is larger")):
		ids = append(ids, "c")
	case r.ContinuationToken != "":
		ids = []string{"c"}
	}
	for _, id := range ids {
		if err := send(&rpc.ListResponse{Result: &rpc.ListResult{ID: id}}); err != nil {
			return err
		}
	}
	if r.ContinuationToken != "" {
		return nil
	}
	err := send(&rpc.ListResponse{Continuation: &rpc.ListContinuation{ContinuationToken: "next"}})
	if err == nil && p.is("List goes on after its continuation") {
		err = send(&rpc.ListResponse{Result: &rpc.ListResult{ID: "d"}})
	}
	return err
}

func badTTL(inputs value.Value) bool {
	n, ok := inputs.Field("ttl").AsNumber()
	return ok && (n < 0 || n > 86400)
}

func (p *rack) Check(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	a := &rpc.CheckResponse{Inputs: r.News, Failures: p.failures(r.News)}
	if a.Inputs.Field("name").IsNull() {
		name := r.Olds.Field("name")
		if name.IsNull() || p.is("Check makes a name each time") {
			hash := sha256.Sum256(r.RandomSeed.Reveal())
			name = value.String(fmt.Sprintf("%s-%x", r.Name, hash[:4]))
		}
		a.Inputs = withField(a.Inputs, "name", name)
	}
	old, noTTL := r.Olds.Field("ttl"), a.Inputs.Field("ttl").IsNull()
	switch {
	case p.is("Check returns secrets in clear"):
		a.Inputs = a.Inputs.Reveal()
	case p.is("right: the order of a set is Check's") && a.Inputs.Field("ports").Kind() == value.KindArray && !a.Inputs.Field("ports").ContainsUnknown():
		a.Inputs = withField(a.Inputs, "ports", inOrder(a.Inputs.Field("ports")))
	case p.is("Check keeps what was removed") && noTTL && !old.IsNull():
		a.Inputs = withField(a.Inputs, "ttl", old)
	case p.is("right: Check has a default") && noTTL,
		p.is("Check takes 0 for nothing") && (noTTL || a.Inputs.Field("ttl").DropSecret().Equal(value.Number(0))):
		a.Inputs = withField(a.Inputs, "ttl", value.Number(300))
	}
	return a, nil
}

func (p *rack) failures(inputs value.Value) (all []rpc.CheckFailure) {
	fail := func(at, reason string) { all = append(all, rpc.CheckFailure{Property: at, Reason: reason}) }
	if inputs.Field("region").IsNull() {
		fail("region", "region is required")
	}
	switch {
	case !badTTL(inputs) || p.is("only Create refuses"):
	case p.is("a failure has another name"):
		fail("ttl_seconds", "expected 0 to 86400")
	default:
		fail("ttl", "expected 0 to 86400")
	}
	for i, port := range inputs.Field("ports").Elems() {
		if n, ok := port.AsNumber(); ok && p.is("right: strict") && (n < 1 || n > 65535) {
			fail(fmt.Sprintf("ports[%d]", i), "expected 1 to 65535")
		}
	}
	return all
}

func (p *rack) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	if p.is("right: Diff leaves it to the engine") {
		return &rpc.DiffResponse{}, nil
	}
	a := &rpc.DiffResponse{Changes: rpc.DiffNone, HasDetailedDiff: true, DetailedDiff: map[string]rpc.PropertyDiff{}, DeleteBeforeReplace: p.is("right: delete first")}
	old, now := r.OldInputs, r.News
	if p.is("Diff reads no unknowns") {
		now, _ = now.Transform(func(c *value.Cursor) (value.Value, error) {
			if c.Value().IsUnknown() {
				return value.Null(), nil
			}
			return c.Value(), nil
		})
	}
	for _, name := range []string{"name", "region", "ttl", "weight", "labels", "ports", "settings", "password"} {
		replaces, changed := name == "name" || name == "region", false
		if p.canonical(name, old.Field(name)).Reveal().Equal(p.canonical(name, now.Field(name)).Reveal()) {
			continue
		}
		p.walk(name, old.Field(name), now.Field(name), func(at string, kind rpc.PropertyDiffKind) {
			if isBelow(at, r.IgnoreChanges) {
				return
			}
			changed = true
			if replaces && !p.is("an entry does not replace") {
				kind++ // the kind that replaces follows
			}
			a.DetailedDiff[at] = rpc.PropertyDiff{Kind: kind, InputDiff: true}
		})
		if changed {
			a.Changes, a.Diffs = rpc.DiffSome, append(a.Diffs, name)
			if replaces {
				a.Replaces = append(a.Replaces, name)
			}
		}
	}
	switch {
	case p.is("an output is not stable"):
		a.Stables = []string{"endpoint"}
	case p.is("right: Diff names only what replaces"):
		a.HasDetailedDiff, a.DetailedDiff, a.Diffs = false, nil, nil
	}
	return a, nil
}

// canonical is a value as the service keeps it.
func (p *rack) canonical(name string, v value.Value) value.Value {
	switch {
	case p.is("right: the service writes in lower case") && name == "region" && v.Kind() == value.KindString:
		return value.String(strings.ToLower(textOf(v))).WithMarksOf(v)
	case p.is("right: the order does not matter") && name == "ports" && v.Kind() == value.KindArray && !v.ContainsUnknown():
		return inOrder(v)
	}
	return v
}

// inOrder sorts an array of numbers.
func inOrder(v value.Value) value.Value {
	var elems []value.Value
	for _, x := range v.Elems() {
		elems = append(elems, x)
	}
	slices.SortFunc(elems, func(x, y value.Value) int {
		a, _ := x.AsNumber()
		b, _ := y.AsNumber()
		return int(a - b)
	})
	return value.Array(elems...).WithMarksOf(v)
}

// walk reports the places where two values differ.
func (p *rack) walk(at string, old, now value.Value, report func(at string, kind rpc.PropertyDiffKind)) {
	index, member := "%s[%d]", "%s[%q]"
	if p.is("Diff has other paths") {
		index, member = "%s.%d", "%s.%s"
	}
	switch {
	case now.IsUnknown() && !old.IsNull():
		report(at, rpc.PropertyDiffUpdate)
	case old.Reveal().Equal(now.Reveal()):
	case old.IsNull():
		report(at, rpc.PropertyDiffAdd)
	case now.IsNull():
		report(at, rpc.PropertyDiffDelete)
	case old.IsSecret() || now.IsSecret() || old.Kind() != now.Kind():
		report(at, rpc.PropertyDiffUpdate)
	case old.Kind() == value.KindObject:
		for key := range old.Keys() {
			p.walk(fmt.Sprintf(member, at, key), old.Field(key), now.Field(key), report)
		}
		for key := range now.Keys() {
			if _, ok := old.Lookup(key); !ok {
				p.walk(fmt.Sprintf(member, at, key), value.Null(), now.Field(key), report)
			}
		}
	case old.Kind() == value.KindArray:
		for i := range max(old.Len(), now.Len()) {
			p.walk(fmt.Sprintf(index, at, i), old.Elem(i), now.Elem(i), report)
		}
	default:
		report(at, rpc.PropertyDiffUpdate)
	}
}

func isBelow(at string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(s string) bool {
		return at == s || strings.HasPrefix(at, s+"[") || strings.HasPrefix(at, s+".")
	})
}

// state is the state of a server with these inputs; without an ID it does not exist yet.
func (p *rack) state(id string, inputs value.Value) value.Value {
	state := withField(inputs, "region", p.canonical("region", inputs.Field("region")))
	if inputs.Field("ttl").IsNull() {
		state = withField(state, "ttl", value.Number(300))
	}
	name, region, mode := state.Field("name"), state.Field("region"), state.Field("settings").Field("mode")
	endpoint := value.String("https://" + textOf(name) + "." + textOf(region) + "/" + textOf(mode))
	for _, part := range []value.Value{name, region, mode} {
		if part.IsUnknown() && !p.is("a preview makes a text of an unknown") {
			endpoint = value.Unknown().WithMarksOf(endpoint)
		}
		endpoint = endpoint.WithMarksOf(part)
	}
	state = withField(withField(state, "endpoint", endpoint), "token", value.Secret(value.Unknown()))
	if id == "" {
		return state
	}
	state = withField(state, "token", value.Secret(value.String("tok-"+id)))
	switch {
	case p.is("Delete needs what Read does not return"):
		state = withField(state, "handle", value.String("h-"+id))
	case p.is("a secret is made a text") && inputs.Field("name").IsSecret():
		state = withField(state, "endpoint", value.String("https://[object Object]/"))
	case p.is("the state has the inputs in clear"):
		state = withField(state, "__inputs", inputs.Reveal())
	}
	return state
}

func (p *rack) Create(_ context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	inputs := r.Properties
	if r.Preview && !p.is("right: no previews") {
		if p.is("a preview of Create crashes") && inputs.ContainsUnknown() {
			crash("interface conversion: interface {} is resource.Computed, not string")
		}
		return &rpc.CreateResponse{Properties: p.state("", inputs)}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.refusal(inputs); err != nil {
		return nil, err
	}
	if p.is("right: slow") {
		time.Sleep(50 * time.Millisecond)
	}
	if n, ok := inputs.Field("weight").AsNumber(); ok && p.is("Create rounds a number") {
		inputs = withField(inputs, "weight", value.Number(math.Trunc(n)))
	}
	p.serial++
	id := fmt.Sprintf("s-%d-%d", os.Getpid(), p.serial)
	p.things[id] = inputs.Reveal()
	if inputs.Field("ports").Len() > 2 && p.is("half a Create has no state", "right: half a Create") {
		detail := &rpc.ErrorResourceInitFailed{ID: id, Reasons: []string{"the ports do not answer yet"}}
		if p.is("right: half a Create") {
			detail.Properties, detail.Inputs = p.state(id, inputs), inputs
		}
		return nil, grpc.InitFailed(detail)
	}
	return &rpc.CreateResponse{ID: id, Properties: p.state(id, inputs)}, nil
}

// refusal is what the service says to inputs that it does not take.
func (p *rack) refusal(inputs value.Value) error {
	if badTTL(inputs) {
		return status.Error(codes.InvalidArgument, "400 Bad Request: ttl is out of range")
	}
	for _, other := range p.things {
		if p.is("right: delete first") && other.Field("name").Equal(inputs.Field("name").Reveal()) {
			return status.Error(codes.AlreadyExists, "409 Conflict: the name is taken")
		}
	}
	return nil
}

func (p *rack) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	if p.is("right: no Read") {
		return p.Unimplemented.Read(ctx, r)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	live, ok := p.things[r.ID]
	switch {
	case !ok && p.is("Read returns the ID of what is gone"):
		return &rpc.ReadResponse{ID: r.ID, Properties: value.Object()}, nil
	case !ok:
		return &rpc.ReadResponse{}, nil
	}
	inputs := p.project(live, r.Inputs)
	return p.read(r, inputs, p.state(r.ID, inputs)), nil
}

// project makes inputs of what is live, as the old ones spell them.
func (p *rack) project(live, olds value.Value) value.Value {
	if p.is("right: a password that only the program knows") {
		live = withoutField(live, "password")
		if old := olds.Field("password"); !old.IsNull() {
			live = withField(live, "password", old)
		}
	}
	if password := live.Field("password"); !password.IsNull() {
		live = withField(live, "password", value.Secret(password))
	}
	for _, name := range []string{"region", "ports"} {
		canonical := p.canonical(name, live.Field(name))
		old := olds.Field(name)
		switch {
		case canonical.IsNull():
		case p.canonical(name, old).Reveal().Equal(canonical):
			live = withField(live, name, old)
		default:
			live = withField(live, name, canonical)
		}
	}
	return live.WithSecretsOf(olds)
}

func (p *rack) read(r *rpc.ReadRequest, inputs, state value.Value) *rpc.ReadResponse {
	a := &rpc.ReadResponse{ID: r.ID, Properties: state, Inputs: inputs}
	isImport, noTTL, settings := r.Inputs.IsNull(), inputs.Field("ttl").IsNull(), state.Field("settings")
	switch {
	case p.is("Read returns the inputs that it is given") && !isImport:
		a.Inputs = r.Inputs
	case p.is("Read makes an input of a default of the service"):
		a.Inputs = withField(inputs, "ttl", state.Field("ttl"))
	case p.is("Read leaves out an output") && settings.Kind() == value.KindObject:
		a.Properties = withField(state, "settings", withoutField(settings, "mode").WithMarksOf(settings))
	case p.is("Check refuses what an import returns") && isImport && noTTL:
		a.Inputs = withField(inputs, "ttl", value.Number(-1))
	case p.is("Read returns no ID"):
		a.ID = ""
	case p.is("Delete needs what Read does not return"):
		a.Properties = withoutField(state, "handle")
	}
	return a
}

func (p *rack) Update(_ context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	if r.Preview && !p.is("right: no previews") {
		if p.is("a preview of Update refuses unknowns") && r.News.ContainsUnknown() {
			return nil, errors.New("unexpected unknown property value")
		}
		return &rpc.UpdateResponse{Properties: p.state(r.ID, r.News)}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.things[r.ID]; !ok {
		return nil, status.Error(codes.NotFound, "404 Not Found")
	}
	p.things[r.ID] = r.News.Reveal()
	return &rpc.UpdateResponse{Properties: p.state(r.ID, r.News)}, nil
}

func (p *rack) Delete(_ context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	if p.is("Delete needs what Read does not return") && r.Properties.Field("handle").IsNull() {
		return nil, status.Error(codes.InvalidArgument, "400 Bad Request: handle is missing")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.things, r.ID)
	return &rpc.Empty{}, nil
}

func (p *rack) Invoke(_ context.Context, r *rpc.InvokeRequest) (*rpc.InvokeResponse, error) {
	region := r.Args.Field("region")
	if region.IsNull() {
		if p.is("a function wants an optional argument") {
			crash("interface conversion: interface {} is nil, not string")
		}
		region = value.String("eu")
	}
	state := p.state("f", value.Object(value.Field("name", r.Args.Field("name")), value.Field("region", region)))
	token := state.Field("token")
	if p.is("a function returns a secret in clear") {
		token = token.Reveal()
	}
	return &rpc.InvokeResponse{Return: value.Object(value.Field("endpoint", state.Field("endpoint")), value.Field("token", token))}, nil
}
