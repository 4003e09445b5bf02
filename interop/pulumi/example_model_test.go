package pulumi_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	sdkurn "github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// A provider that is written against the SDK's new model edits below a secret,
// which stays one.
func ExampleFromMap() {
	inputs := property.NewMap(map[string]property.Value{
		"login": property.New(map[string]property.Value{"user": property.New("root")}).WithSecret(true),
	})
	bag, err := pulumi.FromMap(inputs)
	if err != nil {
		fmt.Println(err)
		return
	}
	bag, err = bag.Put(path.MustParse("login.password"), value.String("hunter2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	inputs, err = pulumi.ToMap(bag, pulumi.RefuseHints)
	fmt.Println(bag, inputs.Get("login").Secret(), err)
	// Output: {login: [secret]} true <nil>
}

// The new model does not know what is expected of an unknown.
func ExampleHints() {
	v := value.Array(value.UnknownOf(value.KindNumber))
	_, err := pulumi.ToValue(v, pulumi.RefuseHints)
	fmt.Println(err)
	p, err := pulumi.ToValue(v, pulumi.DropHints)
	fmt.Println(p.AsArray().Get(0).IsComputed(), err)
	// Output:
	// pulumi: to value: [0]: expected kind of an unknown cannot be kept: expected an unknown string, found an unknown number
	// true <nil>
}

func ExampleFromValue() {
	v, err := pulumi.FromValue(property.New("eu-west-1").WithDependencies([]sdkurn.URN{"urn:b", "urn:a", "urn:b"}))
	fmt.Printf("%#v %v\n", v, err)
	// Output: value.String("eu-west-1").WithDependencies("urn:a", "urn:b") <nil>
}

func ExampleToArray() {
	a, err := pulumi.ToArray(value.Array(value.String("x"), value.Null()), pulumi.RefuseHints)
	fmt.Println(a.Len(), a.Get(0).AsString(), a.Get(1).IsNull(), err)
	// Output: 2 x true <nil>
}

func ExampleToPath() {
	p, err := pulumi.ToPath(path.MustParse(`tags["2nd"]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := p.MarshalText()
	fmt.Println(string(text), err)
	// Output: tags["2nd"] <nil>
}

// A key "*" is not the wildcard.
func ExampleFromGlob() {
	p, err := pulumi.FromGlob(property.GlobFromSegments(property.NewSegment("*"), property.Splat))
	fmt.Println(p, p.Covers(path.MustParse(`["*"].a`)), p.Covers(path.MustParse("b.a")), err)
	// Output: ["*"][*] true false <nil>
}

func ExampleFromURN() {
	u, err := pulumi.FromURN("urn:pulumi:prod::shop::aws:s3/bucket:Bucket::logs")
	fmt.Println(u.Package(), u.Name(), err)
	// Output: aws logs <nil>
}

// What the SDK takes for an object diff can be made of any diff of objects whose
// arrays are matched index by index.
func ExampleToResourceObjectDiff() {
	old := value.Object(value.Member{Key: "tags", Value: value.Array(value.String("a"))})
	now := value.Object(value.Member{Key: "tags", Value: value.Array(value.String("a"), value.String("b"))})
	d, err := pulumi.ToResourceObjectDiff(diff.Between(old, now, diff.Options{Relation: value.Engine}), old)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.ChangedKeys(), plugin.NewDetailedDiffFromObjectDiff(d, true))
	// Output: [tags] map[tags[1]:{add true}]
}

// What the SDK tells element by element is told again as what it was: one
// insertion.
func ExampleFromObjectDiff() {
	list := func(texts ...string) property.Map {
		var elems []property.Value
		for _, text := range texts {
			elems = append(elems, property.New(text))
		}
		return property.NewMap(map[string]property.Value{"zones": property.New(elems)})
	}
	theirs := list("b", "c", "d").Diff(list("a", "b", "c", "d"))
	fmt.Println(len(theirs.Updates["zones"].Array.Updates), "updates,", len(theirs.Updates["zones"].Array.Adds), "add")
	old, now, err := pulumi.FromObjectDiff(theirs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range diff.Between(old, now, diff.Options{Arrays: diff.Aligned()}).Changes() {
		fmt.Println(c)
	}
	// Output:
	// 3 updates, 1 add
	// + zones[0]: "a"
}

func ExampleFromResourceObjectDiff() {
	old := resource.PropertyMap{"password": resource.MakeSecret(resource.NewProperty("hunter2"))}
	now := resource.PropertyMap{"password": resource.MakeSecret(resource.NewProperty("correct horse"))}
	before, after, err := pulumi.FromResourceObjectDiff(old.Diff(now))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(diff.Between(before, after, diff.Options{}))
	// Output: ~ password: [secret] => [secret]
}
