package fuzz

import (
	"maps"
	"slices"

	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/value"
)

// property is what programs said of a property in a run, and what Check returned for it.
type property struct {
	times    int           // a program said something
	given    []value.Value // some different values
	returned value.Value   // the first
	varies   bool          // others were returned
}

// What is enough to say that Check ignores a property: so many different values, or both
// booleans, and so many inputs with them. Two values alone may both be out of bounds.
const (
	enoughGiven = 3
	enoughTimes = 20
)

// A run follows at most mostProperties properties.
const mostProperties = 1000

func (a *tried) checked(p Provider, news, inputs value.Value) {
	if a == nil {
		return
	}

	for name, said := range news.Members() {
		known := a.properties[name]
		if protocol.Nothing(said) || said.ContainsUnknown() || (known == nil && len(a.properties) == mostProperties) {
			continue
		}
		if known == nil {
			known = &property{returned: inputs.Field(name)}
			a.properties[name] = known
		}
		known.add(said, inputs.Field(name), func(x, y value.Value) bool {
			return len(p.differ(value.Object(value.Field(name, x)), value.Object(value.Field(name, y)))) == 0
		})
	}
}

func (s *property) add(said, returned value.Value, same func(x, y value.Value) bool) {
	s.times++

	s.varies = s.varies || !same(s.returned, returned)
	isNew := func() bool {
		return !slices.ContainsFunc(s.given, func(v value.Value) bool { return same(v, said) })
	}
	if !s.varies && len(s.given) < enoughGiven && isNew() {
		s.given = append(s.given, said)
	}
}

// ignored returns the names of the properties for which Check returned the same whatever the
// program said.
func (a *tried) ignored() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a.properties)) {
		s := a.properties[name]
		isBool := len(s.given) > 0 && s.given[0].Kind() == value.KindBool
		if !s.varies && s.times >= enoughTimes && (len(s.given) == enoughGiven || (len(s.given) == 2 && isBool)) {
			names = append(names, name)
		}
	}

	return names
}
