package bind_test

import (
	"fmt"
	"time"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

type bucketArgs struct {
	Name     string              `pulumi:"name"`
	Size     int                 `pulumi:"size,optional"`
	Tags     map[string]string   `pulumi:"tags,optional"`
	Expiry   *time.Duration      `pulumi:"expiry,optional"`
	Password string              `pulumi:"password,optional,secret"`
	Role     bind.Output[string] `pulumi:"role,optional"`
}

func ExampleDecode() {
	inputs := value.Object(
		value.Field("name", value.String("logs")),
		value.Field("size", value.Number(3)),
		value.Field("expiry", value.String("72h")),
		value.Field("password", value.Secret(value.String("hunter2"))),
		value.Field("role", value.Unknown()),
	)

	var args bucketArgs

	info, err := bind.Decode(inputs, &args, bind.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	_, known := args.Role.Known()
	fmt.Println(args.Name, args.Size, args.Expiry.Hours(), len(args.Password), known)

	// What becomes of it is marked as the inputs were.
	args.Size++
	outputs, err := info.Encode(args)
	fmt.Println(outputs, err)
	// Output:
	// logs 3 72 7 false
	// {expiry: "72h0m0s", name: "logs", password: [secret], role: [unknown], size: 4} <nil>
}

// All problems are reported at once, with their places.
func ExampleDecode_problems() {
	inputs := value.Object(
		value.Field("nam", value.String("logs")),
		value.Field("size", value.Number(2.5)),
		value.Field("tags", value.Object(value.Field("team", value.Bool(true)))),
	)

	_, err := bind.Decode(inputs, new(bucketArgs), bind.Options{})
	fmt.Println(err)
	// Output:
	// bind: decode: 4 problems
	//   nam: expected the name of a field, such as name
	//   name: expected a member of this name, found none
	//   size: expected number that is exactly one of int, found another number
	//   tags.team: expected string, found bool
}

func ExampleAs() {
	ports, err := bind.As[[]uint16](value.Array(value.Number(80), value.Number(443)))
	fmt.Println(ports, err)

	_, err = bind.As[[]uint16](value.Array(value.Number(80), value.Number(70_000)))
	fmt.Println(err)
	// Output:
	// [80 443] <nil>
	// bind: decode: [1]: expected number that is exactly one of uint16, found another number
}

func ExampleEncode() {
	v, err := bind.Encode(bucketArgs{
		Name:     "logs",
		Password: "hunter2",
		Role:     bind.Known("admin").WithMarksOf(value.Null().WithDependencies("urn:pulumi:dev::app::aws:iam/role:Role::admin")),
	}, bind.Options{})
	fmt.Println(v, err)
	// Output:
	// {name: "logs", password: [secret], role: "admin"} <nil>
}

// During a preview inputs may be unknown.
func ExampleOptions() {
	type args struct {
		Name  string
		Count int
	}

	v := value.Object(value.Field("name", value.Unknown()), value.Field("count", value.Number(2)))

	var x args
	info, err := bind.Decode(v, &x, bind.Options{AllowUnknown: true, LowerCamel: true})
	fmt.Println(x, info.Unknowns, err)
	// Output:
	// { 2} [name] <nil>
}

// An Output holds what a plain type cannot.
func ExampleOutput() {
	o, err := bind.As[bind.Output[[]string]](value.Array(value.String("a"), value.Secret(value.String("b"))))
	x, known := o.Known()
	fmt.Println(o, o.IsSecret(), len(x), known, err)

	o, err = bind.As[bind.Output[[]string]](value.Array(value.String("a"), value.Unknown()))
	_, known = o.Known()
	fmt.Println(o, known, err)
	// Output:
	// [secret] true 2 true <nil>
	// [unknown] false <nil>
}

// Where lists changed their length, the whole list is marked.
func ExampleInfo_Encode() {
	type args struct {
		Keys []string `pulumi:"keys"`
	}

	v := value.Object(value.Field("keys", value.Array(value.String("a"), value.Secret(value.String("b")))))

	var x args

	info, err := bind.Decode(v, &x, bind.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	same, _ := info.Encode(x)
	x.Keys = append(x.Keys, "c")
	longer, _ := info.Encode(x)

	keys := path.Of(path.Key("keys"))
	list, _ := longer.At(keys)
	fmt.Println(same, same.Equal(v))
	fmt.Println(longer, list.IsSecret())
	// Output:
	// {keys: ["a", [secret]]} true
	// {keys: [secret]} true
}
