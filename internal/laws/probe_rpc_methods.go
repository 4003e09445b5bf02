package laws

import (
	"context"

	"github.com/propalg/propalg/codec/rpc"
)

// asked is a probe of a method that a provider need not write.
func asked[Q, A any](name string, method func(context.Context, Q) (A, error), request func(s *scene) Q) probe {
	return probe{"codec/rpc.Unimplemented." + name, "", func(s *scene) {
		response, err := method(context.Background(), request(s))
		s.say(response, err)
	}}
}

// zero is a request with nothing in it.
func zero[Q any](*scene) *Q { return new(Q) }

// methodProbes are those of the methods of a provider that writes none.
func methodProbes() []probe {
	var u rpc.Unimplemented

	check := func(s *scene) *rpc.CheckRequest { return &rpc.CheckRequest{Olds: s.v, News: s.w} }
	diff := func(s *scene) *rpc.DiffRequest { return &rpc.DiffRequest{Olds: s.v, News: s.w} }

	return []probe{
		asked("Handshake", u.Handshake, zero[rpc.ProviderHandshakeRequest]), asked("Parameterize", u.Parameterize, zero[rpc.ParameterizeRequest]),
		asked("GetSchema", u.GetSchema, zero[rpc.GetSchemaRequest]), asked("CheckConfig", u.CheckConfig, check), asked("DiffConfig", u.DiffConfig, diff),
		asked("Configure", u.Configure, func(s *scene) *rpc.ConfigureRequest { return &rpc.ConfigureRequest{Args: s.v} }),
		asked("Invoke", u.Invoke, zero[rpc.InvokeRequest]), asked("Call", u.Call, zero[rpc.CallRequest]),
		asked("Check", u.Check, check), asked("Diff", u.Diff, diff),
		asked("Create", u.Create, func(s *scene) *rpc.CreateRequest { return &rpc.CreateRequest{Properties: s.v} }),
		asked("Read", u.Read, zero[rpc.ReadRequest]),
		asked("Update", u.Update, func(s *scene) *rpc.UpdateRequest { return &rpc.UpdateRequest{Olds: s.v, News: s.w} }),
		asked("Delete", u.Delete, func(s *scene) *rpc.DeleteRequest { return &rpc.DeleteRequest{Properties: s.v} }),
		asked("Construct", u.Construct, zero[rpc.ConstructRequest]),
		asked("Cancel", u.Cancel, zero[rpc.Empty]), asked("GetPluginInfo", u.GetPluginInfo, zero[rpc.Empty]), asked("Attach", u.Attach, zero[rpc.PluginAttach]),
		asked("GetMapping", u.GetMapping, zero[rpc.GetMappingRequest]), asked("GetMappings", u.GetMappings, zero[rpc.GetMappingsRequest]),
		{"codec/rpc.Unimplemented.List", "", func(s *scene) {
			s.say(u.List(context.Background(), &rpc.ListRequest{}, nil))
		}},
	}
}
