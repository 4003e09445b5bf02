package pulumi_test

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// A provider that is written against the SDK's property maps looks at its inputs
// as values.
func ExampleFromPropertyMap() {
	inputs := resource.PropertyMap{
		"size":     resource.NewProperty(3.0),
		"password": resource.MakeSecret(resource.NewProperty("hunter2")),
	}
	bag, err := pulumi.FromPropertyMap(inputs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bag)
	// Output: {password: [secret], size: 3}
}

// And the other way round.
func ExampleToPropertyMap() {
	bag := value.Object(value.Member{Key: "subnet", Value: value.Unknown()}, value.Member{Key: "size", Value: value.Number(3)})
	props, err := pulumi.ToPropertyMap(bag)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(props["size"].NumberValue(), props["subnet"].IsComputed())
	// Output: 3 true
}

func ExampleFromPropertyValue() {
	v, err := pulumi.FromPropertyValue(resource.NewProperty(resource.Output{
		Element: resource.NewProperty("eu-west-1"), Known: true, Dependencies: []resource.URN{"urn:b", "urn:a", "urn:b"},
	}))
	fmt.Printf("%#v %v\n", v, err)
	// Output: value.String("eu-west-1").WithDependencies("urn:a", "urn:b") <nil>
}

// What the SDK has no room for is an error that says where.
func ExampleToPropertyValue() {
	_, err := pulumi.ToPropertyValue(value.Object(value.Member{Key: "key", Value: value.Sealed{Ciphertext: "AAAA"}.Value()}))
	fmt.Println(err)
	// Output: pulumi: to property value: key: sealed secret
}

// The place of an error can be used.
func ExampleError() {
	_, err := pulumi.FromPropertyMap(resource.PropertyMap{"a": {V: 1}})
	if e := (*pulumi.Error)(nil); errors.As(err, &e) {
		fmt.Println(e.At, e.Found)
	}
	// Output: a int
}

func ExampleToPropertyPath() {
	bag := resource.NewProperty(resource.PropertyMap{"tags": resource.NewProperty([]resource.PropertyValue{resource.NewProperty("x")})})
	v, ok := pulumi.ToPropertyPath(path.MustParse("tags[0]")).Get(bag)
	fmt.Println(v.StringValue(), ok)
	// Output: x true
}

func ExampleFromPropertyPathPattern() {
	theirs, err := resource.ParsePropertyPath("tags[*].name")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pulumi.FromPropertyPathPattern(theirs)
	fmt.Println(p, p.Matches(path.MustParse("tags[3].name")), err)
	// Output: tags[*].name true <nil>
}
