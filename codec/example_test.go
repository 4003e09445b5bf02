package codec_test

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// A bag as a provider gets it: the password comes out secret, the ARN is not
// known yet, and printing shows neither.
func ExampleDecodeJSON() {
	text := `{
		"name": "db",
		"arn": "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
		"password": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "hunter2"}
	}`
	bag, err := codec.DecodeJSON([]byte(text), codec.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bag.Field("password").IsSecret(), bag.Field("arn").IsUnknown(), bag.Field("password"))
	// Output: true true [secret]
}

func ExampleAppendJSONValue() {
	bag := value.Object(
		value.Member{Key: "size", Value: value.Number(3)},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
	)
	text, err := codec.AppendJSON(nil, bag, codec.Options{})
	fmt.Println(string(text), err)
	// Output: {"password":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"hunter2"},"size":3} <nil>
}

// Options that fit a peer, from what it said that it accepts.
func ExampleFeatures() {
	peer := codec.AcceptSecrets | codec.AcceptOutputs
	bag := value.Object(value.Member{Key: "vpc", Value: value.ResourceReference{
		URN: "urn:pulumi:dev::shop::aws:ec2/vpc:Vpc::main", ID: value.KnownID("vpc-1"),
	}.Value()})
	text, err := codec.AppendJSON(nil, bag, peer.Options())
	fmt.Println(string(text), err)
	// Output: {"vpc":"vpc-1"} <nil>
}

func ExampleOptions() {
	o := codec.Options{Secrets: codec.Lower, Nulls: codec.Lower, Unknowns: codec.Reject, Depth: codec.PeerDepth}
	bag := value.Object(
		value.Member{Key: "a", Value: value.Secret(value.Number(1))},
		value.Member{Key: "b", Value: value.Null()},
	)
	text, err := codec.AppendJSON(nil, bag, o)
	fmt.Println(string(text), err)
	// Output: {"a":1} <nil>
}

func ExamplePolicy() {
	bag := value.Object(value.Member{Key: "arn", Value: value.Unknown()})
	for _, p := range []codec.Policy{codec.Keep, codec.Lower, codec.Reject} {
		text, err := codec.AppendJSON(nil, bag, codec.Options{Unknowns: p})
		fmt.Printf("%q %v\n", text, err)
	}
	// Output:
	// "{\"arn\":\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"}" <nil>
	// "{}" <nil>
	// "" codec: encode json: arn: rejected by policy: found unknown
}

// What a text for people to look at has in place of secrets, no reader takes.
func ExampleForm() {
	text, _ := codec.AppendJSONValue(nil, value.Secret(value.String("hunter2")), codec.Options{Form: codec.FormMasked})
	fmt.Println(string(text))
	_, err := codec.DecodeJSONValue(text, codec.Options{})
	fmt.Println(errors.Is(err, codec.ErrMasked))
	// Output:
	// {"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","masked":true}
	// true
}

// Numbers that a double cannot hold are errors, or rounded and reported.
func ExampleOptions_rounding() {
	text := []byte(`{"id": 9007199254740993}`)
	_, err := codec.DecodeJSONValue(text, codec.Options{})
	fmt.Println(err)

	var report codec.Report
	bag, err := codec.DecodeJSONValue(text, codec.Options{RoundNumbers: true, Report: &report})
	fmt.Println(bag.Field("id"), report.Rounded[0].At, err)
	// Output:
	// codec: decode json: id: offset 7: number cannot be held exactly
	// 9007199254740992 id <nil>
}

// Two numbers can round to one double and still differ.
func ExampleReport() {
	read := func(text string) codec.Report {
		var report codec.Report
		if _, err := codec.DecodeJSONValue([]byte(text), codec.Options{RoundNumbers: true, Report: &report}); err != nil {
			fmt.Println(err)
		}
		return report
	}
	a, b := read(`[9007199254740993]`), read(`[9007199254740993.5]`)
	fmt.Println(len(a.Rounded), a.More, a.Rounded[0].RevealText() == b.Rounded[0].RevealText())
	// Output: 1 0 false
}

func ExampleRounded() {
	text := `{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": {"pin": 9007199254740993}}`
	var report codec.Report
	_, err := codec.DecodeJSONValue([]byte(text), codec.Options{RoundNumbers: true, Report: &report})
	r := report.Rounded[0]
	fmt.Println(r.At, r.Secret, r.RevealText(), err)
	// Output: [secret] true 9007199254740993 <nil>
}

// Errors say what, where and why, and never show a payload.
func ExampleError() {
	_, err := codec.DecodeJSONValue([]byte(`{"tags":{"env":"dev","env":"prod"}}`), codec.Options{})
	var e *codec.Error
	if errors.As(err, &e) && errors.Is(err, codec.ErrDuplicate) {
		fmt.Println(e.At.Path() == path.MustParse("tags"), e.Offset)
		fmt.Println(e)
	}
	// Output:
	// true 21
	// codec: decode json: tags: offset 21: duplicate member name
}

// The bytes of a Struct, as they are in a message of the protocol, and back.
func ExampleDecode() {
	state := value.Object(
		value.Member{Key: "name", Value: value.String("logs")},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
	)
	data, err := codec.Append(nil, state, codec.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := codec.Decode(data, codec.Options{})
	fmt.Println(back, err, back.Identical(state))
	// Output: {name: "logs", password: [secret]} <nil> true
}

// A server that has bytes of its own gives them away, and no text is copied.
func ExampleOptions_ownBytes() {
	receive := func() []byte { return []byte(`{"name": "logs"}`) }
	bag, err := codec.DecodeJSON(receive(), codec.Options{OwnBytes: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	kept := bag.Field("name").Compact() // does not keep the bytes alive
	fmt.Println(bag, kept)
	// Output: {name: "logs"} "logs"
}

// A peer that knows no secrets gets what is in them.
func ExampleAppend() {
	state := value.Object(value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))})
	buffer := make([]byte, 0, 4096) // one for many calls
	out, err := codec.Append(buffer, state, codec.Features(0).Options())
	fmt.Printf("%q %v\n", out, err)
	// Output: "\n\x15\n\bpassword\x12\t\x1a\ahunter2" <nil>
}

// What cannot be written is an error with its path.
func ExampleAppend_error() {
	state := value.Object(value.Member{Key: "files", Value: value.Array(value.String("\xff"))})
	_, err := codec.Append(nil, state, codec.Options{ByteStrings: codec.Reject})
	fmt.Println(errors.Is(err, codec.ErrUTF8))
	fmt.Println(err)
	// Output:
	// true
	// codec: encode protobuf: files[0]: not UTF-8
}

func ExampleDecodeValue() {
	v, err := codec.DecodeValue([]byte("\x1a\x05hello"), codec.Options{})
	fmt.Println(v, err)
	_, err = codec.DecodeValue([]byte("\x1a\x06hello"), codec.Options{})
	fmt.Println(err)
	// Output:
	// "hello" <nil>
	// codec: decode protobuf: offset 1: syntax error: found end of message
}

func ExampleAppendValue() {
	out, err := codec.AppendValue(nil, value.Array(value.Number(1), value.Null()), codec.Options{})
	fmt.Printf("%q %v\n", out, err)
	// Output: "2\x0f\n\t\x11\x00\x00\x00\x00\x00\x00\xf0?\n\x02\b\x00" <nil>
}

// From a generated message, and back into one.
func ExampleFromMessage() {
	news, err := structpb.NewStruct(map[string]any{"size": 3, "zone": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := codec.FromMessage(news, codec.Options{})
	fmt.Println(v, err)
	// Output: {size: 3, zone: [unknown]} <nil>
}

func ExampleToMessage() {
	m, err := codec.ToMessage(value.Object(value.Member{Key: "size", Value: value.Number(3)}), codec.Options{})
	fmt.Println(m.GetFields()["size"].GetNumberValue(), err)
	// Output: 3 <nil>
}

func ExampleFromMessageValue() {
	_, err := codec.FromMessageValue(structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{nil}}), codec.Options{})
	fmt.Println(err)
	// Output: codec: from structpb: [0]: wrong kind: expected a kind of value, found none
}

func ExampleToMessageValue() {
	m, err := codec.ToMessageValue(value.UnknownOf(value.KindBool), codec.Options{})
	fmt.Println(m.GetStringValue(), err)
	// Output: 1c4a061d-8072-4f0a-a4cb-0ff528b18fe7 <nil>
}
