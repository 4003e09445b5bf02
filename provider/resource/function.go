package resource

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Func is a function with arguments of type Args and a result of type Result, which are
// structs.
type Func[Args, Result any] struct {
	Token string // such as "demo:index:getBucket"
	// Call returns the result, or an error; one of [Invalid] refuses an argument.
	Call func(ctx context.Context, args Args) (Result, error)
}

// function is a Func without its types.
type function struct {
	schema *schema.Function
	call   func(ctx context.Context, args value.Value) (result any, err error)
}

func (f Func[Args, Result]) types() (token string, args, result any) {
	return f.Token, new(Args), new(Result)
}

func (f Func[Args, Result]) addFunction(p *Provider) error {
	if err := p.claim(f.Token); err != nil {
		return err
	}
	described, there := p.schema.Function(f.Token)
	if !there {
		return fmt.Errorf("resource: the schema lacks %s", scan.Line(f.Token))
	}
	for _, t := range []any{new(Args), new(Result)} {
		if _, err := bind.Internal.Shape(t); err != nil {
			return fmt.Errorf("resource: %s: %w", scan.Line(f.Token), err)
		}
	}
	p.functions[f.Token] = &function{described, func(ctx context.Context, given value.Value) (any, error) {
		args := new(Args)
		if _, err := bind.Decode(given, args, bind.Options{}); err != nil {
			return nil, err
		}
		if err := p.ready(); err != nil {
			return nil, err
		}
		return f.Call(ctx, *args)
	}}
	return nil
}

// Invoke calls a function. With arguments that are not known, its result is not known.
func (p *Provider) Invoke(ctx context.Context, r *rpc.InvokeRequest) (*rpc.InvokeResponse, error) {
	f := p.functions[r.Tok]
	if f == nil {
		return nil, refused("there is no function %q in package %s", r.Tok, p.Schema().Name())
	}
	return run(ctx, p, "", 0, func(ctx context.Context, c *call) (*rpc.InvokeResponse, error) {
		args, err := f.schema.Inputs().WithDefaults(r.Args, p.pkg.Env)
		if err == nil {
			err = f.schema.Inputs().Check(args)
		}
		if err != nil {
			return &rpc.InvokeResponse{Failures: rpc.CheckFailuresOf(r.Args, err)}, nil
		}
		if args.ContainsUnknown() {
			return &rpc.InvokeResponse{Return: value.Object().WithUnknowns(f.schema.Outputs().Names()...)}, nil
		}

		result, err := f.call(ctx, args)
		if err != nil {
			return invokeFailures(r.Args, err, c)
		}
		v, err := bind.Encode(result, bind.Options{})
		if err != nil {
			return nil, err
		}
		return &rpc.InvokeResponse{Return: f.schema.Outputs().MarkSecrets(markDerived(v, args))}, nil
	}, f.schema.Inputs().MarkSecrets, r.Args)
}

// invokeFailures returns an error as failures of the arguments, if it is about these.
func invokeFailures(args value.Value, err error, c *call) (*rpc.InvokeResponse, error) {
	if e, ok := err.(*bind.Error); ok { //nolint:errorlint // one of the function is its own
		return &rpc.InvokeResponse{Failures: rpc.CheckFailuresOf(args, e)}, nil
	}
	if all, only := invalids(err); only {
		return &rpc.InvokeResponse{Failures: failures(args, all, &c.hide)}, nil
	}
	return nil, err
}
