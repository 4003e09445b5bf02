package kit

import "github.com/propalg/propalg/value"

// The URNs of the tests' dependencies.
const (
	URNA = "urn:pulumi:s::p::t::a"
	URNB = "urn:pulumi:s::p::t::b"
)

// Object returns an object of keys and values that alternate.
func Object(pairs ...any) value.Value {
	var members []value.Member
	for i := 0; i < len(pairs); i += 2 {
		//nolint:errcheck,forcetypeassert // a test that passes others has to panic
		members = append(members, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}
	return value.Object(members...)
}

// Depends returns v with dependencies.
func Depends(v value.Value, urns ...string) value.Value { return v.WithDependencies(urns...) }

// Relations returns all of them.
func Relations() []value.Relation {
	all := make([]value.Relation, 16)
	for i := range all {
		all[i] = value.Relation(i) //nolint:gosec // below 16
	}
	return all
}
