package resource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Component is a component: a resource that is made of others, with arguments of type Args and
// a state of type State, which are structs.
//
// In a preview, arguments may be unknown. Fields that may be are a [bind.Output]; for others
// the call fails. What is an Output keeps its marks, and shows what it depends on.
type Component[Args, State any] struct {
	Token string // such as "demo:index:Cluster"
	// Check refuses arguments by errors of [Invalid], before anything is registered. It may be
	// nil.
	Check func(ctx context.Context, args Args) error
	// Construct registers the resources of the component, and returns its state. It is called
	// in each preview and each update.
	Construct func(ctx context.Context, c *Construction, args Args) (State, error)
}

// Construction is a component that is being constructed. It is for one goroutine.
type Construction struct {
	// Request is what the engine sent.
	Request *rpc.ConstructRequest
	// URN is that of the component, which is registered already.
	URN string

	provider *Provider
	monitor  protocol.Monitor
	inputs   value.Value // with their dependencies
	children []string    // URNs
}

// Child is a resource of a component.
type Child struct {
	Type string // such as "demo:index:Bucket"
	Name string // in the program; begin it with the name of the component
	// Inputs are a struct or a [value.Value], and may have unknowns, secrets and dependencies. A
	// property that is equal to the argument of the same name gets its marks.
	Inputs any
	// Options may change the request, for example to add aliases. It may be nil.
	Options func(*rpc.RegisterResourceRequest)
}

// Registered is a resource of a component that was registered.
type Registered struct {
	URN, ID string
	State   value.Value
}

// Output returns a property of the state, which depends on the resource. In a preview it may
// be unknown.
func (r *Registered) Output(name string) value.Value {
	return r.State.Field(name).WithDependencies(r.URN)
}

// Register registers a resource of the component, and returns when the engine has made it.
func (c *Construction) Register(ctx context.Context, child Child) (*Registered, error) {
	if c.monitor == nil {
		return nil, errors.New("resource: a Construction that no Construct was called with")
	}
	inputs, isValue := child.Inputs.(value.Value)
	if !isValue {
		var err error
		if inputs, err = bind.Encode(child.Inputs, bind.Options{}); err != nil {
			return nil, err
		}
	}
	inputs = c.marked(inputs)

	pkg, _, _ := strings.Cut(child.Type, ":")
	q := &rpc.RegisterResourceRequest{
		Type: child.Type, Name: child.Name, Parent: c.URN, Custom: true, Provider: c.Request.Providers[pkg],
		Object: independent(inputs), PropertyDependencies: dependencies(inputs),
	}
	if pkg == c.provider.Schema().Name() {
		q.Version = c.provider.Schema().Version()
	}
	for _, d := range q.PropertyDependencies {
		q.Dependencies = append(q.Dependencies, d.URNs...)
	}
	slices.Sort(q.Dependencies)
	q.Dependencies = slices.Compact(q.Dependencies)
	if child.Options != nil {
		child.Options(q)
	}

	r, err := c.monitor.RegisterResource(ctx, q)
	if err != nil {
		return nil, err
	}
	c.children = append(c.children, r.URN)
	return &Registered{r.URN, r.ID, r.Object}, nil
}

// marked returns the inputs of a child with marks of the component's.
func (c *Construction) marked(inputs value.Value) value.Value {
	const contents = value.IgnoreSecrets | value.IgnoreDependencies
	for name, v := range inputs.Members() {
		if own, there := c.inputs.Lookup(name); there && contents.Equal(own, v) {
			inputs = with(inputs, name, v.WithMarksOf(own).WithSecretsOf(own))
		}
	}
	return markDerived(inputs, c.inputs)
}

// dependencies returns what each property of an object depends on.
func dependencies(v value.Value) map[string]rpc.PropertyDependencies {
	all := map[string]rpc.PropertyDependencies{}
	for name, m := range v.Members() {
		var urns []string
		for c := range m.Walk() {
			urns = slices.AppendSeq(urns, c.Value().Dependencies())
			if !c.Value().ContainsDependencies() {
				c.SkipBelow()
			}
		}
		slices.Sort(urns)
		all[name] = rpc.PropertyDependencies{URNs: slices.Compact(urns)}
	}
	return all
}

// independent returns a value without its dependencies, at any depth.
func independent(v value.Value) value.Value {
	made, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		c.DropMarks() // those that the replacement does not have
		return c.Value().DropDependencies(), nil
	})
	if err != nil {
		return v
	}
	return made
}

// component is a Component without its types.
type component struct {
	schema    *schema.Resource
	argsType  *shape.Type
	newArgs   func() any
	check     func(ctx context.Context, args any) error
	construct func(ctx context.Context, c *Construction, args any) (any, error)
}

func (o Component[Args, State]) types() (token string, args, state any) {
	return o.Token, new(Args), new(State)
}

func (o Component[Args, State]) isComponent() bool { return true }

func (o Component[Args, State]) addTo(p *Provider) error {
	if err := p.claim(o.Token); err != nil {
		return err
	}
	described, there := p.schema.Resource(o.Token)
	if !there {
		return fmt.Errorf("resource: the schema lacks %s", scan.Line(o.Token))
	}
	if o.Construct == nil {
		return fmt.Errorf("resource: %s has no Construct", scan.Line(o.Token))
	}
	t, err := bind.Internal.Shape(new(Args))
	if err != nil {
		return fmt.Errorf("resource: %s: %w", scan.Line(o.Token), err)
	}
	p.components[o.Token] = &component{
		described, t, func() any { return new(Args) },
		func(ctx context.Context, args any) error {
			if o.Check == nil {
				return nil
			}
			return o.Check(ctx, at[Args](args))
		},
		func(ctx context.Context, c *Construction, args any) (any, error) {
			return o.Construct(ctx, c, at[Args](args))
		},
	}
	return nil
}

// Construct makes a component.
func (p *Provider) Construct(ctx context.Context, r *rpc.ConstructRequest) (*rpc.ConstructResponse, error) {
	o := p.components[r.Type]
	if o == nil {
		return nil, refused("there is no component %q in package %s", r.Type, p.Schema().Name())
	}
	return run(ctx, p, "", 0, func(ctx context.Context, c *call) (*rpc.ConstructResponse, error) {
		inputs := r.Inputs
		for name, d := range r.InputDependencies {
			if v, there := inputs.Lookup(name); there {
				inputs = with(inputs, name, v.WithDependencies(d.URNs...))
			}
		}
		inputs, err := o.schema.Inputs().WithDefaults(inputs, p.pkg.Env)
		if err == nil {
			err = o.schema.Inputs().Check(inputs)
		}
		args := o.newArgs()
		if err == nil {
			_, err = bind.Decode(inputs, args, bind.Options{})
		}
		if err != nil {
			return nil, inputErrors(r.Inputs, err)
		}
		if shown := secretsShown(o.argsType, inputs); len(shown) > 0 {
			return nil, &protocol.Refusal{Text: shown[0].Reason, Detail: propertyErrors(shown)}
		}
		if err := o.check(ctx, args); err != nil {
			return nil, refusedArguments(err, inputs, &c.hide)
		}

		connect := protocol.ConnectOf(ctx)
		if connect == nil {
			return nil, errors.New("resource: there is no monitor for components: serve the provider by package interop/grpc")
		}
		monitor, err := connect(r.MonitorEndpoint)
		if err != nil {
			return nil, err
		}
		defer func() { _ = monitor.Close() }()
		made := &Construction{Request: r, provider: p, monitor: monitor, inputs: inputs}
		self, err := monitor.RegisterResource(ctx, registration(r))
		if err != nil {
			return nil, err
		}
		made.URN, c.urn = self.URN, self.URN
		return made.finish(ctx, o, args, &c.hide)
	}, o.schema.Inputs().MarkSecrets, r.Inputs)
}

// finish calls the function of a component, and registers its outputs.
func (c *Construction) finish(ctx context.Context, o *component, args any, hide *secrets) (*rpc.ConstructResponse, error) {
	state, err := o.construct(ctx, c, args)
	if err != nil {
		return nil, refusedArguments(err, c.inputs, hide)
	}
	v, err := bind.Internal.EncodeLike(state, value.Object())
	if err != nil {
		return nil, err
	}
	v = o.schema.State().MarkSecrets(c.marked(v))

	on := dependencies(v)
	for name, d := range on {
		d.URNs = slices.Concat(d.URNs, c.children)
		slices.Sort(d.URNs)
		d.URNs = slices.Compact(d.URNs)
		on[name] = d
	}
	v = independent(v)
	if _, err := c.monitor.RegisterResourceOutputs(ctx, &rpc.RegisterResourceOutputsRequest{URN: c.URN, Outputs: v}); err != nil {
		return nil, err
	}
	return &rpc.ConstructResponse{URN: c.URN, State: v, StateDependencies: on}, nil
}

// refusedArguments returns the error of a function, with the properties that it is about.
func refusedArguments(err error, inputs value.Value, hide *secrets) error {
	if all, only := invalids(err); only {
		return &protocol.Refusal{Text: hide.mask(err.Error()), Detail: propertyErrors(failures(inputs, all, hide))}
	}
	return err
}

// inputErrors returns the error for arguments that are wrong.
func inputErrors(inputs value.Value, err error) error {
	return &protocol.Refusal{Text: err.Error(), Detail: propertyErrors(rpc.CheckFailuresOf(inputs, err))}
}

func propertyErrors(all []rpc.CheckFailure) *rpc.InputPropertiesError {
	made := &rpc.InputPropertiesError{}
	for _, f := range all {
		made.Errors = append(made.Errors, rpc.PropertyError{PropertyPath: f.Property, Reason: f.Reason})
	}
	return made
}

// registration registers a component itself, with all that the program asked of it.
func registration(r *rpc.ConstructRequest) *rpc.RegisterResourceRequest {
	q := &rpc.RegisterResourceRequest{
		Type: r.Type, Name: r.Name, Parent: r.Parent, Object: r.Inputs,
		Dependencies: r.Dependencies, PropertyDependencies: r.InputDependencies, Providers: maps.Clone(r.Providers),
		Protect: r.Protect, RetainOnDelete: r.RetainOnDelete, DeletedWith: r.DeletedWith,
		IgnoreChanges: r.IgnoreChanges, ReplaceOnChanges: r.ReplaceOnChanges, ReplaceWith: r.ReplaceWith, ReplacementTrigger: r.ReplacementTrigger,
		CustomTimeouts: r.CustomTimeouts, Hooks: r.ResourceHooks, ParentStackTraceHandle: r.StackTraceHandle,
		Aliases: r.Aliases, AliasSpecs: true, AdditionalSecretOutputs: r.AdditionalSecretOutputs,
	}
	if r.DeleteBeforeReplace != nil {
		q.DeleteBeforeReplace, q.DeleteBeforeReplaceDefined = *r.DeleteBeforeReplace, true
	}
	return q
}
