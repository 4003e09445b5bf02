package resource

import (
	"context"
	"errors"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Create makes a resource, or says in a preview what it will be.
func (p *Provider) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	k, err := p.kindOf(r.URN, r.Type)
	if err != nil {
		return nil, err
	}
	if k.plain.Create != nil {
		return k.plain.Create(ctx, r)
	}
	return run(ctx, p, r.URN, r.Timeout, func(ctx context.Context, c *call) (*rpc.CreateResponse, error) {
		inputs := r.Properties
		if r.Preview {
			state, err := k.preview(ctx, inputs, value.Null())
			return &rpc.CreateResponse{Properties: state}, err
		}
		if err := p.ready(); err != nil {
			return nil, err
		}
		args, err := k.arguments(inputs)
		if err != nil {
			return nil, err
		}
		id, state, failed := k.create(ctx, args)
		made, err := k.result(c, id, inputs, value.Null(), state, failed)
		if err == nil && id == "" {
			err = errors.New("resource: Create returned an empty ID")
		}
		if containsAny(id, derivable(inputs)) {
			return nil, errors.New("resource: Create returned an ID that shows a secret: the tag shown makes Check refuse secrets in the arguments that it is made of")
		}
		return &rpc.CreateResponse{ID: id, Properties: made}, err
	}, k.marked, r.Properties)
}

// Update changes a resource, or says in a preview what it will be.
func (p *Provider) Update(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	k, err := p.kindOf(r.URN, r.Type)
	if err != nil {
		return nil, err
	}
	if k.plain.Update != nil {
		return k.plain.Update(ctx, r)
	}
	return run(ctx, p, r.URN, r.Timeout, func(ctx context.Context, c *call) (*rpc.UpdateResponse, error) {
		inputs := r.News
		oldInputs, olds, err := k.migrated(r.OldInputs, r.Olds)
		if err != nil {
			return nil, err
		}
		if r.Preview {
			state, err := k.preview(ctx, k.respelled(inputs, oldInputs, olds), olds)
			return &rpc.UpdateResponse{Properties: state}, err
		}
		if k.update == nil {
			return nil, refused("%s cannot be updated", k.token)
		}
		if err := p.ready(); err != nil {
			return nil, err
		}
		args, err := k.arguments(inputs)
		if err != nil {
			return nil, err
		}
		old, err := k.old(olds)
		if err != nil {
			return nil, err
		}
		state, failed := k.update(ctx, r.ID, old, args)
		made, err := k.result(c, r.ID, inputs, olds, state, failed)
		return &rpc.UpdateResponse{Properties: made}, err
	}, k.marked, r.News, r.Olds, r.OldInputs)
}

// result returns the state that a function returned, and its error. A partial failure has the
// state.
func (k *kind) result(c *call, id string, inputs, old value.Value, state any, failed error) (value.Value, error) {
	var unready *unready
	isPartial := errors.As(failed, &unready)
	if failed != nil && !isPartial {
		return value.Value{}, failed
	}
	made, err := k.encoded(inputs, old, state)
	if err != nil && id != "" { // the resource is there, and is not to be forgotten
		detail := &rpc.ErrorResourceInitFailed{ID: id, Inputs: inputs, Properties: k.model(inputs, old)}
		return value.Value{}, c.partial([]string{err.Error()}, err, detail)
	}
	if err != nil {
		return value.Value{}, err
	}
	made = k.kept(made, inputs)
	c.hide.add(made)
	if !isPartial {
		return made, nil
	}
	if id == "" {
		return value.Value{}, errors.New("resource: InitFailed without an ID: " + unready.Error())
	}

	return value.Value{}, c.partial(unready.reasons, failed, &rpc.ErrorResourceInitFailed{ID: id, Inputs: inputs, Properties: made})
}

// partial returns the error for a resource that is there and does not work.
func (c *call) partial(reasons []string, err error, detail *rpc.ErrorResourceInitFailed) error {
	for _, reason := range reasons {
		detail.Reasons = append(detail.Reasons, c.hide.mask(reason))
	}
	return &protocol.PartialFailure{Text: c.hide.mask(errorText(err)), Detail: detail}
}

// encoded returns a state as a value, with the marks of the inputs and of the old state.
func (k *kind) encoded(inputs, old value.Value, state any) (value.Value, error) {
	model := k.model(inputs, old)
	v, err := bind.Internal.EncodeLike(state, model)
	if err != nil {
		return value.Value{}, err
	}
	if v.Kind() != value.KindObject {
		return value.Value{}, errors.New("resource: a function returned no state")
	}
	return k.schema.State().MarkSecrets(markDerived(v, inputs)), nil
}

// model returns what a state is like: the inputs and, beside them, the old state. What the
// inputs leave out, it leaves out, unless there are none, as in Read, or the service fills it in,
// which may be with what was there, and secret.
func (k *kind) model(inputs, old value.Value) value.Value {
	all := members{}
	for _, name := range k.stateNames {
		_, isInput := k.schema.Inputs().Property(name)
		if v, there := inputs.Lookup(name); there {
			all[name] = v
		} else if v, there := old.Lookup(name); there && (!isInput || inputs.IsNull() || slices.Contains(k.computed, name)) {
			all[name] = v
		}
	}
	return value.ObjectFromMap(all)
}

// Read returns a resource as it is.
func (p *Provider) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	k, err := p.kindOf(r.URN, r.Type)
	if err != nil {
		return nil, err
	}
	if k.plain.Read != nil {
		return k.plain.Read(ctx, r)
	}
	return run(ctx, p, r.URN, r.Timeout, func(ctx context.Context, c *call) (*rpc.ReadResponse, error) {
		return k.found(ctx, p, c, r)
	}, k.marked, r.Inputs, r.Properties)
}

func (k *kind) found(ctx context.Context, p *Provider, c *call, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	inputs, olds, err := k.migrated(r.Inputs, r.Properties)
	if err != nil {
		return nil, err
	}
	isImport := inputs.IsNull() && olds.IsNull()
	if k.read == nil && (k.imported == nil || !isImport) {
		if isImport {
			return nil, refused("%s cannot be imported", k.token)
		}
		return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: olds}, nil
	}
	if err := p.ready(); err != nil {
		return nil, err
	}

	old, err := k.old(olds)
	if err != nil {
		return nil, err
	}
	var state any
	id := r.ID
	if isImport && k.imported != nil {
		id, state, err = k.imported(ctx, id)
	} else {
		state, err = k.read(ctx, id, old)
	}
	if errors.Is(err, ErrNotFound) {
		return &rpc.ReadResponse{}, nil
	}
	var unready *unready
	if err != nil && !errors.As(err, &unready) {
		return nil, err
	}
	if olds.IsNull() {
		olds = value.Object()
	}
	now, encodeErr := k.encoded(value.Null(), olds, state)
	if encodeErr != nil {
		return nil, encodeErr
	}
	now = k.kept(markDerived(now, inputs), olds)
	next, readErr := k.differ.ReadInputs(inputs, olds, now)
	if readErr != nil {
		return nil, readErr
	}
	if err == nil {
		return &rpc.ReadResponse{ID: id, Inputs: next, Properties: now}, nil
	}
	return nil, c.partial(unready.reasons, err, &rpc.ErrorResourceInitFailed{ID: id, Inputs: next, Properties: now})
}

// kept returns a state with the values of inputs, or of an old state, for what the service does
// not return.
func (k *kind) kept(now, old value.Value) value.Value {
	for _, name := range k.once {
		v, there := old.Lookup(name)
		if there && isZero(now.Field(name)) {
			now = with(now, name, v)
		}
	}
	return now
}

// isZero reports whether a value is one that a zero field may be encoded as.
func isZero(v value.Value) bool {
	switch v.Kind() { //nolint:exhaustive // the others are something
	case value.KindNull:
		return true
	case value.KindBool:
		b, _ := v.AsBool()
		return !b
	case value.KindNumber:
		n, _ := v.AsNumber()
		return n == 0
	case value.KindString:
		s, _ := v.AsString()
		return s == ""
	case value.KindArray:
		return v.Len() == 0
	case value.KindObject:
		for _, m := range v.Members() {
			if !isZero(m) {
				return false
			}
		}
		return true
	}
	return false
}

// Delete deletes a resource.
func (p *Provider) Delete(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	k, err := p.kindOf(r.URN, r.Type)
	if err != nil {
		return nil, err
	}
	if k.plain.Delete != nil {
		return k.plain.Delete(ctx, r)
	}
	return run(ctx, p, r.URN, r.Timeout, func(ctx context.Context, _ *call) (*rpc.Empty, error) {
		if k.remove == nil {
			return &rpc.Empty{}, nil
		}
		if err := p.ready(); err != nil {
			return nil, err
		}
		_, olds, err := k.migrated(r.OldInputs, r.Properties)
		if err != nil {
			return nil, err
		}
		old, err := k.old(olds)
		if err != nil {
			return nil, err
		}
		if err := k.remove(ctx, r.ID, old); err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		return &rpc.Empty{}, nil
	}, k.marked, r.Properties, r.OldInputs)
}

// respelled returns inputs in the spelling of the old state, at properties which the service
// has in another spelling than it was sent: it will do so again.
func (k *kind) respelled(inputs, oldInputs, old value.Value) value.Value {
	o := diff.Options{Relation: value.Engine | value.IgnoreSecrets | k.differ.Relation, Arrays: k.differ.Arrays, ArrayRules: k.differ.ArrayRules}
	for name, v := range inputs.Members() {
		sent, isOld := oldInputs.Lookup(name)
		is, there := old.Lookup(name)
		if !isOld || !there || value.IgnoreSecrets.Equal(sent, is) {
			continue
		}
		again := k.differ.Equality.Respell(value.Object(value.Field(name, is)), value.Object(value.Field(name, v)), o)
		if v, there = again.Lookup(name); there {
			inputs = with(inputs, name, v)
		}
	}
	return inputs
}

// preview returns the state that inputs will lead to, as far as it is known: what inputs say,
// what Predict returns, and what updates do not change. All else is unknown.
func (k *kind) preview(ctx context.Context, inputs, old value.Value) (value.Value, error) {
	known := members{}
	for _, name := range k.stateNames {
		_, isInput := k.schema.Inputs().Property(name)
		if v, there := inputs.Lookup(name); there && isInput {
			known[name] = k.filled(name, v)
		} else if isInput && slices.Contains(k.computed, name) {
			known[name] = unknownLike(old.Field(name))
		} else if v, there := old.Lookup(name); there && !isInput && slices.Contains(k.stable, name) {
			known[name] = v
		}
	}
	if k.predict != nil && !inputs.ContainsUnknown() {
		if err := k.predicted(ctx, inputs, old, known); err != nil {
			return value.Value{}, err
		}
	}

	state := value.ObjectFromMap(known)
	state = state.WithUnknowns(k.schema.Outputs()...).WithUnknowns(k.always...)
	return k.schema.State().MarkSecrets(state), nil
}

// filled returns an input as it is in the state, as far as that is known.
func (k *kind) filled(name string, v value.Value) value.Value {
	if slices.Contains(k.computed, name) && (v.IsNull() || v.Kind().IsContainer()) {
		return unknownLike(v)
	}
	return v
}

// unknownLike returns an unknown that is secret if a value has a secret.
func unknownLike(v value.Value) value.Value {
	if v.ContainsSecret() {
		return value.Secret(value.Unknown())
	}
	return value.Unknown()
}

// predicted adds what Predict returns.
func (k *kind) predicted(ctx context.Context, inputs, old value.Value, known members) error {
	args, err := k.arguments(inputs)
	if err != nil {
		return err
	}
	var before any
	if !old.IsNull() {
		if before, err = k.old(old); err != nil {
			return err
		}
	}
	state, err := k.predict(ctx, args, before)
	if err != nil {
		return err
	}
	v, err := k.encoded(inputs, old, state)
	if err != nil {
		return err
	}
	for name, m := range v.Members() {
		if _, given := inputs.Lookup(name); !given && !isZero(m) {
			known[name] = m
		}
	}
	return nil
}
