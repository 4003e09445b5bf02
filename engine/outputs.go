package engine

import (
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// withSecretOutputs returns a resource with the outputs as engines write them, whatever the
// provider returned in clear: those that AdditionalSecretOutputs names are secrets, but for
// the ID, and so are those whose input of the same name is one.
func withSecretOutputs(r state.Resource) state.Resource {
	hidden := map[string]bool{}
	for _, name := range r.AdditionalSecretOutputs {
		hidden[name] = name != "id"
	}

	for name, v := range r.Inputs.Members() {
		hidden[name] = hidden[name] || v.IsSecret()
	}

	var members []value.Member
	isShown := false

	for name, v := range r.Outputs.Members() {
		if hidden[name] && !v.IsSecret() {
			isShown, v = true, value.Secret(v)
		}

		members = append(members, value.Field(name, v))
	}

	if isShown {
		r.Outputs = value.Object(members...).WithMarksOf(r.Outputs)
	}

	return r
}
