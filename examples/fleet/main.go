// Command pulumi-resource-fleet is a provider of machines, of fleets that are made of them, and
// of a function that finds their images.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/internal/rest"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type machineArgs struct {
	// Image is the ID of an image, such as getImage returns.
	Image string `pulumi:"image" json:"image" provider:"replaceOnChanges"`
	Size  int    `pulumi:"size" json:"size" default:"1"`
	// RootPassword is set on the first start.
	RootPassword string `pulumi:"rootPassword,optional" json:"rootPassword,omitempty" provider:"secret,writeOnly,replaceOnChanges"`
}

// machine is a machine, which takes some time to start.
type machine struct {
	machineArgs
	Address string `pulumi:"address" json:"address" provider:"stable"`
}

// started is a machine as the service speaks of it.
type started struct {
	machine
	ID     string `json:"id"`
	Status string `json:"status"`
}

type imageArgs struct {
	// Name is such as "debian".
	Name string `pulumi:"name" json:"name"`
}

type image struct {
	ID string `pulumi:"id" json:"id"`
}

type fleetArgs struct {
	Count int `pulumi:"count"`
	// Machine is what all machines have.
	Image        bind.Output[string] `pulumi:"image"`
	RootPassword bind.Output[string] `pulumi:"rootPassword,optional" provider:"secret"`
}

// fleet is some machines that are alike.
type fleet struct {
	Addresses []value.Value `pulumi:"addresses"`
}

// service is what Configure sets.
type service struct{ rest.Service }

func (s *service) machines() resource.Of[machineArgs, machine] {
	return resource.Of[machineArgs, machine]{
		Token: "fleet:index:Machine",
		Create: func(ctx context.Context, args machineArgs) (id string, state machine, err error) {
			var made started
			if err := s.Call(ctx, http.MethodPost, "/machines", args, &made); err != nil {
				return "", state, err
			}
			resource.Log(ctx, rpc.LogInfo, "machine "+made.ID+" is "+made.Status)
			return made.ID, made.machine, made.failure()
		},
		Read: func(ctx context.Context, id string, _ machine) (machine, error) {
			var found started
			err := s.Call(ctx, http.MethodGet, "/machines/"+id, nil, &found)
			return found.machine, err
		},
		Update: func(ctx context.Context, id string, _ machine, args machineArgs) (machine, error) {
			var now started
			err := s.Call(ctx, http.MethodPut, "/machines/"+id, args, &now)
			return now.machine, errors.Join(err, now.failure())
		},
		Delete: func(ctx context.Context, id string, _ machine) error {
			return s.Call(ctx, http.MethodDelete, "/machines/"+id, nil, nil)
		},
		Check: func(_ context.Context, args *machineArgs) error {
			if args.Size < 1 {
				return resource.Invalid("size", "expected 1 or more")
			}
			return nil
		},
	}
}

// failure is the error of a machine that is there and does not run.
func (m *started) failure() error {
	if m.Status != "failed" {
		return nil
	}
	return resource.InitFailed("the machine does not start: choose another size")
}

func (s *service) images() resource.Func[imageArgs, image] {
	return resource.Func[imageArgs, image]{
		Token: "fleet:index:getImage",
		Call: func(ctx context.Context, args imageArgs) (found image, err error) {
			err = s.Call(ctx, http.MethodGet, "/images/"+args.Name, nil, &found)
			if errors.Is(err, resource.ErrNotFound) {
				err = resource.Invalid("name", "there is no such image")
			}
			return found, err
		},
	}
}

func fleets() resource.Component[fleetArgs, fleet] {
	return resource.Component[fleetArgs, fleet]{
		Token: "fleet:index:Fleet",
		Construct: func(ctx context.Context, c *resource.Construction, args fleetArgs) (made fleet, err error) {
			for i := range args.Count {
				m, err := c.Register(ctx, resource.Child{
					Type: "fleet:index:Machine", Name: fmt.Sprintf("%s-%d", c.Request.Name, i),
					Inputs: struct {
						Image        bind.Output[string] `pulumi:"image"`
						RootPassword bind.Output[string] `pulumi:"rootPassword,optional"`
					}{args.Image, args.RootPassword},
				})
				if err != nil {
					return made, err
				}
				made.Addresses = append(made.Addresses, m.Output("address"))
			}
			return made, nil
		},
	}
}

//go:embed schema.json
var schema []byte

func pkg() resource.Package {
	s := &service{}
	return resource.Package{
		Name: "fleet", Version: "0.1.0", Description: "Machines, alone and in fleets.", Schema: schema,
		Config:    resource.Configure(func(_ context.Context, c rest.Service) error { s.Service = c; return nil }),
		Resources: []resource.Resource{s.machines(), fleets()},
		Functions: []resource.Function{s.images()},
	}
}

func main() { grpc.Main(resource.New(pkg())) }
