package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

func ExampleMessage() {
	inputs := value.Object(
		value.Member{Key: "size", Value: value.Number(3)},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
	)
	data, err := rpc.Append(nil, &rpc.CheckResponse{Inputs: inputs}, rpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	var got rpc.CheckResponse
	if err := rpc.Decode(data, &got, rpc.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.Inputs)
	fmt.Println(got.Inputs.Identical(inputs))
	// Output:
	// {password: [secret], size: 3}
	// true
}

func ExampleDiffRequest() {
	req := rpc.DiffRequest{
		URN:           "urn:pulumi:dev::shop::aws:s3/bucketV2:BucketV2::assets",
		IgnoreChanges: []string{`tags["*"]`},
	}
	u, err := urn.Parse(req.URN)
	fmt.Println(u.Name(), err)
	ignored, err := path.ParsePulumiPattern(req.IgnoreChanges[0])
	fmt.Println(ignored, err)
	// Output:
	// assets <nil>
	// tags[*] <nil>
}

func ExampleOptions() {
	// What a peer that accepts no secrets gets.
	o := rpc.Options{Properties: codec.Features(0).Options()}
	text, err := rpc.AppendJSON(nil, &rpc.CreateResponse{
		ID:         "i-1",
		Properties: value.Object(value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))}),
	}, o)
	fmt.Println(string(text), err)
	// Output:
	// {"id":"i-1","properties":{"password":"hunter2"}} <nil>
}

func ExampleDecodeJSON() {
	// A line of the engine's log of calls names the method and holds the request.
	request, _ := rpc.NewCall("/pulumirpc.ResourceProvider/Create")
	err := rpc.DecodeJSON([]byte(`{"urn":"urn:pulumi:a::b::c::d","properties":{},"timeout":"60","preview":true}`), request, rpc.Options{})
	create := request.(*rpc.CreateRequest)
	fmt.Println(create.URN, create.Timeout, create.Preview, err)
	// Output:
	// urn:pulumi:a::b::c::d 60 true <nil>
}

func ExampleMarshalStatus() {
	const failedPrecondition = 9 // a code of grpc
	status, err := rpc.MarshalStatus(failedPrecondition, "configure first", []rpc.Message{&rpc.ConfigureErrorMissingKeys{
		MissingKeys: []rpc.MissingKey{{Name: "aws:region", Description: "where to"}},
	}}, rpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	var missing rpc.ConfigureErrorMissingKeys
	found, err := rpc.FindDetail(status, &missing, rpc.Options{})
	fmt.Println(found, err, missing.MissingKeys[0].Name)
	// Output:
	// true <nil> aws:region
}

func ExampleConfigureRequest_Properties() {
	old := rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"aws:config:region": "eu-west-1", "aws:config:account": "123", "aws:config:retries": "3"})}
	guessed, err := old.Properties()
	fmt.Println(guessed, err)
	known, err := old.PropertiesWithStrings("region", "account")
	fmt.Println(known, err)
	// Output:
	// {account: 123, region: "eu-west-1", retries: 3} <nil>
	// {account: "123", region: "eu-west-1", retries: 3} <nil>
}

func ExampleViolations() {
	found := check.Violations(
		&rpc.CreateRequest{Properties: value.Object(value.Member{Key: "name", Value: value.Unknown()})},
		&rpc.CreateResponse{ID: "i-1", Properties: value.Object(value.Member{Key: "name", Value: value.String("logs")})},
	)
	for _, v := range found {
		fmt.Println(v)
	}
	fmt.Println(slices.ContainsFunc(found, func(v check.Finding) bool { return v.Severity == check.SeverityError }))
	// Output:
	// error: request.properties: name: unknown: an unknown is sent where the protocol wants a value (not allowed outside preview); look for the response that let it into the state
	// true
}

func ExampleError() {
	var m rpc.CheckRequest
	err := rpc.Decode([]byte("\x0a\x03urn\x32\x01\xff"), &m, rpc.Options{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, codec.ErrUTF8))
	// Output:
	// rpc: decode CheckRequest: name: offset 7: not UTF-8
	// true
}

func ExampleCodec() {
	// grpc.NewServer(grpc.ForceServerCodec(rpc.Codec{})) reads and writes these.
	data, err := rpc.Codec{}.Marshal(&rpc.CreateResponse{ID: "i-1"})
	fmt.Printf("%q %v\n", data, err)
	_, err = rpc.Codec{}.Marshal("text")
	fmt.Println(err)
	// Output:
	// "\n\x03i-1" <nil>
	// rpc: encode: unknown message
}

func ExampleUnimplemented() {
	var disks struct{ rpc.Unimplemented } // and the methods that you write
	ctx := context.Background()
	checked, err := disks.Check(ctx, &rpc.CheckRequest{News: value.Object(value.Field("size", value.Number(3)))})
	fmt.Println(checked.Inputs, err)
	_, err = disks.Create(ctx, &rpc.CreateRequest{})
	fmt.Println(err, errors.Is(err, errors.ErrUnsupported))
	// Output:
	// {size: 3} <nil>
	// the provider does not implement Create true
}
