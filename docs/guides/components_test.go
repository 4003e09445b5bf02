package guides_test

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type imageArgs struct {
	Name string `pulumi:"name"`
}

type image struct {
	ID string `pulumi:"id"`
}

var getImage = resource.Func[imageArgs, image]{
	Token: "farm:index:getImage",
	Call: func(_ context.Context, args imageArgs) (image, error) {
		if args.Name != "debian" {
			return image{}, resource.Invalid("name", "there is no such image")
		}
		return image{"image-1"}, nil
	},
}

func Example_components() {
	p, err := resource.New(resource.Package{Name: "farm", Resources: []resource.Resource{farms}, Functions: []resource.Function{getImage}})
	if err != nil {
		panic(err)
	}
	for _, name := range []value.Value{value.String("debian"), value.String("plan9"), value.Unknown()} {
		args := value.Object(value.Field("name", name))
		r, err := p.Invoke(context.Background(), &rpc.InvokeRequest{Tok: "farm:index:getImage", Args: args})
		fmt.Println(r.Return, len(r.Failures), err)
	}
	// Output:
	// {id: "image-1"} 0 <nil>
	// null 1 <nil>
	// {id: [unknown]} 0 <nil>
}

type farmArgs struct {
	Count int                 `pulumi:"count"`
	Image bind.Output[string] `pulumi:"image"`
}

type farm struct {
	Addresses []value.Value `pulumi:"addresses"`
}

var farms = resource.Component[farmArgs, farm]{
	Token: "farm:index:Farm",
	Construct: func(ctx context.Context, c *resource.Construction, args farmArgs) (farm, error) {
		var made farm
		for i := range args.Count {
			machine, err := c.Register(ctx, resource.Child{
				Type: "cloud:index:Machine", Name: fmt.Sprintf("%s-%d", c.Request.Name, i),
				Inputs: struct {
					Image bind.Output[string] `pulumi:"image"`
				}{args.Image},
			})
			if err != nil {
				return made, err
			}
			made.Addresses = append(made.Addresses, machine.Output("address"))
		}
		return made, nil
	},
}
