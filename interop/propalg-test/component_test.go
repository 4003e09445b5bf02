package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

const siteSchema = `{"name": "x", "version": "1.2.3", "resources": {
 "x:index:Site": {"isComponent": true,
  "inputProperties": {"title": {"type": "string"}, "key": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}, "size": {"type": "integer", "plain": true}}, "requiredInputs": ["title"],
  "properties": {"title": {"type": "string"}, "address": {"type": "string"}, "token": {"type": "string", "secret": true}}, "required": ["title", "address"],
  "methods": {"look": "x:index:Site/look"}},
 "x:index:Page": {"inputProperties": {"text": {"type": "string"}}, "requiredInputs": ["text"], "properties": {"text": {"type": "string"}, "path": {"type": "string"}}, "required": ["text", "path"]}},
 "functions": {"x:index:Site/look": {"inputs": {"properties": {"__self__": {"$ref": "#/resources/x:index:Site"}, "deep": {"type": "boolean"}}, "required": ["__self__"]}, "outputs": {"properties": {"seen": {"type": "string"}}, "required": ["seen"]}}}}`

// sites is a provider of one component, a site with a page. Its mode names a mistake, or something
// unusual that is right.
type sites struct {
	grpc.Unimplemented

	mode string
}

func (s sites) is(modes ...string) bool { return slices.Contains(modes, s.mode) }

func (s sites) Handshake(context.Context, *rpc.ProviderHandshakeRequest) (*rpc.ProviderHandshakeResponse, error) {
	return &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: !s.is("right: no outputs")}, nil
}

func (s sites) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true, SupportsPreview: true, AcceptOutputs: !s.is("right: no outputs")}, nil
}

func (sites) GetSchema(context.Context, *rpc.GetSchemaRequest) (*rpc.GetSchemaResponse, error) {
	return &rpc.GetSchemaResponse{Schema: siteSchema}, nil
}

func (s sites) Construct(ctx context.Context, r *rpc.ConstructRequest) (*rpc.ConstructResponse, error) {
	monitor, err := grpc.ConnectMonitor(r.MonitorEndpoint)
	if err != nil {
		return nil, err
	}
	defer func() { _ = monitor.Close() }()

	title := r.Inputs.Field("title")
	if title.IsUnknown() {
		switch {
		case s.is("refuses an unknown"):
			return nil, errors.New("title: expected a text")
		case s.is("crashes on an unknown"):
			crash("title")
		case s.is("makes a text of an unknown"):
			title = value.String("")
		}
	}
	if s.is("refuses all") {
		return nil, errors.New("no licence")
	}
	if s.is("hangs") {
		select {}
	}
	if size := r.Inputs.Field("size"); size.IsSecret() || size.IsUnknown() || size.HasDependencies() || len(r.InputDependencies["size"].URNs) > 0 {
		crash("no program can send that where a plain value is wanted")
	}

	own, err := monitor.RegisterResource(ctx, &rpc.RegisterResourceRequest{Type: r.Type, Name: r.Name, Parent: r.Parent})
	if err != nil {
		return nil, err
	}
	page, err := s.page(ctx, monitor, r, own.URN)
	if err != nil {
		return nil, err
	}

	address := page.Object.Field("path")
	if s.is("right") && ((page.ID == "") != r.DryRun || address.IsUnknown() != r.DryRun) {
		crash("what a preview does not know, and an update does")
	}
	if address.IsNull() && r.DryRun {
		address = value.Unknown()
	}
	state := value.Object(value.Field("title", title), value.Field("address", address), value.Field("token", value.Secret(value.String("t"))))
	switch {
	case s.is("returns a secret in clear"):
		state = state.Reveal()
	case s.is("the state has another type"):
		state = withField(state, "title", value.Number(1))
	case s.is("right: no address in previews") && r.DryRun, s.is("an output is missing in an update") && !r.DryRun:
		state = withoutField(state, "address")
	case s.is("an output has the key"):
		key, _ := r.Inputs.Field("key").AsString()
		state = withField(state, "address", value.String("https://u:"+key+"@x"))
	case s.is("returns another URN"):
		own.URN += "-x"
	}
	if _, err := monitor.RegisterResourceOutputs(ctx, &rpc.RegisterResourceOutputsRequest{URN: own.URN, Outputs: state}); err != nil {
		return nil, err
	}
	return &rpc.ConstructResponse{URN: own.URN, State: state}, nil
}

// page registers the page of a site.
func (s sites) page(ctx context.Context, monitor *grpc.Monitor, r *rpc.ConstructRequest, site string) (*rpc.RegisterResourceResponse, error) {
	text := r.Inputs.Field("key").DropDependencies()
	if text.IsNull() {
		text = value.String("none")
	}
	q := &rpc.RegisterResourceRequest{
		Type: "x:index:Page", Name: r.Name + "-page", Parent: site, Custom: true, Object: value.Object(value.Field("text", text)),
		PropertyDependencies: map[string]rpc.PropertyDependencies{"text": r.InputDependencies["key"]},
	}
	switch {
	case s.is("a name is fixed"):
		q.Name = "page"
	case s.is("a name is random"):
		q.Name += fmt.Sprint(rand.IntN(1 << 30))
	case s.is("a parent is missing"):
		q.Parent = ""
	case s.is("a parent is unknown"):
		q.Parent = site + "-x"
	case s.is("a dependency is unknown"):
		q.Dependencies = []string{site + "-x"}
	case s.is("a child is not in the schema"):
		q.Type = "x:index:Pages"
	case s.is("an input of a child is wrong"):
		q.Object = value.Object(value.Field("txet", text))
	case s.is("a child gets the key in clear"):
		q.Object = q.Object.Reveal()
	case s.is("a name is taken"):
		if _, err := monitor.RegisterResource(ctx, q); err != nil {
			return nil, err
		}
	case s.is("right: another package"):
		q.Type = "other:index:Page"
	}
	return monitor.RegisterResource(ctx, q)
}

func (s sites) Call(ctx context.Context, r *rpc.CallRequest) (*rpc.CallResponse, error) {
	monitor, err := grpc.ConnectMonitor(r.MonitorEndpoint)
	if err != nil {
		return nil, err
	}
	defer func() { _ = monitor.Close() }()
	own, _ := r.Args.Field("__self__").AsResourceReference()
	if _, err := monitor.Resolve(ctx, own); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2) //nolint:gocritic // the test fails for it
	}
	switch {
	case s.is("a method crashes"):
		crash("look")
	case s.is("a method returns another type"):
		return &rpc.CallResponse{Return: value.Object(value.Field("seen", value.Bool(true)))}, nil
	}
	return &rpc.CallResponse{Return: value.Object(value.Field("seen", value.String("all")))}, nil
}

// TestComponents: mistakes of components are found, without making anything.
func TestComponents(t *testing.T) {
	const live = "--live --functions *"
	for mode, row := range map[string]struct{ want, args string }{
		"refuses an unknown":                {"Construct unknown-refused title", ""},
		"crashes on an unknown":             {"Construct crash", ""},
		"makes a text of an unknown":        {"Construct unknown-lost title", ""},
		"hangs":                             {"Construct hang", "--timeout 500ms"},
		"returns a secret in clear":         {"Construct schema-secret token", ""},
		"the state has another type":        {"Construct schema-mismatch title", ""},
		"an output is missing in an update": {"Construct schema-mismatch address", live},
		"an output has the key":             {"Construct secret-derived address", ""},
		"returns another URN":               {"Construct component-unregistered", ""},
		"a name is fixed":                   {"Construct name-fixed", ""},
		"a name is random":                  {"Construct not-repeatable", ""},
		"a parent is missing":               {"Construct parent-missing", ""},
		"a parent is unknown":               {"Construct parent-unknown", ""},
		"a dependency is unknown":           {"Construct dependency-unknown", ""},
		"a child is not in the schema":      {"Construct child-unknown", ""},
		"an input of a child is wrong":      {"Construct schema-mismatch t", ""},
		"a child gets the key in clear":     {"Construct secret-derived text", ""},
		"a name is taken":                   {"Construct name-taken", ""},
		"a method crashes":                  {"Call crash", live},
		"a method returns another type":     {"Call schema-mismatch seen", live},
	} {
		got := found(document(t, "site: "+mode, siteArgs(t, row.args)...))
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, row.want) }) {
			t.Errorf("%s: no %q among %q", mode, row.want, got)
		}
	}
}

// TestRightComponents: components without mistakes have no findings, and it is said what was
// called.
func TestRightComponents(t *testing.T) {
	for mode, want := range map[string]string{
		"right":             "Call ",
		"right: no outputs": "Call ",

		"right: no address in previews": "Call ",
		"right: another package":        "Construct is called in previews only",
		"refuses all":                   "Construct refused ",
	} {
		for how, not := range map[string]string{"": "Call ", "--live --functions *": "without --live"} {
			doc := document(t, "site: "+mode, siteArgs(t, how)...)
			said := fmt.Sprint(doc.Subjects[0].Reached, doc.Subjects[0].Missed)
			if got := found(doc); got != nil || len(doc.Subjects) != 1 || strings.Contains(said, not) || (how != "" && !strings.Contains(said, want)) {
				t.Errorf("%s %s: %q, and said: %s", mode, how, got, said)
			}
		}
	}
}

func siteArgs(t *testing.T, more string) []string {
	t.Helper()
	args := append([]string{"--resource", "x:index:Site", "--tries", "50"}, strings.Fields(more)...)
	if strings.Contains(more, "--live") {
		args = append(args, "--journal", journalIn(t))
	}
	return args
}
