package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// otherSchema is of a package whose resources the component may register.
const otherSchema = `{"name": "other", "resources": {
 "other:index:Page": {"inputProperties": {"text": {"type": "string"}}, "requiredInputs": ["text"], "properties": {"text": {"type": "string"}, "path": {"type": "string"}}, "required": ["text", "path"]},
 "other:index:Group": {"isComponent": true, "inputProperties": {"text": {"type": "string"}}, "properties": {"path": {"type": "string"}}, "required": ["path"]}},
 "functions": {"other:index:getPath": {"inputs": {"properties": {"text": {"type": "string"}}}, "outputs": {"properties": {"path": {"type": "string"}}, "required": ["path"]}}}}`

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

	address, err := s.address(ctx, monitor, page)
	if err != nil {
		return nil, err
	}
	isGroup := s.is("right: a component of another package")
	knows := s.is("right", "right: a page of another package", "right: a function") || isGroup
	if knows && ((page.ID == "") != (r.DryRun || isGroup) || address.IsUnknown() != r.DryRun) {
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

// address is the path of the page, or what a function says of it.
func (s sites) address(ctx context.Context, monitor *grpc.Monitor, page *rpc.RegisterResourceResponse) (value.Value, error) {
	switch {
	case s.is("right: a provider"):
		return value.String("none"), nil
	case !s.is("right: a function", "an argument of a function is wrong"):
		return page.Object.Field("path"), nil
	}
	q := &rpc.ResourceInvokeRequest{Tok: "other:index:getPath", Args: value.Object(value.Field("text", page.Object.Field("path")))}
	if s.is("an argument of a function is wrong") {
		q.Args = value.Object(value.Field("text", value.Number(1)))
	}
	got, err := monitor.Invoke(ctx, q)
	switch {
	case err != nil:
		return value.Null(), err
	case got.Unknown:
		return value.Unknown(), nil
	}
	if _, isText := got.Return.Field("path").AsString(); !isText {
		crash("a result that is not as the schema says")
	}
	return got.Return.Field("path"), nil
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
	case s.is("right: another package", "right: a page of another package"):
		q.Type = "other:index:Page"
	case s.is("right: a component of another package", "right: another component"):
		q.Type, q.Custom, q.Remote = "other:index:Group", false, true
	case s.is("right: a provider"):
		q.Type, q.Object = "pulumi:providers:other", value.Object()
	case s.is("an input of another package is wrong"):
		q.Type, q.Object = "other:index:Page", value.Object(value.Field("text", value.Number(1)))
	case s.is("another package does not have it"):
		q.Type = "other:index:Pages"
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
	other := "--schema " + schemaOfOther(t)
	for mode, row := range map[string]struct{ want, args string }{
		"refuses an unknown":                   {"Construct unknown-refused title", ""},
		"crashes on an unknown":                {"Construct crash", ""},
		"makes a text of an unknown":           {"Construct unknown-lost title", ""},
		"hangs":                                {"Construct hang", "--timeout 500ms"},
		"returns a secret in clear":            {"Construct schema-secret token", ""},
		"the state has another type":           {"Construct schema-mismatch title", ""},
		"an output is missing in an update":    {"Construct schema-mismatch address", live},
		"an output has the key":                {"Construct secret-derived address", ""},
		"returns another URN":                  {"Construct component-unregistered", ""},
		"a name is fixed":                      {"Construct name-fixed", ""},
		"a name is random":                     {"Construct not-repeatable", ""},
		"a parent is missing":                  {"Construct parent-missing", ""},
		"a parent is unknown":                  {"Construct parent-unknown", ""},
		"a dependency is unknown":              {"Construct dependency-unknown", ""},
		"a child is not in the schema":         {"Construct child-unknown", ""},
		"an input of a child is wrong":         {"Construct schema-mismatch t", ""},
		"a child gets the key in clear":        {"Construct secret-derived text", ""},
		"a name is taken":                      {"Construct name-taken", ""},
		"an input of another package is wrong": {"Construct schema-mismatch text", other},
		"an argument of a function is wrong":   {"Construct schema-mismatch text", other},
		"another package does not have it":     {"Construct child-unknown", other},
		"a method crashes":                     {"Call crash", live},
		"a method returns another type":        {"Call schema-mismatch seen", live},
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
		"right: a function":             "Construct refused ",
		"right: another component":      "Construct is called in previews only",
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

// TestOtherPackages: with the schemas of other packages, what a component has of them is made up
// in updates too.
func TestOtherPackages(t *testing.T) {
	args := siteArgs(t, "--live --functions * --schema "+schemaOfOther(t))
	for _, mode := range []string{"right: a page of another package", "right: a component of another package", "right: a function", "right: a provider"} {
		doc := document(t, "site: "+mode, args...)
		said := fmt.Sprint(doc.Subjects[0].Reached, doc.Subjects[0].Missed)
		if got := found(doc); got != nil || !strings.Contains(said, "Call ") || strings.Contains(said, "refused") {
			t.Errorf("%s: %q, and said: %s", mode, got, said)
		}
	}

	for text, want := range map[string]string{`{"name": "x"`: "not a package schema: ", `{}`: "not a package schema: schema: #/name: "} {
		name := filepath.Join(t.TempDir(), "schema.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, messages := tested(t, "site: right", "--schema", name); code != exitBad || !strings.Contains(messages, want) {
			t.Errorf("%s: %d %s", text, code, messages)
		}
	}
}

// schemaOfOther is a file with the schema of the other package.
func schemaOfOther(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(name, []byte(otherSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func siteArgs(t *testing.T, more string) []string {
	t.Helper()
	args := append([]string{"--resource", "x:index:Site", "--tries", "50"}, strings.Fields(more)...)
	if strings.Contains(more, "--live") {
		args = append(args, "--journal", journalIn(t))
	}
	return args
}
