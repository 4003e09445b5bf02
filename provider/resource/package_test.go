package resource_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/resource"
)

// New says what is wrong with a package.
func TestNewFails(t *testing.T) {
	type untagged struct{ Name string }
	type inner struct {
		ID string `pulumi:"id" provider:"stable"`
	}
	type tooDeep struct {
		Meta []inner `pulumi:"meta"`
	}
	type misspelt struct {
		Name string `pulumi:"name" provider:"Secret"`
	}
	type defaulted struct {
		Size int `pulumi:"size" default:"many"`
	}
	create := func(ctx, zoneArgs) (string, zone, error) { return "", zone{}, nil }
	zones := resource.Of[zoneArgs, zone]{Token: "demo:index:Zone", Create: create}
	for want, p := range map[string]resource.Package{
		"no tag with a name at resource_test.untagged.Name":                                                   {Resources: []resource.Resource{resource.Of[untagged, zone]{Token: "demo:index:Zone"}}},
		"expected a struct, found string":                                                                     {Resources: []resource.Resource{resource.Of[string, zone]{Token: "demo:index:Zone"}}},
		"demo:index:Zone: name: expected a word of the tag provider, such as secret, found Secret":            {Resources: []resource.Resource{resource.Of[misspelt, zone]{Token: "demo:index:Zone"}}},
		"demo:index:Zone: id: expected the word stable at a property of the resource, found it inside of one": {Resources: []resource.Resource{resource.Of[zoneArgs, tooDeep]{Token: "demo:index:Zone"}}},
		"demo:index:Zone: size: expected a number as default, found another text":                             {Resources: []resource.Resource{resource.Of[defaulted, zone]{Token: "demo:index:Zone"}}},
		`"other:index:Zone": expected a token such as demo:index:Name`:                                        {Resources: []resource.Resource{resource.Of[zoneArgs, zone]{Token: "other:index:Zone", Create: create}}},
		"demo:index:Zone occurs twice":                                                                        {Resources: []resource.Resource{zones, zones}},
		"demo:index:Zone has no Create":                                                                       {Resources: []resource.Resource{resource.Of[zoneArgs, zone]{Token: "demo:index:Zone"}}},
		"expected a resource, found nil":                                                                      {Resources: []resource.Resource{nil}},
		"the schema lacks demo:index:Zone":                                                                    {Resources: []resource.Resource{zones}, Schema: []byte(`{"name": "demo"}`)},
		"names: expected an optional string labels in the arguments":                                          {Resources: []resource.Resource{resource.Of[zoneArgs, zone]{Token: "demo:index:Zone", Create: create, Names: resource.Names{Property: "labels"}}}},
		"names: expected at most 32 random characters":                                                        {Resources: []resource.Resource{resource.Of[zoneArgs, zone]{Token: "demo:index:Zone", Create: create, Names: resource.Names{Property: "name", Random: 33}}}},
		"names: expected a length that has room for the prefix, a dash and the":                               {Resources: []resource.Resource{resource.Of[zoneArgs, zone]{Token: "demo:index:Zone", Create: create, Names: resource.Names{Property: "name", Max: 7}}}},
	} {
		p.Name = "demo"
		if _, err := resource.New(p); err == nil || !strings.HasPrefix(err.Error(), "resource: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Plain methods take the place of those of the provider, for one resource.
func TestPlain(t *testing.T) {
	plain := errors.New("plain")
	var b boxes
	p := b.configured(t, func(p *resource.Package) {
		r := b.resource()
		r.Plain = resource.Methods{
			Check: func(_ ctx, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
				return &rpc.CheckResponse{Inputs: r.News}, plain
			},
			Diff:   func(ctx, *rpc.DiffRequest) (*rpc.DiffResponse, error) { return nil, plain },
			Create: func(ctx, *rpc.CreateRequest) (*rpc.CreateResponse, error) { return nil, plain },
			Read:   func(ctx, *rpc.ReadRequest) (*rpc.ReadResponse, error) { return nil, plain },
			Update: func(ctx, *rpc.UpdateRequest) (*rpc.UpdateResponse, error) { return nil, plain },
			Delete: func(ctx, *rpc.DeleteRequest) (*rpc.Empty, error) { return nil, plain },
		}
		p.Resources = []resource.Resource{r}
	})
	_, checked := p.Check(t.Context(), &rpc.CheckRequest{URN: boxURN})
	_, diffed := p.Diff(t.Context(), &rpc.DiffRequest{URN: boxURN})
	_, created := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN})
	_, read := p.Read(t.Context(), &rpc.ReadRequest{URN: boxURN})
	_, updated := p.Update(t.Context(), &rpc.UpdateRequest{URN: boxURN})
	_, deleted := p.Delete(t.Context(), &rpc.DeleteRequest{URN: boxURN})
	for i, err := range []error{checked, diffed, created, read, updated, deleted} {
		if err != plain { //nolint:errorlint // it is not wrapped
			t.Errorf("method %d: %v", i, err)
		}
	}
}

// overriding is a provider with a Diff of its own.
type overriding struct{ *resource.Provider }

func (p overriding) Diff(ctx ctx, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	answer, err := p.Provider.Diff(ctx, r)
	if err == nil {
		answer.DeleteBeforeReplace = true
	}
	return answer, err
}

func TestOverriding(t *testing.T) {
	var b boxes
	var p rpc.Provider = overriding{b.configured(t)}
	r, err := p.Diff(t.Context(), &rpc.DiffRequest{URN: boxURN, OldInputs: object("size", number(1)), News: object("size", number(2))})
	if err != nil || !r.DeleteBeforeReplace || r.Changes != rpc.DiffSome {
		t.Errorf("%v, %v", r, err)
	}
}

// Differ changes what follows from the tags; Import returns another ID.
func TestDifferAndImport(t *testing.T) {
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[zoneArgs, zone]{
		Token:  "demo:index:Zone",
		Create: func(ctx, zoneArgs) (string, zone, error) { return "id", zone{}, nil },
		Import: func(_ ctx, id string) (string, zone, error) {
			if id == "none" {
				return "", zone{}, resource.ErrNotFound
			}
			return id + "#1", zone{Name: id}, nil
		},
		Differ: func(d *provider.Differ) { d.AnswerUnknown = true },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	const urn = "urn:pulumi:dev::shop::demo:index:Zone::a"
	d, err := p.Diff(t.Context(), &rpc.DiffRequest{URN: urn, OldInputs: object("name", text("a")), News: object("name", text("b"))})
	if err != nil || d.Changes != rpc.DiffUnknown {
		t.Errorf("%v, %v", d, err)
	}
	r, err := p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: "a"})
	if err != nil || r.ID != "a#1" || !r.Inputs.Identical(object("name", text("a"))) {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: "none"}); err != nil || r.ID != "" {
		t.Errorf("%v, %v", r, err)
	}
	state := object("name", text("a"))
	if r, err := p.Read(t.Context(), &rpc.ReadRequest{URN: urn, ID: "a#1", Inputs: state, Properties: state}); err != nil || !r.Properties.Identical(state) {
		t.Errorf("without Read: %v, %v", r, err)
	}
	if _, err := p.Update(t.Context(), &rpc.UpdateRequest{URN: urn, ID: "a#1", News: state, Olds: state}); err == nil {
		t.Error("without Update: no error")
	}
	if _, err := p.Delete(t.Context(), &rpc.DeleteRequest{URN: urn, ID: "a#1", Properties: state}); err != nil {
		t.Error(err)
	}
}

func TestHandshake(t *testing.T) {
	var b boxes
	p := b.provider(t)
	h, err := p.Handshake(t.Context(), &rpc.ProviderHandshakeRequest{})
	if err != nil || !h.AcceptSecrets || !h.AcceptResources || !h.AcceptOutputs || !h.AcceptsByteString || !h.SupportsAutonamingConfiguration {
		t.Errorf("%v, %v", h, err)
	}
	i, err := p.GetPluginInfo(t.Context(), &rpc.Empty{})
	if err != nil || i.Version != "1.0.0" {
		t.Errorf("%v, %v", i, err)
	}
	s, err := p.GetSchema(t.Context(), &rpc.GetSchemaRequest{})
	if err != nil || !strings.Contains(s.Schema, `"demo:index:Box"`) || p.Schema().Name() != "demo" {
		t.Errorf("%v, %v", s, err)
	}
	if compared, once := p.Rules("demo:index:Box"); compared.Equality == nil || len(once) != 1 || once[0].String() != "password" {
		t.Errorf("%v", once)
	}
	if _, once := p.Rules("demo:index:Other"); once != nil {
		t.Errorf("%v", once)
	}
}
