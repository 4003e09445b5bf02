package guides_test

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type diskArgs struct {
	Name string              `pulumi:"name"`
	Size int                 `pulumi:"size,optional"`
	Tags map[string]string   `pulumi:"tags,optional"`
	Key  bind.Output[string] `pulumi:"key,optional"`
}

func checkDisk(_ context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	if _, err := bind.Decode(r.News, &diskArgs{}, bind.Options{AllowUnknown: true}); err != nil {
		return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(r.News, err)}, nil
	}

	return &rpc.CheckResponse{Inputs: r.News}, nil
}

func Example_structs() {
	inputs := value.Object(value.Field("naem", value.String("a")), value.Field("size", value.String("big")))
	answer, _ := checkDisk(context.Background(), &rpc.CheckRequest{News: inputs})
	for _, f := range answer.Failures {
		fmt.Printf("%s: %s\n", f.Property, f.Reason)
	}
	// Output:
	// naem: expected the name of a field, such as name
	// name: expected a member of this name, found none
	// size: expected number, found string
}

func Example_structsBack() {
	inputs := value.Object(value.Field("name", value.Secret(value.String("a"))), value.Field("key", value.Unknown()))

	var disk diskArgs
	info, err := bind.Decode(inputs, &disk, bind.Options{})
	if err != nil {
		panic(err)
	}
	key, known := disk.Key.Known()
	fmt.Printf("%q %q %v\n", disk.Name, key, known)

	disk.Size = 10
	disk.Key = bind.Secret("s3cret")
	state, err := info.Encode(disk)
	fmt.Println(state, err)
	// Output:
	// "a" "" false
	// {key: [secret], name: [secret], size: 10} <nil>
}

const diskSchema = `{"name": "demo", "resources": {"demo:index:Disk": {
	"inputProperties": {
		"name": {"type": "string", "willReplaceOnChanges": true},
		"size": {"type": "integer", "default": 10},
		"key":  {"type": "string", "secret": true}
	},
	"requiredInputs": ["name"]
}}}`

func Example_structsSchema() {
	pkg, err := schema.Read([]byte(diskSchema), schema.Options{})
	if err != nil {
		panic(err)
	}
	disk, _ := pkg.Resource("demo:index:Disk")

	fmt.Println(disk.Inputs().Check(value.Object(value.Field("size", value.Number(1.5)))))

	old, err := disk.Inputs().WithDefaults(value.Object(value.Field("name", value.String("a")), value.Field("key", value.String("k"))), nil)
	fmt.Println(old, err)

	differ, err := provider.FromSchema(disk)
	if err != nil {
		panic(err)
	}
	now, _ := old.WithField("name", value.String("b"))
	answer, err := differ.Answer(&rpc.DiffRequest{OldInputs: old, Olds: old, News: now})
	fmt.Println(answer.Replaces, err)
	// Output:
	// schema: check: 2 problems
	//   name: expected a value, found none
	//   size: expected integer, found number with a fraction
	// {key: [secret], name: "a", size: 10} <nil>
	// [name] <nil>
}

const diskConfig = `{"name": "demo", "types": {
	"demo:config:Api": {"type": "object", "properties": {"port": {"type": "integer"}, "tls": {"type": "boolean"}}}
}, "provider": {"inputProperties": {
	"api":     {"$ref": "#/types/demo:config:Api"},
	"retries": {"type": "integer"},
	"region":  {"type": "string"}
}}}`

func checkDiskConfig(inputs *schema.Type, r *rpc.CheckRequest) *rpc.CheckResponse {
	config, err := inputs.ParseConfig(r.News)
	if err == nil {
		err = inputs.Check(config)
	}
	if err != nil {
		return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(r.News, err)}
	}

	return &rpc.CheckResponse{Inputs: r.News}
}

func Example_structsConfiguration() {
	pkg, err := schema.Read([]byte(diskConfig), schema.Options{})
	if err != nil {
		panic(err)
	}
	inputs := pkg.Provider().Inputs()

	sent := value.Object(value.Field("region", value.String("1")), value.Field("api", value.String(`{"port": "443", "tls": "true"}`)))
	fmt.Println(inputs.ParseConfig(sent))

	sent, _ = sent.WithField("retries", value.String("five"))
	for _, f := range checkDiskConfig(inputs, &rpc.CheckRequest{News: sent}).Failures {
		fmt.Println(f.Property, f.Reason)
	}
	// Output:
	// {api: {port: 443, tls: true}, region: "1"} <nil>
	// retries expected integer, found text
}
