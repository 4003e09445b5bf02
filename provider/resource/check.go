package resource

import (
	"context"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// kindOf returns what a request is about.
func (p *Provider) kindOf(text, token string) (*kind, error) {
	if token == "" {
		u, err := urn.Parse(text)
		if err != nil {
			return nil, refused("%v", err)
		}
		token = u.Type()
	}
	if k := p.kinds[token]; k != nil {
		return k, nil
	}
	return nil, refused("there is no resource %q in package %s", token, p.Schema().Name())
}

// Check completes and checks inputs.
func (p *Provider) Check(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	k, err := p.kindOf(r.URN, r.Type)
	if err != nil {
		return nil, err
	}
	if k.plain.Check != nil {
		return k.plain.Check(ctx, r)
	}
	return run(ctx, p, r.URN, 0, func(ctx context.Context, c *call) (*rpc.CheckResponse, error) {
		return k.checked(ctx, p, c, r)
	}, k.marked, r.News, r.Olds)
}

func (k *kind) checked(ctx context.Context, p *Provider, c *call, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	inputs, nameless := k.names.named(r, r.News)
	if inputs.IsNull() {
		inputs = value.Object()
	}
	inputs, err := k.schema.Inputs().WithDefaults(inputs, p.pkg.Env)
	if err != nil {
		return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(r.News, err)}, nil
	}

	args := k.newArgs()
	info, err := bind.Decode(inputs, args, bind.Options{AllowUnknown: true})
	found := rpc.CheckFailuresOf(inputs, k.schema.Inputs().Check(inputs))
	if len(found) == 0 {
		found = rpc.CheckFailuresOf(inputs, err)
	}
	if nameless != nil {
		found = append(found, failures(inputs, []*invalid{nameless}, &c.hide)...)
	}
	found = append(found, secretsShown(k.argsType, inputs)...)
	if len(found) > 0 || k.check == nil {
		return response(inputs, found), nil
	}

	before, err := info.Encode(args)
	if err != nil {
		return nil, err
	}
	if err := k.check(ctx, args); err != nil {
		all, only := invalids(err)
		if !only {
			return nil, err
		}
		if found = failures(inputs, all, &c.hide); len(found) > 0 {
			return response(inputs, found), nil
		}
	}
	after, err := info.Encode(args)
	if err != nil {
		return nil, err
	}
	if !after.Identical(before) {
		inputs = internals(inputs, k.schema.Inputs().MarkSecrets(markDerived(after, inputs)))
	}
	return response(inputs, nil), nil
}

func response(inputs value.Value, found []rpc.CheckFailure) *rpc.CheckResponse {
	if len(found) > 0 {
		return &rpc.CheckResponse{Failures: found}
	}
	return &rpc.CheckResponse{Inputs: inputs}
}

// marked returns inputs or a state with the secrets of the schema marked.
func (k *kind) marked(v value.Value) value.Value {
	return k.schema.Inputs().MarkSecrets(k.schema.State().MarkSecrets(v))
}

// internals returns new inputs with the members of others that are no properties.
func internals(from, to value.Value) value.Value {
	for name, v := range from.Members() {
		if len(name) > 2 && name[:2] == "__" {
			to = with(to, name, v)
		}
	}
	return to
}

// secretsShown refuses secrets at the places with the tag shown.
func secretsShown(t *shape.Type, inputs value.Value) []rpc.CheckFailure {
	var found []rpc.CheckFailure
	for i := range t.Fields {
		f := &t.Fields[i]
		if v := inputs.Field(f.Name); f.Has("shown") && v.ContainsSecret() {
			at := path.Of(path.Key(f.Name))
			found = append(found, rpc.CheckFailureAt(inputs, at, "expected a value that is not secret, since it is shown, found a secret"))
		}
	}
	return found
}

// migrated returns what the engine sent of the past as this version of the provider has it.
func (k *kind) migrated(inputs, state value.Value) (value.Value, value.Value, error) {
	if k.migrate == nil || (inputs.IsNull() && state.IsNull()) {
		return inputs, state, nil
	}
	return k.migrate(inputs, state)
}

// arguments decodes inputs that are known.
func (k *kind) arguments(inputs value.Value) (any, error) {
	args := k.newArgs()
	if _, err := bind.Decode(inputs, args, bind.Options{}); err != nil {
		return nil, refusedBy(err)
	}
	for c := range inputs.Walk() { // fields of any value may have one
		if c.Value().IsUnknown() {
			return nil, refused("%s: expected a known value, found unknown", c.Shown())
		}
		if !c.Value().ContainsUnknown() {
			c.SkipBelow()
		}
	}
	return args, nil
}

// old decodes an old state, which may be that of an older version of the provider.
func (k *kind) old(state value.Value) (any, error) {
	made := k.newState()
	if state.IsNull() {
		return made, nil
	}
	if _, err := bind.Decode(state, made, bind.Options{AllowUnknown: true, AllowExtra: true, AllowMissing: true}); err != nil {
		return nil, refused("the old state does not fit, see Migrate: %v", err)
	}
	return made, nil
}
