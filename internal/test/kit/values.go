package kit

import (
	"fmt"

	"github.com/propalg/propalg/value"
)

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

// WidePairs returns pairs of values that differ in up to so many places, as members, as
// elements and inside containers. They are meant for tests of memory that is used again.
func WidePairs(width int) [][2]value.Value {
	number := value.Number
	wide := func(x value.Value) value.Value {
		members := make([]value.Member, width)
		for i := range members {
			members[i] = value.Member{Key: fmt.Sprintf("k%d", i), Value: x}
		}
		return value.Object(members...)
	}
	one, two := wide(number(1)), wide(number(2))
	nested := func(x float64) value.Value { // as many containers as members
		return wide(value.Array(value.Secret(value.Array(number(x)))))
	}
	return [][2]value.Value{
		{one, two},
		{Object("a", one), Object("a", two)},
		{value.Array(one, two), value.Array(two, one, number(1))},
		{Object("a", one, "b", one, "c", number(1)), Object("a", two, "b", value.String("x"), "d", number(1))},
		{Depends(one, URNA), two},
		{value.Secret(one), two},
		{number(1), number(2)},
		{nested(1), nested(2)},
		{value.Array(nested(1), number(1)), value.Array(nested(2), number(2))},
	}
}

// Relations returns all of them.
func Relations() []value.Relation {
	all := make([]value.Relation, 16)
	for i := range all {
		all[i] = value.Relation(i) //nolint:gosec // below 16
	}
	return all
}
