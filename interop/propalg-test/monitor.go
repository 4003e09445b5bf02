package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Of the program in which components are made: its stack, and a resource of it that all inputs
// depend on.
const (
	stackURN = "urn:pulumi:test::propalg-test::pulumi:pulumi:Stack::propalg-test-test"
	otherURN = "urn:pulumi:test::propalg-test::other:index:Other::other"
)

// inChild is where findings about the inputs of what a component registers are.
const inChild = "RegisterResource.object"

// inArgs is where findings about the arguments of functions that it calls are.
const inArgs = "Invoke.args"

// unknownID is the ID of a provider that is not configured in a preview.
const unknownID = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

// packages are those whose schemas are known.
type packages []*schema.Package

func (t *tester) packages() packages { return append(packages{t.schema}, t.o.schemas...) }

func (all packages) resource(token string) (*schema.Resource, bool) {
	for _, p := range all {
		if r, ok := p.Resource(token); ok {
			return r, true
		}
	}
	return nil, false
}

func (all packages) function(token string) (*schema.Function, bool) {
	for _, p := range all {
		if f, ok := p.Function(token); ok {
			return f, true
		}
	}
	return nil, false
}

// monitor is the resource monitor of one call of Construct. It makes nothing: of a resource whose
// schema is known the outputs are what that says, and in a preview all outputs are unknown.
type monitor struct {
	packages packages
	preview  bool
	seed     int

	mu       sync.Mutex
	all      []registered // in their order
	findings []check.Finding
}

// registered is a resource that a component registered or read.
type registered struct {
	urn, id string
	request *rpc.RegisterResourceRequest // nil: it was read
	state   value.Value
}

// answer answers a call.
func (m *monitor) answer(method string, data []byte) ([]byte, error) {
	request, _ := rpc.NewCall(method)
	if request == nil {
		return nil, status.Errorf(codes.Unimplemented, "unknown method %s", method)
	}
	if err := rpc.Decode(data, request, rpc.Options{DiscardUnknown: true}); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	var response rpc.Message
	var err error
	switch r := request.(type) {
	case *rpc.SupportsFeatureRequest:
		response = &rpc.SupportsFeatureResponse{HasSupport: true}
	case *rpc.RegisterPackageRequest:
		response = &rpc.RegisterPackageResponse{Ref: r.Name}
	case *rpc.RegisterResourceRequest:
		response, err = m.register(r)
	case *rpc.RegisterResourceOutputsRequest:
		m.isKnown("dependency-unknown", "outputs of ", r.URN)
		response = &rpc.Empty{}
	case *rpc.ReadResourceRequest:
		response, err = m.read(r)
	case *rpc.ResourceInvokeRequest:
		response, err = m.invoke(r)
	case *rpc.ResourceCallRequest:
		err = status.Errorf(codes.Unimplemented, "propalg-test calls no methods for components: %s", r.Tok)
	default:
		response = &rpc.Empty{}
	}
	if err != nil {
		return nil, err
	}
	return rpc.Append(nil, response, rpc.Options{})
}

// copied is a monitor for what comes later, which what goes on does not change; m.mu is held.
func (m *monitor) copied() *monitor {
	return &monitor{packages: m.packages, preview: m.preview, seed: m.seed, all: slices.Clone(m.all), findings: slices.Clone(m.findings)}
}

// find returns what has a URN.
func (m *monitor) find(named string) (registered, bool) {
	i := slices.IndexFunc(m.all, func(r registered) bool { return r.urn == named })
	if i < 0 {
		return registered{}, false
	}
	return m.all[i], true
}

func (m *monitor) say(severity check.Severity, code, format string, args ...any) {
	f := finding(code, fmt.Sprintf(format, args...))
	f.Severity = severity
	m.findings = append(m.findings, f)
}

// isKnown adds a finding about a URN that nothing has.
func (m *monitor) isKnown(code, what, named string) {
	if _, ok := m.find(named); !ok && named != stackURN && named != otherURN {
		m.say(check.SeverityError, code, "%s%s: nothing with this URN is registered, and engines fail", what, named)
	}
}

// urnOf returns the URN of a resource below a parent, which may be empty.
func urnOf(parent, kind, name string) (urn.URN, error) {
	above, err := urn.Parse(parent)
	if err != nil {
		above, err = urn.Parse(stackURN)
	}
	if err != nil {
		return urn.URN{}, err
	}
	return above.Child(kind, name)
}

func (m *monitor) register(r *rpc.RegisterResourceRequest) (*rpc.RegisterResourceResponse, error) {
	what := fmt.Sprintf("%s %q: ", r.Type, r.Name)
	if r.Parent != "" {
		m.isKnown("parent-unknown", what+"parent ", r.Parent)
	}
	for _, on := range r.Dependencies {
		m.isKnown("dependency-unknown", what+"depends on ", on)
	}
	for _, of := range r.PropertyDependencies {
		for _, on := range of.URNs {
			m.isKnown("dependency-unknown", what+"a property depends on ", on)
		}
	}
	made, err := urnOf(r.Parent, r.Type, r.Name)
	if err != nil {
		m.say(check.SeverityError, "urn-unreadable", "%s%v", what, err)
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if _, taken := m.find(made.String()); taken {
		m.say(check.SeverityError, "name-taken", "%sregistered twice, and engines fail then", what)
	}

	own := registered{urn: made.String(), request: r, state: r.Object}
	if r.Custom {
		own.id = m.id(made)
	}
	if r.Custom || r.Remote {
		own.state = m.outputs(made, r)
	}
	m.all = append(m.all, own)
	return &rpc.RegisterResourceResponse{URN: own.urn, ID: own.id, Object: own.state}, nil
}

// id is that of a resource, which is unknown in a preview.
func (m *monitor) id(made urn.URN) string {
	switch {
	case !m.preview:
		return "id-" + made.Name()
	case strings.HasPrefix(made.Type(), "pulumi:providers:"):
		return unknownID
	}
	return ""
}

// outputs is the state of a resource of which the inputs are known, and adds findings where they
// are not as the schema says.
func (m *monitor) outputs(made urn.URN, r *rpc.RegisterResourceRequest) value.Value {
	of, ok := m.packages.resource(r.Type)
	isOf := func(p *schema.Package) bool { return p.Name() == made.Package() }
	switch {
	case !ok && slices.ContainsFunc(m.packages, isOf):
		m.say(check.SeverityWarning, "child-unknown", "the schema has no resource %s, which the component registers", r.Type)
		return r.Object
	case !ok:
		return r.Object
	}

	m.findings = append(m.findings, mismatches(of.Inputs(), r.Object, inChild, fmt.Sprintf("the component registers %s %q with inputs that the schema does not allow", r.Type, r.Name))...)
	if m.preview {
		return r.Object.WithUnknowns(of.Outputs()...)
	}
	return fuzz.StateOf(of, r.Object, madeUp()).Example(m.seed)
}

// madeUp are the options of what a monitor makes up.
func madeUp() fuzz.Options {
	return fuzz.Options{Style: fuzz.Plain, NoSecrets: true, NoUnknowns: true, NoReferences: true, NoDependencies: true, NoSealed: true}
}

func (m *monitor) read(r *rpc.ReadResourceRequest) (*rpc.ReadResourceResponse, error) {
	made, err := urnOf(r.Parent, r.Type, r.Name)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	own := registered{urn: made.String(), id: r.ID, state: r.Properties}
	if of, ok := m.packages.resource(r.Type); ok && m.preview {
		own.state = own.state.WithUnknowns(of.State().Names()...)
	}
	m.all = append(m.all, own)
	return &rpc.ReadResourceResponse{URN: own.urn, Properties: own.state}, nil
}

// invoke knows the function that resolves references. All others may do anything, and are not
// called: the results of those whose schemas are known are made up.
func (m *monitor) invoke(r *rpc.ResourceInvokeRequest) (*rpc.ResourceInvokeResponse, error) {
	if r.Tok != "pulumi:pulumi:getResource" {
		return m.result(r)
	}
	text, _ := r.Args.Field("urn").AsString()
	own, ok := m.find(text)
	if !ok {
		return nil, status.Errorf(codes.NotFound, "there is no resource %s", text)
	}
	return &rpc.ResourceInvokeResponse{Return: value.Object(
		value.Field("urn", value.String(own.urn)), value.Field("id", value.String(own.id)), value.Field("state", own.state),
	)}, nil
}

// result makes up what a function returns, and adds findings where its arguments are not as the
// schema says.
func (m *monitor) result(r *rpc.ResourceInvokeRequest) (*rpc.ResourceInvokeResponse, error) {
	f, ok := m.packages.function(r.Tok)
	if !ok {
		return nil, status.Errorf(codes.Unimplemented, "propalg-test calls no functions for components, and no --schema has %s", r.Tok)
	}

	m.findings = append(m.findings, mismatches(f.Inputs(), r.Args, inArgs, fmt.Sprintf("the component calls %s with arguments that the schema does not allow", r.Tok))...)
	switch {
	case r.Args.ContainsUnknown():
		return &rpc.ResourceInvokeResponse{Unknown: true}, nil
	case f.Outputs() == nil:
		return &rpc.ResourceInvokeResponse{Return: value.Object()}, nil
	}
	return &rpc.ResourceInvokeResponse{Return: fuzz.OfType(f.Outputs(), madeUp()).Example(m.seed)}, nil
}
