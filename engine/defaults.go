package engine

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// withDefaultProviders returns the resources of a state in which each that needs a provider
// has one. In states of engines that had no provider resources, they get the default one of
// their package, which comes before all others.
func (r *run) withDefaultProviders(all []state.Resource) ([]state.Resource, error) {
	lacks := func(of state.Resource) bool { return of.Custom && of.Provider == "" && !isProvider(of.Type) }
	if !slices.ContainsFunc(all, lacks) {
		return all, nil
	}

	given := slices.Clone(all)
	var made []state.Resource
	references, urns := map[string]string{}, map[string]bool{}
	for i, of := range given {
		pkg := packageOf(of.Type)
		switch {
		case !lacks(of):
			continue
		case references[pkg] == "":
			p, err := defaultOf(&of, r.program.Defaults[pkg])
			if err != nil {
				return all, fmt.Errorf("%s: default provider: %w", of.URN, err)
			}
			made, references[pkg], urns[p.URN] = append(made, p), referenceOf(&p), true
		}
		given[i].Provider = references[pkg]
	}

	for _, of := range all {
		if urns[of.URN] && !of.Delete {
			return all, fmt.Errorf("%s: resources without a provider need it, and the state has another", of.URN)
		}
	}
	return append(made, given...), nil
}

// defaultOf returns the default provider for a resource of an old state. Whatever its version
// is, the name has none. Its outputs are those of every old provider: see withConfigState.
func defaultOf(of *state.Resource, inputs value.Value) (p state.Resource, err error) {
	parsed, err := urn.Parse(of.URN)
	if err != nil {
		return p, err
	}
	p.Type, p.Custom = providerType+packageOf(of.Type), true
	built, err := urn.Build(urn.Parts{Stack: parsed.Stack(), Project: parsed.Project(), Type: p.Type, Name: "default"})
	p.URN = built.String()
	if inputs.IsNull() {
		inputs = value.Object()
	}
	seed := seedOf(&p, nil)
	p.ID, p.Inputs = hex.EncodeToString(seed[:16]), inputs
	return p, err
}
