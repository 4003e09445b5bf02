package demo

import (
	"context"
	"errors"
	"slices"

	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type lookupArgs struct {
	Name string `pulumi:"name"`
}

// found is a record of another program. It is plain, so the secrets are left out.
type found struct {
	Name     string            `pulumi:"name"`
	Zone     string            `pulumi:"zone"`
	Title    string            `pulumi:"title,optional"`
	Size     int               `pulumi:"size"`
	Labels   map[string]string `pulumi:"labels,optional"`
	URL      string            `pulumi:"url"`
	Revision int               `pulumi:"revision"`
}

func (p *Provider) lookup() resource.Func[lookupArgs, found] {
	return resource.Func[lookupArgs, found]{
		Token: "demo:index:getRecord",
		Call: func(ctx context.Context, args lookupArgs) (found, error) {
			r, err := p.read(ctx, args.Name, record{})
			if errors.Is(err, resource.ErrNotFound) {
				return found{}, resource.Invalid("name", "there is no such record")
			}
			return found{r.Name, r.Zone, r.Title, r.Size, r.Labels, r.URL, r.Revision}, err
		},
	}
}

// groupArgs are the arguments of a Group. Its names have to be known, in previews too; all
// else is handed on as it is.
type groupArgs struct {
	Names []string `pulumi:"names" provider:"shown"`
	common
}

// common is what all records of a Group have.
type common struct {
	Title    bind.Output[string]            `pulumi:"title,optional"`
	Labels   bind.Output[map[string]string] `pulumi:"labels,optional"`
	Password bind.Output[string]            `pulumi:"password,optional" provider:"secret"`
}

// group is some records that are made alike.
type group struct {
	URLs   map[string]value.Value `pulumi:"urls"`
	Size   int                    `pulumi:"size"`
	Tokens map[string]value.Value `pulumi:"tokens" provider:"secret"`
}

func (p *Provider) groups() resource.Component[groupArgs, group] {
	return resource.Component[groupArgs, group]{
		Token: "demo:index:Group",
		Check: func(_ context.Context, args groupArgs) error {
			if distinct := slices.Compact(slices.Sorted(slices.Values(args.Names))); len(distinct) < len(args.Names) {
				return resource.Invalid("names", "duplicate element")
			}
			return nil
		},
		Construct: func(ctx context.Context, c *resource.Construction, args groupArgs) (group, error) {
			made := group{map[string]value.Value{}, len(args.Names), map[string]value.Value{}}
			for _, name := range args.Names {
				child, err := c.Register(ctx, resource.Child{
					Type: "demo:index:Record", Name: c.Request.Name + "-" + name,
					Inputs: struct {
						Name string `pulumi:"name"`
						common
					}{name, args.common},
				})
				if err != nil {
					return made, err
				}
				made.URLs[name], made.Tokens[name] = child.Output("url"), child.Output("token")
			}
			return made, nil
		},
	}
}
