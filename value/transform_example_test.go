package value_test

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Upper-case all texts. The password stays secret, since a replacement keeps the
// marks of what it replaces.
func ExampleValue_Transform() {
	props := value.Object(
		value.Field("name", value.String("web")),
		value.Field("password", value.Secret(value.String("hunter2"))),
		value.Field("ports", value.Array(value.Number(80), value.Number(443))),
	)

	upper, err := props.Transform(func(c *value.Cursor) (value.Value, error) {
		if text, ok := c.Value().AsString(); ok {
			return value.String(strings.ToUpper(text)), nil
		}

		return c.Value(), nil // keep
	})
	fmt.Println(upper, err)
	fmt.Println(value.Internal.SharesMemory(props.Field("ports"), upper.Field("ports")))
	// Output:
	// {name: "WEB", password: [secret], ports: [80, 443]} <nil>
	// true
}

// Before sees containers before what is in them, so it can take a subtree as it is.
func ExampleTransformer() {
	props := value.Object(
		value.Field("__defaults", value.Array()),
		value.Field("name", value.String("web ")),
		value.Field("policy", value.Object(value.Field("text", value.String(" as it is ")))),
	)

	trim := value.Transformer{Before: func(c *value.Cursor) (value.Value, error) {
		v := c.Value()
		step, _ := c.Step()

		switch key, _ := step.AsKey(); {
		case strings.HasPrefix(key, "__"):
			c.Remove()
		case key == "policy":
			c.SkipBelow()
		case v.Kind() == value.KindNumber:
			return v, fmt.Errorf("unexpected number")
		case v.Kind() == value.KindString:
			text, _ := v.AsString()
			v = value.String(strings.TrimSpace(text))
		}

		return v, nil
	}}

	fmt.Println(trim.Apply(props))

	_, err := trim.Apply(value.Object(value.Field("sizes", value.Array(value.Number(1)))))
	fmt.Println(err)
	// Output:
	// {name: "web", policy: {text: " as it is "}} <nil>
	// value: transform: sizes[0]: unexpected number
}

func ExampleValue_Find() {
	props := value.Object(value.Field("rules", value.Array(
		value.Object(value.Field("port", value.Number(80))),
		value.Object(value.Field("port", value.Secret(value.Number(443)))),
		value.Object(),
	)))

	for c := range props.Find(path.MustSet("rules[*].port", "name")) {
		fmt.Println(c.Path(), c.Value())
	}
	// Output:
	// rules[0].port 80
	// rules[1].port [secret]
}

func ExampleValue_Update() {
	props := value.Object(
		value.Field("env", value.String("prod")),
		value.Field("tags", value.Object(value.Field("env", value.String("prod")))),
	)

	double := func(c *value.Cursor) (value.Value, error) {
		text, _ := c.Value().AsString()

		return value.String(text + text), nil
	}

	fmt.Println(props.Update(path.MustSet("tags[*]"), double))
	// Output:
	// {env: "prod", tags: {env: "prodprod"}} <nil>
}

func ExampleValue_WithField() {
	props, ok := value.Null().WithField("name", value.String("web"))
	fmt.Println(props, ok)

	_, ok = value.String("web").WithField("name", value.String("web"))
	fmt.Println(ok)
	// Output:
	// {name: "web"} true
	// false
}

func ExampleValue_Reveal() {
	props := value.Secret(value.Array(value.String("a"), value.Secret(value.String("b"))))

	request, err := props.Reveal().ToGo() // for the one call that sends it
	fmt.Println(request, err)
	// Output:
	// [a b] <nil>
}

func ExampleLift() {
	url := func(args ...value.Value) (value.Value, error) {
		name, _ := args[0].AsString()

		return value.String("https://" + name), nil
	}

	fmt.Println(value.Lift(url, value.String("example.org")))
	fmt.Println(value.Lift(url, value.Unknown()))
	fmt.Println(value.Lift(url, value.Secret(value.String("example.org"))))
	// Output:
	// "https://example.org" <nil>
	// [unknown] <nil>
	// [secret] <nil>
}
