package state

import "github.com/propalg/propalg/value"

// SecretOutputs returns the outputs, with the secret mark on those that
// AdditionalSecretOutputs lists, even if the state has them in clear.
func (r *Resource) SecretOutputs() value.Value { return r.secretOutputs(value.Value{}) }

// secretOutputs leaves in clear what is secret in other outputs anyway, so that a
// comparison finds that it became secret, or no longer is.
func (r *Resource) secretOutputs(other value.Value) value.Value {
	if len(r.AdditionalSecretOutputs) == 0 || r.Outputs.Kind() != value.KindObject {
		return r.Outputs
	}

	listed := map[string]bool{}
	for _, name := range r.AdditionalSecretOutputs {
		listed[name] = true
	}
	members := make([]value.Member, 0, r.Outputs.Len())
	for key, v := range r.Outputs.Members() {
		if listed[key] && !other.Field(key).IsSecret() {
			v = value.Secret(v)
		}
		members = append(members, value.Member{Key: key, Value: v})
	}
	return value.Object(members...).WithMarksOf(r.Outputs)
}

// hideOutputs makes the outputs of two resources secret that are to be, where neither has
// them as secrets. Either may be nil.
func hideOutputs(old, now *Resource) {
	var before, after value.Value
	if old != nil {
		before = old.Outputs
	}
	if now != nil {
		after = now.Outputs
		now.Outputs = now.secretOutputs(before)
	}

	if old != nil {
		old.Outputs = old.secretOutputs(after)
	}
}
