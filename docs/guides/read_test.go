package guides_test

import (
	"context"
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// disks is a provider whose cloud says what a disk is.
type disks struct {
	differ provider.Differ
	cloud  map[string]value.Value
}

func (p disks) Read(_ context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	state, found := p.cloud[r.ID]
	if !found {
		return &rpc.ReadResponse{}, nil // no ID: it is gone
	}
	inputs, err := p.differ.ReadInputs(r.Inputs, r.Properties, state)
	return &rpc.ReadResponse{ID: r.ID, Inputs: inputs, Properties: state}, err
}

func disk(name string, size float64, more ...value.Member) value.Value {
	return value.Object(append(more, value.Field("name", value.String(name)), value.Field("size", value.Number(size)))...)
}

func Example_read() {
	password, url := value.Field("password", value.Secret(value.String("x"))), value.Field("url", value.String("d-1.example.com"))
	p := disks{cloud: map[string]value.Value{"d-1": disk("data", 20, url)}}

	// The program says Data and 10, and has a password, which the cloud does not return.
	before := &rpc.ReadRequest{ID: "d-1", Inputs: disk("Data", 10, password), Properties: disk("data", 10, url)}
	r, err := p.Read(context.Background(), before)
	fmt.Println(r.Inputs, err)
	// Output:
	// {name: "Data", password: [secret], size: 20} <nil>
}

func Example_readImport() {
	pkg, err := schema.Read([]byte(`{"name": "demo", "resources": {"demo:index:Disk": {"inputProperties": {
		"name": {"type": "string"}, "size": {"type": "number"}, "password": {"type": "string", "secret": true}}}}}`), schema.Options{})
	if err != nil {
		panic(err)
	}
	resource, _ := pkg.Resource("demo:index:Disk")
	differ, err := provider.FromSchema(resource)
	if err != nil {
		panic(err)
	}

	p := disks{differ, map[string]value.Value{"d-1": disk("data", 20, value.Field("url", value.String("d-1.example.com")))}}
	r, err := p.Read(context.Background(), &rpc.ReadRequest{ID: "d-1"})
	fmt.Println(r.Inputs, err)
	// Output:
	// {name: "data", size: 20} <nil>
}

func Example_readLists() {
	rule := func(port float64, more ...value.Member) value.Value {
		return value.Object(append(more, value.Field("port", value.Number(port)))...)
	}
	id := func(text string) value.Member { return value.Field("id", value.String(text)) }
	rules := func(all ...value.Value) value.Value { return value.Object(value.Field("rules", value.Array(all...))) }

	differ := provider.Differ{ArrayRules: []diff.ArrayRule{{Pattern: path.MustParsePattern("rules"), Match: diff.Unordered()}}}
	old := rules(rule(80, id("a")), rule(443, id("b")))
	now := rules(rule(443, id("b")), rule(22, id("c")), rule(80, id("a")))
	fmt.Println(differ.ReadInputs(rules(rule(80), rule(443)), old, now))
	// Output:
	// {rules: [{port: 80}, {port: 443}, {port: 22}]} <nil>
}
