package schema_test

import (
	"fmt"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

const bucketSchema = `{
	"name": "demo",
	"types": {
		"demo:index:Rule": {
			"type": "object",
			"required": ["port"],
			"properties": {"port": {"type": "integer"}, "protocol": {"type": "string", "default": "tcp"}}
		}
	},
	"resources": {
		"demo:index:Bucket": {
			"inputProperties": {
				"name": {"type": "string", "willReplaceOnChanges": true},
				"acl": {"type": "string", "default": "private", "defaultInfo": {"environment": ["DEMO_ACL"]}},
				"password": {"type": "string", "secret": true},
				"rules": {"type": "array", "items": {"$ref": "#/types/demo:index:Rule"}}
			},
			"requiredInputs": ["name"],
			"properties": {"name": {"type": "string"}, "url": {"type": "string"}}
		}
	}
}`

func bucket() *schema.Resource {
	pkg, err := schema.Read([]byte(bucketSchema), schema.Options{})
	if err != nil {
		panic(err)
	}

	r, _ := pkg.Resource("demo:index:Bucket")

	return r
}

// A provider's Check: failures, or the inputs with defaults and marks.
func Example() {
	inputs := bucket().Inputs()
	check := func(news value.Value) *rpc.CheckResponse {
		if err := inputs.Check(news); err != nil {
			return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(news, err)}
		}

		news, err := inputs.WithDefaults(news, nil)
		if err != nil {
			return &rpc.CheckResponse{Failures: rpc.CheckFailuresOf(news, err)}
		}

		return &rpc.CheckResponse{Inputs: news}
	}

	wrong := check(value.Object(
		value.Field("naem", value.String("logs")),
		value.Field("rules", value.Array(value.Object(value.Field("port", value.String("http"))))),
	))
	for _, f := range wrong.Failures {
		fmt.Println(f.Property+":", f.Reason)
	}

	right := check(value.Object(
		value.Field("name", value.String("logs")),
		value.Field("password", value.String("hunter2")),
	))
	fmt.Println(right.Inputs)
	// Output:
	// naem: expected the name of a property, such as name, found a property that is not in the schema
	// name: expected a value, found none
	// rules[0].port: expected integer, found string
	// {acl: "private", name: "logs", password: [secret]}
}

func ExampleRead() {
	_, err := schema.Read([]byte(`{
		"name": "demo",
		"resources": {"demo:index:Bucket": {
			"inputProperties": {"rules": {"type": "array"}, "size": {"type": "int"}},
			"requiredInputs": ["name"]
		}}
	}`), schema.Options{})
	fmt.Println(err)
	// Output:
	// schema: #/resources/demo:index:Bucket/inputProperties/rules: an array has items
	//   #/resources/demo:index:Bucket/inputProperties/size/type: expected boolean, integer, number, string, array or object, or $ref or oneOf
	//   #/resources/demo:index:Bucket/requiredInputs/0: there is no property name
}

func ExampleType_WithDefaults() {
	environment := map[string]string{"DEMO_ACL": "public"}
	lookup := func(name string) (string, bool) {
		text, ok := environment[name]
		return text, ok
	}

	inputs := value.Object(value.Field("rules", value.Array(value.Object(value.Field("port", value.Number(80))))))
	fmt.Println(bucket().Inputs().WithDefaults(inputs, lookup))
	// Output:
	// {acl: "public", rules: [{port: 80, protocol: "tcp"}]} <nil>
}

func ExampleType_ParseConfig() {
	pkg, err := schema.Read([]byte(`{"name": "demo", "provider": {"inputProperties": {
		"endpoints": {"type": "object", "additionalProperties": {"type": "integer"}},
		"insecure": {"type": "boolean"}
	}}}`), schema.Options{})
	if err != nil {
		panic(err)
	}

	config := value.Object(value.Field("endpoints", value.String(`{"api": "443"}`)), value.Field("insecure", value.String("true")))
	fmt.Println(pkg.Provider().Inputs().ParseConfig(config))
	// Output: {endpoints: {api: 443}, insecure: true} <nil>
}

func ExampleResource_ReplaceOn() {
	fmt.Println(bucket().ReplaceOn())

	o, err := provider.FromSchema(bucket()) // the same, as a Differ
	fmt.Println(o.InputNames, err)
	// Output:
	// [name] <nil>
	// [acl name password rules] <nil>
}

// In a preview of a create, outputs are unknown.
func ExampleResource_Outputs() {
	inputs := value.Object(value.Field("name", value.String("logs")))
	fmt.Println(inputs.WithUnknowns(bucket().Outputs()...))
	// Output:
	// {name: "logs", url: [unknown]}
}

func ExampleType_Properties() {
	for p := range bucket().Inputs().Properties() {
		fmt.Println(p.Name(), "is", p.Type())
	}
	// Output:
	// acl is string
	// name is string
	// password is string
	// rules is array of object demo:index:Rule
}
