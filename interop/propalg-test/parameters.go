package main

import (
	"encoding/base64"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
)

// parameters make another package of a provider: arguments, as users give them once, and what the
// schema that results says instead, which programs pass from then on.
type parameters struct {
	args  []string
	value *rpc.ParametersValue // nil: there is no schema yet, or it says nothing

	name, version string // of the package that the arguments make
}

// parameterize calls Parameterize before anything else, if there are parameters.
func (p *plugin) parameterize() error {
	q := &rpc.ParameterizeRequest{Value: p.parameters.value}
	switch {
	case q.Value != nil:
	case len(p.parameters.args) > 0:
		q.Args = &rpc.ParametersArgs{Args: p.parameters.args}
	default:
		return nil
	}

	answer, err := first(p, "Parameterize", p.client.Parameterize, q)
	if err == nil {
		p.parameters.name, p.parameters.version = answer.Name, answer.Version
	}
	return err
}

// parameterized reports whether the provider has to start again as programs start it: the schema
// that was read has the parameter that programs pass.
func (p *plugin) parameterized() (bool, error) {
	text, ok := p.schema.Document().Field("parameterization").Field("parameter").AsString()
	if !ok || p.parameters.value != nil || p.program.port != "" {
		return false, nil
	}
	parameter, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return false, fmt.Errorf("the parameter in the schema: %w", err)
	}
	p.parameters.value = &rpc.ParametersValue{Name: p.schema.Name(), Version: p.schema.Version(), Value: rpc.Hide(parameter)}
	return true, nil
}
