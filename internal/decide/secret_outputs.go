package decide

import (
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// WithSecretOutputs returns a resource with the outputs as engines write them, whatever the
// provider returned in clear: those that AdditionalSecretOutputs names are secrets, but for
// the ID, and so are those whose input of the same name is one.
func WithSecretOutputs(r state.Resource) state.Resource {
	if len(r.AdditionalSecretOutputs) == 0 && !r.Inputs.ContainsSecret() {
		return r
	}

	named := map[string]bool{}
	for _, name := range r.AdditionalSecretOutputs {
		named[name] = name != "id"
	}
	isShown := func(name string, v value.Value) bool {
		return !v.IsSecret() && (named[name] || r.Inputs.Field(name).IsSecret())
	}
	for name, v := range r.Outputs.Members() {
		if isShown(name, v) {
			r.Outputs = withSecrets(r.Outputs, isShown)
			break
		}
	}
	return r
}

// withSecrets returns a bag in which the properties that a function chooses are secrets.
func withSecrets(bag value.Value, chosen func(name string, v value.Value) bool) value.Value {
	var members []value.Member
	for name, v := range bag.Members() {
		if chosen(name, v) {
			v = value.Secret(v)
		}
		members = append(members, value.Field(name, v))
	}

	return value.Object(members...).WithMarksOf(bag)
}
