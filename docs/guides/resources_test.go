package guides_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

// cloud is the client of a service.
type cloud struct {
	region, token string
	rooms, shelf  sync.Map // functions are called at the same time
}

type roomArgs struct {
	// Name is that of the room; without one, it gets a name.
	Name  string `pulumi:"name,optional" provider:"replaceOnChanges,shown"`
	Seats int    `pulumi:"seats" default:"4"`
}

type room struct {
	roomArgs
	Address string `pulumi:"address" provider:"stable"`
}

func rooms(c *cloud) resource.Of[roomArgs, room] {
	state := func(name string) (room, error) {
		seats, there := c.rooms.Load(name)
		if !there {
			return room{}, resource.ErrNotFound
		}
		return room{roomArgs{name, seats.(int)}, c.region + "/" + name}, nil
	}
	return resource.Of[roomArgs, room]{
		Token: "office:index:Room",
		Names: resource.Names{Property: "name"},
		Create: func(_ context.Context, args roomArgs) (id string, made room, err error) {
			c.rooms.Store(args.Name, args.Seats)
			made, err = state(args.Name)
			return args.Name, made, err
		},
		Read: func(_ context.Context, id string, _ room) (room, error) { return state(id) },
		Update: func(_ context.Context, id string, _ room, args roomArgs) (room, error) {
			c.rooms.Store(id, args.Seats)
			return state(id)
		},
		Delete: func(_ context.Context, id string, _ room) error {
			c.rooms.Delete(id)
			return nil
		},
	}
}

type bookArgs struct {
	Title string `pulumi:"title" provider:"shown"`
	Room  string `pulumi:"room"`
}

func books(c *cloud) resource.Of[bookArgs, bookArgs] {
	return resource.Of[bookArgs, bookArgs]{
		Token: "office:index:Book",
		Create: func(_ context.Context, args bookArgs) (id string, made bookArgs, err error) {
			c.shelf.Store(args.Title, args.Room)
			return args.Title, args, nil
		},
		Delete: func(_ context.Context, id string, _ bookArgs) error {
			c.shelf.Delete(id)
			return nil
		},
	}
}

type officeConfig struct {
	Region string `pulumi:"region" default:"eu"`
	// Token is that of the service.
	Token string `pulumi:"token" provider:"secret" env:"OFFICE_TOKEN"`
}

func office() (resource.Package, *cloud) {
	c := &cloud{}
	return resource.Package{
		Name: "office", Version: "1.0.0",
		Env: func(name string) (string, bool) { return "t0ken", name == "OFFICE_TOKEN" }, // os.LookupEnv
		Config: resource.Configure(func(_ context.Context, config officeConfig) error {
			c.region, c.token = config.Region, config.Token
			return nil
		}),
		Resources: []resource.Resource{rooms(c), books(c)},
	}, c
}

func Example_resources() {
	pkg, c := office()
	p, err := resource.New(pkg) // a provider: grpc.Main serves it
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	if _, err := p.Configure(ctx, &rpc.ConfigureRequest{}); err != nil {
		panic(err)
	}
	fmt.Println(c.region, len(c.token))

	const urn = "urn:pulumi:dev::shop::office:index:Room::r"
	inputs := value.Object(value.Field("seats", value.String("many")))
	checked, err := p.Check(ctx, &rpc.CheckRequest{URN: urn, News: inputs})
	fmt.Println(checked.Failures[0].Property, checked.Failures[0].Reason, err)

	checked, err = p.Check(ctx, &rpc.CheckRequest{URN: urn})
	fmt.Println(checked.Inputs, err)
	made, err := p.Create(ctx, &rpc.CreateRequest{URN: urn, Properties: checked.Inputs})
	fmt.Println(made.Properties, err)
	// Output:
	// eu 5
	// seats expected integer, found string <nil>
	// {name: "r-b239762", seats: 4} <nil>
	// {address: "eu/r-b239762", name: "r-b239762", seats: 4} <nil>
}

func TestRooms(t *testing.T) {
	pkg, _ := office()
	p, err := resource.New(pkg)
	if err == nil {
		_, err = p.Configure(t.Context(), &rpc.ConfigureRequest{})
	}
	if err != nil {
		t.Fatal(err)
	}
	resourcetest.Fuzz(p, "office:index:Room").Run(t)
}
