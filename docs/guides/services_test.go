package guides_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type queueArgs struct {
	Name    string            `pulumi:"name" provider:"replaceOnChanges,fold"`    // "Jobs" is "jobs"
	Owners  []string          `pulumi:"owners,optional" provider:"set"`           // in any order
	Policy  string            `pulumi:"policy,optional" provider:"json"`          // in any spelling
	Labels  map[string]string `pulumi:"labels,optional" provider:"computed"`      // the service adds some
	Workers *int              `pulumi:"workers,optional" provider:"computed"`     // the service chooses
	Key     string            `pulumi:"key,optional" provider:"secret,writeOnly"` // the service does not return it
}

type queue struct {
	queueArgs
	URL   string `pulumi:"url" provider:"stable"` // an update does not change it
	Depth int    `pulumi:"depth"`
}

func queueResource(service *[]byte) resource.Of[queueArgs, queue] {
	get := func() (found queue, err error) {
		err = json.Unmarshal(*service, &found)
		return found, err
	}
	put := func(args queueArgs) (queue, error) {
		workers := 2
		if args.Workers != nil {
			workers = *args.Workers
		}
		kept := queue{queueArgs{strings.ToLower(args.Name), args.Owners, args.Policy, map[string]string{"made": "by hand"}, &workers, ""}, "https://q.test/1", 0}
		*service, _ = json.Marshal(kept)
		return get()
	}
	return resource.Of[queueArgs, queue]{
		Token: "demo:index:Queue",
		Create: func(_ context.Context, args queueArgs) (string, queue, error) {
			made, err := put(args)
			if len(args.Owners) == 0 && err == nil {
				err = resource.InitFailed("owners: nobody can use the queue, choose one")
			}
			return "1", made, err
		},
		Read:   func(context.Context, string, queue) (queue, error) { return get() },
		Update: func(_ context.Context, _ string, _ queue, args queueArgs) (queue, error) { return put(args) },
	}
}

func Example_services() {
	var service []byte
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{queueResource(&service)}})
	if err != nil {
		panic(err)
	}

	ctx := context.Background()
	const urn = "urn:pulumi:dev::shop::demo:index:Queue::q"
	inputs := value.Object(
		value.Field("name", value.String("Jobs")), value.Field("key", value.Secret(value.String("hunter2"))),
		value.Field("owners", value.Array(value.String("ann"), value.String("bob"))),
	)
	preview, err := p.Create(ctx, &rpc.CreateRequest{URN: urn, Properties: inputs, Preview: true})
	fmt.Println(preview.Properties, err)
	made, err := p.Create(ctx, &rpc.CreateRequest{URN: urn, Properties: inputs})
	fmt.Println(made.Properties, err)
	// Output:
	// {depth: [unknown], key: [secret], labels: [unknown], name: "Jobs", owners: ["ann", "bob"], url: [unknown], workers: [unknown]} <nil>
	// {depth: 0, key: [secret], labels: {made: "by hand"}, name: "jobs", owners: ["ann", "bob"], url: "https://q.test/1", workers: 2} <nil>
}

func Example_servicesDrift() {
	var service []byte
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{queueResource(&service)}})
	if err != nil {
		panic(err)
	}

	ctx := context.Background()
	const urn = "urn:pulumi:dev::shop::demo:index:Queue::q"
	inputs := value.Object(value.Field("name", value.String("Jobs")), value.Field("owners", value.Array(value.String("ann"), value.String("bob"))))
	made, err := p.Create(ctx, &rpc.CreateRequest{URN: urn, Properties: inputs})
	if err != nil {
		panic(err)
	}
	read := &rpc.ReadRequest{URN: urn, ID: made.ID, Inputs: inputs, Properties: made.Properties}
	same, err := p.Read(ctx, read)
	fmt.Println(same.Inputs, err)

	service = []byte(strings.Replace(string(service), `"bob"`, `"joe"`, 1))
	drifted, err := p.Read(ctx, read)
	fmt.Println(drifted.Inputs, err)

	respelled := value.Object(value.Field("name", value.String("JOBS")), value.Field("owners", value.Array(value.String("bob"), value.String("ann"))))
	d, err := p.Diff(ctx, &rpc.DiffRequest{URN: urn, OldInputs: inputs, Olds: made.Properties, News: respelled})
	fmt.Println(d.Changes, err)
	// Output:
	// {name: "Jobs", owners: ["ann", "bob"]} <nil>
	// {name: "Jobs", owners: ["ann", "joe"]} <nil>
	// DIFF_NONE <nil>
}

type jobArgs struct {
	Name string                 `pulumi:"name"`
	Spec map[string]value.Value `pulumi:"spec" provider:"computed"`
}

type job struct {
	jobArgs
	Done bool `pulumi:"done"`
}

func jobRequest(args jobArgs) ([]byte, error) {
	bag, err := bind.Encode(args, bind.Options{})
	if err != nil {
		return nil, err
	}
	return codec.AppendJSON(nil, bag.Reveal().DropDependencies(), codec.Options{})
}

func jobResponse(body []byte) (found job, err error) {
	bag, err := codec.DecodeJSON(body, codec.Options{})
	if err == nil {
		_, err = bind.Decode(bag, &found, bind.Options{AllowExtra: true})
	}
	return found, err
}

func Example_servicesFreeForm() {
	spec := map[string]value.Value{"image": value.String("web"), "env": value.Object(value.Field("TOKEN", value.Secret(value.String("t0ken"))))}
	body, err := jobRequest(jobArgs{"nightly", spec})
	fmt.Println(string(body), err)

	found, err := jobResponse([]byte(`{"id": 7, "name": "nightly", "spec": {"image": "web", "retries": 3}, "done": true}`))
	fmt.Println(found, err)
	// Output:
	// {"name":"nightly","spec":{"env":{"TOKEN":"t0ken"},"image":"web"}} <nil>
	// {{nightly map[image:"web" retries:3]} true} <nil>
}

func Example_servicesPartialFailure() {
	var service []byte
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{queueResource(&service)}})
	if err != nil {
		panic(err)
	}
	const urn = "urn:pulumi:dev::shop::demo:index:Queue::q"
	_, err = p.Create(context.Background(), &rpc.CreateRequest{URN: urn, Properties: value.Object(value.Field("name", value.String("jobs")))})
	fmt.Println(err)
	// Output:
	// resource exists, but is not ready: owners: nobody can use the queue, choose one
}
