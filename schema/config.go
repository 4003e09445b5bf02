package schema

import (
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// DecodeConfig returns the configuration that Configure, CheckConfig and DiffConfig are
// given. SDKs write every value that is not a string as JSON text, and so do the variables,
// whose names begin with that of the package, of older engines: arguments win over
// variables. Texts are read where the type of the property has no strings; they may contain
// secrets in Pulumi's wire format. Members that the configuration does not have are kept.
//
// The error is a [*bind.Error] with the places whose text is not JSON.
func (p *Package) DecodeConfig(args value.Value, variables map[string]string) (value.Value, error) {
	if args.IsNull() {
		args = value.Object().WithMarksOf(args)
	}

	for key, text := range variables {
		if name, ours := strings.CutPrefix(key, p.name+":"); ours && args.Field(name).IsNull() {
			args, _ = args.WithField(name, value.String(text))
		}
	}

	var problems []bind.Problem

	made, err := value.Transformer{Before: func(c *value.Cursor) (value.Value, error) {
		step, below := c.Step()
		if !below {
			return c.Value(), nil
		}

		c.SkipBelow()

		name, _ := step.Key()
		text, isText := c.Value().AsString()

		t := p.variable(name)
		if t == nil || !isText || admits(t, value.KindString) {
			return c.Value(), nil
		}

		v, err := codec.DecodeJSON(text, codec.Options{})
		if err != nil {
			problems = append(problems, bind.Problem{At: path.Show(path.Of(step), -1), Want: t.String() + " as JSON text", Found: "another text"})
		}

		return v, nil
	}}.Apply(args)
	if err != nil {
		return value.Value{}, err
	}

	if len(problems) > 0 {
		return value.Value{}, &bind.Error{Op: "schema: config", Problems: problems}
	}

	return made, nil
}

// variable returns the type of a configuration variable.
func (p *Package) variable(name string) *Type {
	if p.provider != nil {
		if v := p.provider.inputs.property(name); v != nil {
			return v.typ
		}
	}

	if v := p.config.property(name); v != nil {
		return v.typ
	}

	return nil
}
