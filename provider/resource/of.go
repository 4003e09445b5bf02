package resource

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Of is a resource with arguments of type Args and a state of type State, which are structs.
// The state usually embeds the arguments. Only Create is required.
//
// The structs have secrets in clear. What the functions return gets the marks that the inputs
// had at the same places, and those of the tags.
type Of[Args, State any] struct {
	Token string // such as "demo:index:Bucket"

	// Create makes the resource. Args has defaults, and a name if Names gives one.
	Create func(ctx context.Context, args Args) (id string, state State, err error)
	// Read returns the state of a resource as it is now, or an error that wraps [ErrNotFound].
	// In an import, old is zero. Without Read, a refresh changes nothing, and an import fails.
	Read func(ctx context.Context, id string, old State) (State, error)
	// Update changes the resource. Without it, every change replaces.
	Update func(ctx context.Context, id string, old State, args Args) (State, error)
	// Delete deletes the resource. An error that wraps [ErrNotFound] counts as success. Without
	// Delete, the resource is only forgotten.
	Delete func(ctx context.Context, id string, old State) error

	// Check refuses arguments by errors of [Invalid], and may change them. Arguments that are not
	// known yet are zero: what it says of these does not count. Types and what the schema says
	// are checked before.
	Check func(ctx context.Context, args *Args) error
	// Predict returns, in a preview, the state that Create or Update will return, as far as it
	// follows from the arguments. Outputs that it leaves zero are unknown, or keep the old value
	// if they have the tag stable. It is called only if all arguments are known; old is nil for
	// a Create. It must change nothing.
	Predict func(ctx context.Context, args Args, old *State) (State, error)
	// Import is Read for an import. The ID may be another one than was given.
	Import func(ctx context.Context, id string) (newID string, state State, err error)
	// Migrate returns the inputs and the state of an older version of the provider as they would
	// be now. It is called for all that the engine sends, new or old.
	Migrate func(inputs, state value.Value) (newInputs, newState value.Value, err error)

	// Names gives a resource a name if the program does not.
	Names Names
	// Differ changes what follows from the schema and the tags for Diff and Read.
	Differ func(d *provider.Differ)
	// Plain has methods of the protocol that replace those of the provider for this resource.
	Plain Methods
}

// Methods are methods of the protocol for one resource; all may be nil.
type Methods struct {
	Check  func(context.Context, *rpc.CheckRequest) (*rpc.CheckResponse, error)
	Diff   func(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error)
	Create func(context.Context, *rpc.CreateRequest) (*rpc.CreateResponse, error)
	Read   func(context.Context, *rpc.ReadRequest) (*rpc.ReadResponse, error)
	Update func(context.Context, *rpc.UpdateRequest) (*rpc.UpdateResponse, error)
	Delete func(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error)
}

// kind is an Of without its types. Arguments and states are pointers to them, but those that
// functions return are not.
type kind struct {
	token              string
	newArgs, newState  func() any
	create             func(ctx context.Context, args any) (id string, state any, err error)
	read               func(ctx context.Context, id string, old any) (any, error)
	update             func(ctx context.Context, id string, old, args any) (any, error)
	remove             func(ctx context.Context, id string, old any) error
	check              func(ctx context.Context, args any) error
	predict            func(ctx context.Context, args, old any) (any, error)
	imported           func(ctx context.Context, id string) (string, any, error)
	migrate            func(inputs, state value.Value) (value.Value, value.Value, error)
	names              Names
	plain              Methods
	schema             *schema.Resource
	argsType           *shape.Type
	differ             provider.Differ
	stable, once       []string // names with the tag stable, and writeOnly
	computed           []string // names with the tag computed
	stateNames, always []string // names in the state, and those that it always has
}

func (o Of[Args, State]) types() (token string, args, state any) {
	return o.Token, new(Args), new(State)
}

func (o Of[Args, State]) isComponent() bool { return false }

func (o Of[Args, State]) kind() *kind {
	k := &kind{
		token: o.Token, names: o.Names, plain: o.Plain, migrate: o.Migrate,
		newArgs: func() any { return new(Args) }, newState: func() any { return new(State) },
	}
	if o.Create != nil {
		k.create = func(ctx context.Context, args any) (string, any, error) { return o.Create(ctx, at[Args](args)) }
	}
	if o.Read != nil {
		k.read = func(ctx context.Context, id string, old any) (any, error) { return o.Read(ctx, id, at[State](old)) }
	}
	if o.Update != nil {
		k.update = func(ctx context.Context, id string, old, args any) (any, error) {
			return o.Update(ctx, id, at[State](old), at[Args](args))
		}
	}
	if o.Delete != nil {
		k.remove = func(ctx context.Context, id string, old any) error { return o.Delete(ctx, id, at[State](old)) }
	}
	if o.Check != nil {
		k.check = func(ctx context.Context, args any) error {
			a, _ := args.(*Args)
			return o.Check(ctx, a)
		}
	}
	if o.Predict != nil {
		k.predict = func(ctx context.Context, args, old any) (any, error) {
			before, _ := old.(*State)
			return o.Predict(ctx, at[Args](args), before)
		}
	}
	if o.Import != nil {
		k.imported = func(ctx context.Context, id string) (string, any, error) { return o.Import(ctx, id) }
	}
	return k
}

func at[T any](pointer any) T {
	x, _ := pointer.(*T)
	return *x
}

func (o Of[Args, State]) addTo(p *Provider) error {
	k := o.kind()
	err := k.addTo(p)
	if err == nil && o.Differ != nil {
		o.Differ(&k.differ)
	}
	return err
}

func (k *kind) addTo(p *Provider) error {
	if err := p.claim(k.token); err != nil {
		return err
	}
	described, there := p.schema.Resource(k.token)
	if !there {
		return fmt.Errorf("resource: the schema lacks %s", scan.Line(k.token))
	}
	if k.create == nil && k.plain.Create == nil {
		return fmt.Errorf("resource: %s has no Create", scan.Line(k.token))
	}

	k.schema = described
	state, err := k.shapes()
	if err == nil {
		err = k.names.valid(k.argsType)
	}
	if err == nil {
		k.differ, err = k.rules(state)
	}
	if err != nil {
		return fmt.Errorf("resource: %s: %w", scan.Line(k.token), err)
	}
	p.kinds[k.token] = k
	return nil
}

// shapes keeps what the types of the arguments and the state say, and returns the latter.
func (k *kind) shapes() (state *shape.Type, err error) {
	if k.argsType, err = bind.Internal.Shape(k.newArgs()); err != nil {
		return nil, err
	}
	if state, err = bind.Internal.Shape(k.newState()); err != nil {
		return nil, err
	}

	k.stable, k.once = namesOf(state, "stable"), namesOf(state, "writeOnly")
	k.computed, k.always = namesOf(state, "computed"), required(state)
	for i := range state.Fields {
		k.stateNames = append(k.stateNames, state.Fields[i].Name)
	}
	return state, nil
}
