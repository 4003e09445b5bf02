package value_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/propalg/propalg/value"
)

// A secret is marked by wrapping it. No way of printing shows it.
func ExampleSecret() {
	password := value.Secret(value.String("hunter2"))
	fmt.Println(password)
	fmt.Printf("%q %x %+v\n", password, password, struct{ Password value.Value }{password})

	text, ok := password.AsString() // by name only
	fmt.Println(len(text), ok)
	// Output:
	// [secret]
	// "[secret]" 5b7365637265745d {Password:[secret]}
	// 7 true
}

func ExampleValue_String() {
	v := value.Object(
		value.Field("ports", value.Array(value.Number(80), value.Number(443))),
		value.Field("password", value.Secret(value.String("hunter2"))),
		value.Field("arn", value.Unknown()),
		value.Field("page.html", value.TextAsset("hello")),
		value.Field("motd", value.String("a\x1b[31mlarm\n")),
	)
	fmt.Println(v)
	// Output:
	// {arn: [unknown], motd: "a\x1b[31mlarm\n", "page.html": asset(text:2cf24db), password: [secret], ports: [80, 443]}
}

func ExampleValue_GoString() {
	v := value.Array(value.Secret(value.Number(1)), value.Number(2).WithDependencies("urn:pulumi:s::p::t::n"))
	fmt.Printf("%#v\n", v)
	// Output:
	// value.Array{value.Secret([secret]), value.Number(2).WithDependencies("urn:pulumi:s::p::t::n")}
}

// JSON is for people to read: it masks, and cannot be read back.
func ExampleValue_MarshalJSON() {
	text, err := json.Marshal(map[string]value.Value{
		"password": value.Secret(value.String("hunter2")),
		"size":     value.Number(10),
	})
	fmt.Println(string(text), err)
	// Output:
	// {"password":"[secret]","size":10} <nil>
}

func ExampleValue_LogValue() {
	noTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: noTime}))
	log.Info("created", "size", value.Number(10), "password", value.Secret(value.String("hunter2")))
	// Output:
	// level=INFO msg=created size=10 password=[secret]
}

func ExampleFromGo() {
	v, err := value.FromGo(map[string]any{
		"name":     "web",
		"ports":    []int{80, 443},
		"password": value.Secret(value.String("hunter2")), // values may stand in plain data
	})
	fmt.Println(v, err)

	_, err = value.FromGo(map[string]any{"ids": []any{1, json.Number("9007199254740993")}})
	fmt.Println(err, errors.Is(err, value.ErrInexact))
	// Output:
	// {name: "web", password: [secret], ports: [80, 443]} <nil>
	// value: from Go: ids[1]: a float64 cannot hold the number exactly true
}

// Plain data has no marks, so a secret is an error until its mark is dropped.
func ExampleValue_ToGo() {
	password := value.Secret(value.String("hunter2"))
	v := value.Object(value.Field("password", password))
	_, err := v.ToGo()
	fmt.Println(err)

	x, err := password.DropSecret().ToGo()
	fmt.Printf("%T of %d bytes, %v\n", x, len(x.(string)), err)
	// Output:
	// value: to Go: password: secret
	// string of 7 bytes, <nil>
}
