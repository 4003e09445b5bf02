package check_test

import (
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// TestViolationsOfIdentity: a request names its resource in one way.
func TestViolationsOfIdentity(t *testing.T) {
	const u = "urn:pulumi:s::p::q:r:P$a:b:C::n"
	provider, name, kind, other := "urn:pulumi:s::p::pulumi:providers:a::d", "d", "pulumi:providers:a", "e"
	for _, m := range []struct{ right, left, name, kind, none rpc.Message }{
		{&rpc.CheckRequest{URN: u, Name: "n", Type: "a:b:C"}, &rpc.CheckRequest{URN: u}, &rpc.CheckRequest{URN: u, Name: "m"}, &rpc.CheckRequest{URN: u, Type: "q:r:P"}, &rpc.CheckRequest{URN: "u"}},
		{&rpc.DiffRequest{URN: u, Name: "n", Type: "a:b:C"}, &rpc.DiffRequest{URN: u}, &rpc.DiffRequest{URN: u, Name: "m"}, &rpc.DiffRequest{URN: u, Type: "q:r:P"}, &rpc.DiffRequest{URN: "u"}},
		{&rpc.CreateRequest{URN: u, Name: "n", Type: "a:b:C"}, &rpc.CreateRequest{URN: u}, &rpc.CreateRequest{URN: u, Name: "m"}, &rpc.CreateRequest{URN: u, Type: "q:r:P"}, &rpc.CreateRequest{URN: "u"}},
		{&rpc.ReadRequest{URN: u, Name: "n", Type: "a:b:C"}, &rpc.ReadRequest{URN: u}, &rpc.ReadRequest{URN: u, Name: "m"}, &rpc.ReadRequest{URN: u, Type: "q:r:P"}, &rpc.ReadRequest{URN: "u"}},
		{&rpc.UpdateRequest{URN: u, Name: "n", Type: "a:b:C"}, &rpc.UpdateRequest{URN: u}, &rpc.UpdateRequest{URN: u, Name: "m"}, &rpc.UpdateRequest{URN: u, Type: "q:r:P"}, &rpc.UpdateRequest{URN: "u"}},
		{&rpc.DeleteRequest{URN: u, Name: "n", Type: "a:b:C"}, &rpc.DeleteRequest{URN: u}, &rpc.DeleteRequest{URN: u, Name: "m"}, &rpc.DeleteRequest{URN: u, Type: "q:r:P"}, &rpc.DeleteRequest{URN: "u"}},
		{&rpc.ConfigureRequest{URN: &provider, Name: &name, Type: &kind}, &rpc.ConfigureRequest{URN: &provider}, &rpc.ConfigureRequest{URN: &provider, Name: &other}, &rpc.ConfigureRequest{URN: &provider, Type: &other}, &rpc.ConfigureRequest{URN: &other}},
	} {
		violating{here(), m.right, nil, ""}.check(t)
		violating{here(), m.left, nil, ""}.check(t)
		violating{here(), m.name, nil, "error: request.name: urn-mismatch"}.check(t)
		violating{here(), m.kind, nil, "error: request.type: urn-mismatch"}.check(t)
		violating{here(), m.none, nil, "error: request.urn: urn-unreadable"}.check(t)
	}
}

// TestViolationsOfComponents: what Construct and Call return of dependencies, and of itself.
func TestViolationsOfComponents(t *testing.T) {
	const u = "urn:pulumi:s::p::a:b:C::n"
	plain, output := one("x", str("y")), one("x", str("y").WithDependencies(u))
	depends := map[string]rpc.PropertyDependencies{"x": {URNs: []string{u}}}
	for _, row := range []violating{
		{here(), &rpc.ConstructRequest{Type: "a:b:C", Name: "n"}, &rpc.ConstructResponse{URN: u, State: plain}, ""},
		{here(), &rpc.ConstructRequest{Type: "a:b:C", Name: "m"}, &rpc.ConstructResponse{URN: u}, "error: response.name: urn-mismatch"},
		{here(), &rpc.ConstructRequest{Type: "a:b:D", Name: "n"}, &rpc.ConstructResponse{URN: u}, "error: response.type: urn-mismatch"},
		{here(), &rpc.ConstructRequest{Type: "a:b:C", Name: "n"}, &rpc.ConstructResponse{URN: "n"}, "error: response.urn: urn-unreadable"},
		{here(), &rpc.ConstructRequest{CustomTimeouts: &rpc.CustomTimeouts{Create: "1m30s", Delete: "5ms", Update: "0s"}}, nil, ""},
		{here(), &rpc.ConstructRequest{CustomTimeouts: &rpc.CustomTimeouts{Create: "5", Delete: "-1s", Read: "soon"}}, nil, "error: request.customTimeouts.create: invalid-duration; error: request.customTimeouts.delete: invalid-duration; error: request.customTimeouts.read: invalid-duration"},
		{here(), &rpc.ConstructRequest{}, &rpc.ConstructResponse{State: output}, "error: response.state: not-accepted"},
		{here(), &rpc.ConstructRequest{AcceptsOutputValues: true}, &rpc.ConstructResponse{State: output}, ""},
		{here(), &rpc.ConstructRequest{InputDependencies: depends}, &rpc.ConstructResponse{State: plain}, "note: response.state: dependencies-lost"},
		{here(), &rpc.ConstructRequest{InputDependencies: depends}, &rpc.ConstructResponse{State: plain, StateDependencies: depends}, ""},
		{here(), &rpc.ConstructRequest{InputDependencies: depends, AcceptsOutputValues: true}, &rpc.ConstructResponse{State: plain}, ""},
		{here(), &rpc.CallRequest{}, &rpc.CallResponse{Return: output}, "error: response.return: not-accepted"},
		{here(), &rpc.CallRequest{AcceptsOutputValues: true}, &rpc.CallResponse{Return: output}, ""},
		{here(), &rpc.CallRequest{ArgDependencies: depends}, &rpc.CallResponse{Return: plain}, "note: response.return: dependencies-lost"},
		{here(), &rpc.CallRequest{ArgDependencies: depends}, &rpc.CallResponse{Return: plain, ReturnDependencies: depends}, ""},
		{here(), &rpc.CallRequest{ArgDependencies: depends}, &rpc.CallResponse{Return: one("x", value.Null())}, "note: response.return: dependencies-lost"},
		{here(), &rpc.CallRequest{ArgDependencies: depends}, &rpc.CallResponse{Failures: []rpc.CheckFailure{{Property: "x"}}}, "warning: response.failures[0].reason: reason-missing"},
	} {
		row.check(t)
	}
}

// TestViolationsOfPackages: a package and a mapping are those that were asked for.
func TestViolationsOfPackages(t *testing.T) {
	asked, args := &rpc.ParameterizeRequest{Value: &rpc.ParametersValue{Name: "p", Version: "1.0.0"}}, &rpc.ParameterizeRequest{Args: &rpc.ParametersArgs{}}
	data := rpc.Hide([]byte("x"))
	for _, row := range []violating{
		{here(), asked, &rpc.ParameterizeResponse{Name: "p", Version: "1.0.0"}, ""},
		{here(), asked, &rpc.ParameterizeResponse{Name: "q", Version: "1.0.1"}, "error: response.name: other-package; error: response.version: other-package"},
		{here(), args, &rpc.ParameterizeResponse{Name: "q", Version: "1.0.1"}, ""},
		{here(), args, &rpc.ParameterizeResponse{}, "error: response.name: other-package; error: response.version: other-package"},
		{here(), &rpc.GetMappingRequest{Provider: "p"}, &rpc.GetMappingResponse{Provider: "p", Data: data}, ""},
		{here(), &rpc.GetMappingRequest{Provider: "p"}, &rpc.GetMappingResponse{Provider: "q", Data: data}, "error: response.provider: other-mapping"},
		{here(), &rpc.GetMappingRequest{Provider: "p"}, &rpc.GetMappingResponse{}, ""},
		{here(), &rpc.GetMappingRequest{}, &rpc.GetMappingResponse{Provider: "q", Data: data}, ""},
	} {
		row.check(t)
	}
}

// TestViolationsOfNames: Check names a resource as it was told.
func TestViolationsOfNames(t *testing.T) {
	const u = "urn:pulumi:s::p::a:b:C::web"
	as := func(mode rpc.AutonamingMode) *rpc.CheckRequest {
		return &rpc.CheckRequest{URN: u, News: one("a", str("1")), Autonaming: &rpc.AutonamingOptions{ProposedName: "web-1", Mode: mode}}
	}
	named := func(name string) *rpc.CheckResponse {
		return &rpc.CheckResponse{Inputs: obj("a", str("1"), "name", str(name))}
	}
	kept := as(rpc.AutonamingEnforce)
	kept.Olds = one("name", str("web-old"))
	sent := as(rpc.AutonamingDisable)
	sent.News = obj("a", str("1"), "name", str("web"))
	for _, row := range []violating{
		{here(), as(rpc.AutonamingPropose), named("web-2"), ""},
		{here(), as(rpc.AutonamingEnforce), named("web-1"), ""},
		{here(), as(rpc.AutonamingEnforce), named("web-2"), "warning: response.inputs: name: autonamed"},
		{here(), as(rpc.AutonamingEnforce), named("web is a word"), ""},
		{here(), as(rpc.AutonamingEnforce), named("other"), ""},
		{here(), as(rpc.AutonamingDisable), named("web-1"), "warning: response.inputs: name: autonamed"},
		{here(), &rpc.CheckRequest{URN: u, News: one("a", str("1"))}, named("web-2"), ""},
		{here(), kept, named("web-old"), ""},
		{here(), as(rpc.AutonamingDisable), &rpc.CheckResponse{Inputs: named("web-1").Inputs, Failures: []rpc.CheckFailure{{Property: "name", Reason: "required"}}}, "note: response.inputs: inputs-unused"},
		{here(), as(rpc.AutonamingDisable), &rpc.CheckResponse{Inputs: obj("a", str("1"), "password", value.Secret(str("web-1")))}, ""},
		{here(), sent, named("web"), ""},
	} {
		row.check(t)
	}
}
