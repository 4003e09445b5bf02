package check_test

import (
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// newEngine returns the Configure of an engine that makes a handshake.
func newEngine() *rpc.ConfigureRequest {
	return &rpc.ConfigureRequest{AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true, SendsOldInputsToDelete: true}
}

// TestSessionAgreed: a call uses what both sides announced, and Configure says what the handshake
// did.
func TestSessionAgreed(t *testing.T) {
	const u, p = "urn:pulumi:s::p::a:b:C::n", "urn:pulumi:s::p::pulumi:providers:a::default"
	all := &rpc.ProviderHandshakeRequest{SupportsViews: true, SupportsRefreshBeforeUpdate: true, InvokeWithPreview: true, AcceptsByteString: true}
	takes := &rpc.ProviderHandshakeResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, AcceptsByteString: true}
	yes := &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, SupportsPreview: true}
	plain := &rpc.ConfigureResponse{SupportsPreview: true}
	hand, handNothing := turn{all, takes, ""}, turn{&rpc.ProviderHandshakeRequest{}, &rpc.ProviderHandshakeResponse{}, ""}
	configure, configurePlain := turn{newEngine(), yes, ""}, turn{newEngine(), plain, ""}
	create := func(m *rpc.CreateRequest, r *rpc.CreateResponse, want string) turn {
		m.URN = u
		return turn{m, r, want}
	}
	made := &rpc.CreateResponse{ID: "i", Properties: one("a", value.String("x"))}
	secret, reference := one("a", value.Secret(value.String("x"))), one("a", value.ResourceReference{URN: u, ID: value.KnownID("i")}.Value())
	bytes, output := one("a", value.String("\xff")), one("a", value.String("x").WithDependencies(u))

	for name, turns := range map[string][]turn{
		"all that was announced": {
			hand, configure,
			create(&rpc.CreateRequest{Properties: secret, Preview: true, ResourceStatusAddress: "x"}, &rpc.CreateResponse{Properties: secret, RefreshBeforeUpdate: true}, ""),
			create(&rpc.CreateRequest{Properties: output}, made, ""),
			{&rpc.InvokeRequest{Args: reference, Preview: true}, &rpc.InvokeResponse{Return: bytes}, ""},
			{&rpc.ReadRequest{URN: u, ID: "i", OldViews: []rpc.View{{}}}, &rpc.ReadResponse{ID: "i", RefreshBeforeUpdate: true}, ""},
			{&rpc.UpdateRequest{URN: u, ID: "i", OldViews: []rpc.View{{}}}, &rpc.UpdateResponse{RefreshBeforeUpdate: true}, ""},
			{&rpc.DeleteRequest{URN: u, ID: "j", Properties: bytes, OldViews: []rpc.View{{}}}, &rpc.Empty{}, "request.id: unrecorded-id"},
		},
		"nothing was announced": {
			handNothing, configurePlain,
			create(&rpc.CreateRequest{Properties: secret, ResourceStatusAddress: "x"}, &rpc.CreateResponse{ID: "i", RefreshBeforeUpdate: true},
				"request.resource_status_address: not-announced; response.refresh_before_update: not-announced"),
			{&rpc.InvokeRequest{Args: reference, Preview: true}, &rpc.InvokeResponse{Return: bytes}, "request.preview: not-announced; response.return: not-accepted"},
			{&rpc.DeleteRequest{URN: u, ID: "i", OldInputs: output, OldViews: []rpc.View{{}}}, &rpc.Empty{}, "request.old_views: not-announced"},
			{&rpc.ReadRequest{URN: u, ID: "i", OldViews: []rpc.View{{}}}, &rpc.ReadResponse{ID: "i", RefreshBeforeUpdate: true}, "request.old_views: not-announced; response.refresh_before_update: not-announced"},
			{&rpc.UpdateRequest{URN: u, ID: "i", OldViews: []rpc.View{{}}}, &rpc.UpdateResponse{RefreshBeforeUpdate: true}, "request.old_views: not-announced; response.refresh_before_update: not-announced"},
			{&rpc.CheckRequest{URN: u, News: bytes}, &rpc.CheckResponse{Inputs: bytes}, "response.inputs: not-accepted"},
			{&rpc.CheckRequest{URN: p, News: secret}, &rpc.CheckResponse{Inputs: secret}, ""}, // each provider takes secrets in its configuration
		},
		"no handshake": {
			{&rpc.ConfigureRequest{}, &rpc.ConfigureResponse{}, ""},
			create(&rpc.CreateRequest{Properties: one("a", value.String("x")), Preview: true}, &rpc.CreateResponse{}, "request.preview: not-announced"),
			create(&rpc.CreateRequest{Properties: secret}, &rpc.CreateResponse{ID: "i", Properties: secret}, "response.properties: not-accepted"),
		},
		"nothing is known":      {create(&rpc.CreateRequest{Properties: secret, Preview: true, ResourceStatusAddress: "x"}, made, "")},
		"the handshake differs": {hand, {newEngine(), plain, "response.acceptSecrets: handshake-differs; response.acceptResources: handshake-differs; response.acceptOutputs: handshake-differs"}},
		"names differ":          {hand, {newEngine(), &rpc.ConfigureResponse{AcceptSecrets: true, AcceptResources: true, AcceptOutputs: true, SupportsPreview: true, SupportsAutonamingConfiguration: true}, "response.supports_autonaming_configuration: handshake-differs"}},
		"no previews":           {handNothing, {newEngine(), &rpc.ConfigureResponse{}, "response.supportsPreview: preview-unsupported"}},
		"an old engine":         {handNothing, {&rpc.ConfigureRequest{AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true}, plain, "request.sends_old_inputs_to_delete: engine-flag"}},
		"a flag of references":  {handNothing, {&rpc.ConfigureRequest{AcceptSecrets: true, SendsOldInputs: true, SendsOldInputsToDelete: true}, plain, "request.acceptResources: engine-flag"}},
		"a flag of secrets":     {handNothing, {&rpc.ConfigureRequest{AcceptResources: true, SendsOldInputsToDelete: true}, plain, "request.acceptSecrets: engine-flag; request.sends_old_inputs: engine-flag"}},
		"twice":                 {handNothing, configurePlain, {newEngine(), plain, "request.args: configured-twice"}},
		"two instances":         {handNothing, configurePlain, handNothing, configurePlain},
		"two providers":         {handNothing, hand, configure, configurePlain, create(&rpc.CreateRequest{Properties: secret, ResourceStatusAddress: "x"}, &rpc.CreateResponse{ID: "i", Properties: secret}, "")},
		"two handshakes":        {handNothing, hand, configurePlain, create(&rpc.CreateRequest{Properties: one("a", value.String("x")), ResourceStatusAddress: "x"}, made, "")},
		"two configurations":    {handNothing, handNothing, configurePlain, {newEngine(), &rpc.ConfigureResponse{}, ""}, create(&rpc.CreateRequest{Preview: true}, &rpc.CreateResponse{}, "")},
		"outputs of resources":  {handNothing, configurePlain, create(&rpc.CreateRequest{}, &rpc.CreateResponse{ID: "i", Properties: output}, "")},
		"no answers":            {{all, nil, ""}, {newEngine(), nil, ""}, create(&rpc.CreateRequest{Properties: secret, Preview: true}, made, "")},
	} {
		session(t, name, turns)
	}
}

// TestSessionReads: inputs that were read are such as Check returns.
func TestSessionReads(t *testing.T) {
	const u = "urn:pulumi:s::p::a:b:C::n"
	short, whole := one("a", value.String("x")), one("a", value.String("X"))
	configure := turn{&rpc.ConfigureRequest{}, &rpc.ConfigureResponse{}, ""}
	read := turn{&rpc.ReadRequest{URN: u, ID: "i"}, &rpc.ReadResponse{ID: "i", Inputs: short, Properties: short}, ""}
	for name, turns := range map[string][]turn{
		"as Check returns them": {configure, read, {&rpc.CheckRequest{URN: u, Olds: short, News: short}, &rpc.CheckResponse{Inputs: short}, ""}},
		"otherwise":             {configure, read, {&rpc.CheckRequest{URN: u, Olds: short, News: short}, &rpc.CheckResponse{Inputs: whole}, "response.inputs: read-differs"}},
		"of other inputs":       {configure, read, {&rpc.CheckRequest{URN: u, Olds: short, News: whole}, &rpc.CheckResponse{Inputs: short}, ""}},
	} {
		session(t, name, turns)
	}
}

// TestSessionMappings: of each provider that GetMappings names there is a mapping.
func TestSessionMappings(t *testing.T) {
	const missing = "response.data: mapping-missing"
	names := turn{&rpc.GetMappingsRequest{Key: "terraform"}, &rpc.GetMappingsResponse{Providers: []string{"p", "q"}}, ""}
	ask := func(key, name, data, want string) turn {
		return turn{&rpc.GetMappingRequest{Key: key, Provider: name}, &rpc.GetMappingResponse{Provider: name, Data: rpc.Hide([]byte(data))}, want}
	}
	for name, turns := range map[string][]turn{
		"named":              {names, ask("terraform", "p", "x", ""), ask("terraform", "q", "", missing)},
		"of another key":     {names, ask("arm", "p", "", "")},
		"not named":          {names, ask("terraform", "r", "", ""), ask("terraform", "", "", "")},
		"not asked for":      {ask("terraform", "p", "", "")},
		"no names":           {{&rpc.GetMappingsRequest{}, nil, ""}, ask("", "p", "", "")},
		"the call fails":     {names, {&rpc.GetMappingRequest{Key: "terraform", Provider: "p"}, nil, ""}},
		"a key like another": {{&rpc.GetMappingsRequest{Key: "p"}, &rpc.GetMappingsResponse{Providers: []string{"q"}}, ""}, ask("q", "p", "", "")},
	} {
		session(t, name, turns)
	}
}
