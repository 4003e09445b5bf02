package infer_test

import (
	"context"
	"fmt"
	"testing"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// The two sides have values of different types. They are converted by way of the messages
// of Pulumi's protocol, which each side reads and writes with its own code.

func wireOptions() plugin.MarshalOptions {
	return plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true, KeepResources: true, KeepOutputValues: true}
}

// toTheirs returns the bag as infer is given it.
func toTheirs(v value.Value) (property.Map, error) {
	message, err := codec.ToMessage(v, codec.Options{})
	if err != nil {
		return property.Map{}, err
	}
	props, err := plugin.UnmarshalProperties(message, wireOptions())
	if err != nil {
		return property.Map{}, err
	}
	return resource.FromResourcePropertyValue(resource.NewProperty(props)).AsMap(), nil
}

// fromTheirs returns what infer answered as a value.
func fromTheirs(m property.Map) (value.Value, error) {
	props := resource.ToResourcePropertyValue(property.New(m)).ObjectValue()
	message, err := plugin.MarshalProperties(props, wireOptions())
	if err != nil {
		return value.Value{}, err
	}
	return codec.FromMessage(message, codec.Options{})
}

// echo is a function of a provider that returns its arguments: the shortest way through
// the public API of infer by which a bag is decoded, and the struct encoded with the
// marks that the bag had.
type echo[T any] struct{}

func (echo[T]) Invoke(_ context.Context, r infer.FunctionRequest[T]) (infer.FunctionResponse[T], error) {
	return infer.FunctionResponse[T]{Output: r.Input}, nil
}

// giver is a function without arguments that returns x: the shortest way to encode only.
type giver[T any] struct{ x T }

func (g giver[T]) Invoke(context.Context, infer.FunctionRequest[struct{}]) (infer.FunctionResponse[T], error) {
	return infer.FunctionResponse[T]{Output: g.x}, nil
}

// refusal is what infer has to say of a bag that it cannot read: which properties failed.
type refusal struct {
	properties []string
	text       string
}

func (r *refusal) Error() string { return r.text }

func refused(failures []provider.CheckFailure) error {
	if len(failures) == 0 {
		return nil
	}
	r := &refusal{text: "error"}
	for _, f := range failures {
		r.properties = append(r.properties, f.Property)
	}
	return r
}

// calm calls f, and makes a panic an error.
func calm(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// theirDecode is infer's reading of a bag.
func theirDecode[T any](v value.Value) (x T, err error) {
	err = calm(func() error {
		props, err := toTheirs(v)
		if err != nil {
			return err
		}
		read, failures, err := infer.DefaultCheck[T](context.Background(), props)
		if err != nil {
			return err
		}
		x = read
		return refused(failures)
	})
	return x, err
}

// theirReturn is what infer makes of a bag that it decodes and encodes again.
func theirReturn[T any](v value.Value) (back value.Value, err error) {
	err = calm(func() error {
		props, err := toTheirs(v)
		if err != nil {
			return err
		}
		response, err := infer.Function(echo[T]{}).Invoke(context.Background(), provider.InvokeRequest{Args: props})
		if err != nil {
			return err
		}
		if err := refused(response.Failures); err != nil {
			return err
		}
		back, err = fromTheirs(response.Return)
		return err
	})
	return back, err
}

// theirEncode is what infer makes of a struct.
func theirEncode[T any](x T) (v value.Value, err error) {
	err = calm(func() error {
		response, err := infer.Function(giver[T]{x}).Invoke(context.Background(), provider.InvokeRequest{})
		if err != nil {
			return err
		}
		v, err = fromTheirs(response.Return)
		return err
	})
	return v, err
}

// Nothing is lost on the way to the other side and back, so that what differs in these
// tests is the doing of bind or of infer.
func TestBridgeKeepsEverything(t *testing.T) {
	v := value.Object(
		value.Field("list", value.Array(value.Number(0.1), value.Null(), value.Bool(true))),
		value.Field("secret", value.Secret(value.Object(value.Field("a", value.String("é"))))),
		value.Field("none", value.Array()),
		value.Field("empty", value.Object()),
		value.Field("asset", value.Internal.AssetOf(value.SourceText, "text", "")),
		value.Field("unknown", value.Unknown()),
		value.Field("dependent", value.String("x").WithDependencies("urn:pulumi:dev::app::a:b:C::a")),
	)
	props, err := toTheirs(v)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := fromTheirs(props); err != nil || !back.Equal(v) {
		t.Errorf("%v became %v, %v", v, back, err)
	}
}
