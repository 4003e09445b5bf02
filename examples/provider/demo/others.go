package demo

import (
	"context"
	"maps"
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Invoke calls a function: getRecord reads a record of another program. Its
// result is plain, so the secrets are left out.
func (p *Provider) Invoke(ctx context.Context, r *rpc.InvokeRequest) (*rpc.InvokeResponse, error) {
	if r.Tok != lookupTok {
		return nil, invalid("this provider has no such function, only " + lookupTok)
	}
	var args struct {
		Name string `pulumi:"name"`
	}
	if _, err := bind.Decode(r.Args, &args, bind.Options{}); err != nil {
		return &rpc.InvokeResponse{Failures: rpc.CheckFailuresOf(r.Args, err)}, nil
	}
	s, err := p.cloud()
	if err != nil {
		return nil, err
	}
	record, found, err := s.Load(ctx, args.Name)
	if err != nil {
		return nil, err
	}
	if !found || record.Phase != store.Ready {
		return &rpc.InvokeResponse{Failures: []rpc.CheckFailure{{Property: "name", Reason: "there is no such record"}}}, nil
	}
	lookup, _ := p.pkg.Function(lookupTok)
	result := maps.Collect(state(record).Members())
	maps.DeleteFunc(result, func(field string, v value.Value) bool {
		_, returned := lookup.Outputs().Property(field)
		return !returned || v.ContainsSecret()
	})
	return &rpc.InvokeResponse{Return: value.ObjectFromMap(result)}, nil
}

// groupArgs are the inputs of a Group. Its names have to be known, in previews too; all
// else is handed on as it is.
type groupArgs struct {
	Names    []string                       `pulumi:"names"`
	Title    bind.Output[string]            `pulumi:"title,optional"`
	Labels   bind.Output[map[string]string] `pulumi:"labels,optional"`
	Password bind.Output[string]            `pulumi:"password,optional"`
}

// Construct makes a component: nothing of its own, but resources that it registers
// with the engine, which then calls Check, Diff and Create of their providers. The
// engine calls Construct in previews too; there, what it returns may be unknown.
func (p *Provider) Construct(ctx context.Context, r *rpc.ConstructRequest) (*rpc.ConstructResponse, error) {
	if r.Type != groupType {
		return nil, invalid("this provider has no component of that type, only " + groupType)
	}
	var args groupArgs
	if _, err := bind.Decode(r.Inputs, &args, bind.Options{}); err != nil {
		return nil, invalid(err.Error())
	}
	if r.Inputs.Field("names").ContainsSecret() {
		return nil, invalid("names: are shown, and cannot be secrets") // the schema calls them plain
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(args.Names))); len(distinct) < len(args.Names) {
		return nil, invalid("names: duplicate element")
	}
	monitor, err := grpc.ConnectMonitor(r.MonitorEndpoint)
	if err != nil {
		return nil, err
	}
	defer func() { _ = monitor.Close() }()
	self, err := monitor.RegisterResource(ctx, groupOf(r))
	if err != nil {
		return nil, err
	}
	var urls, tokens []value.Member
	var made rpc.PropertyDependencies
	for _, name := range args.Names {
		child, err := monitor.RegisterResource(ctx, p.recordOf(r, self.URN, name))
		if err != nil {
			return nil, err
		}
		made.URNs = append(made.URNs, child.URN)
		urls = append(urls, value.Member{Key: name, Value: child.Object.Field("url")})
		tokens = append(tokens, value.Member{Key: name, Value: child.Object.Field("token")})
	}
	outputs := value.Object(
		value.Member{Key: "size", Value: value.Number(float64(len(urls)))},
		value.Member{Key: "tokens", Value: value.Secret(value.Object(tokens...))},
		value.Member{Key: "urls", Value: value.Object(urls...)},
	)
	if _, err := monitor.RegisterResourceOutputs(ctx, &rpc.RegisterResourceOutputsRequest{URN: self.URN, Outputs: outputs}); err != nil {
		return nil, err
	}
	return &rpc.ConstructResponse{
		URN: self.URN, State: outputs,
		StateDependencies: map[string]rpc.PropertyDependencies{"size": made, "tokens": made, "urls": made},
	}, nil
}

// groupOf registers the component itself, with all that the program asked of it: what
// is not handed on here has no effect.
func groupOf(r *rpc.ConstructRequest) *rpc.RegisterResourceRequest {
	q := &rpc.RegisterResourceRequest{
		Type: r.Type, Name: r.Name, Parent: r.Parent, Object: r.Inputs,
		Dependencies: r.Dependencies, PropertyDependencies: r.InputDependencies, Providers: r.Providers,
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

// recordOf registers one record of the component.
func (p *Provider) recordOf(r *rpc.ConstructRequest, parent, name string) *rpc.RegisterResourceRequest {
	q := &rpc.RegisterResourceRequest{
		Type: recordType, Name: r.Name + "-" + name, Parent: parent, Custom: true,
		Provider: r.Providers["demo"], Version: p.pkg.Version(),
		PropertyDependencies: map[string]rpc.PropertyDependencies{},
	}
	inputs := maps.Collect(r.Inputs.Members())
	delete(inputs, "names")
	for field := range inputs {
		q.PropertyDependencies[field] = r.InputDependencies[field]
		q.Dependencies = append(q.Dependencies, r.InputDependencies[field].URNs...)
	}
	slices.Sort(q.Dependencies)
	q.Dependencies = slices.Compact(q.Dependencies)
	inputs["name"] = value.String(name)
	q.Object = value.ObjectFromMap(inputs)
	return q
}
