package codec_test

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// The bytes of a Struct, as they are in a message of the protocol, and back.
func ExampleDecodeStruct() {
	state := value.Object(
		value.Member{Key: "name", Value: value.String("logs")},
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
	)
	data, err := codec.AppendStruct(nil, state, codec.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := codec.DecodeStruct(data, codec.Options{})
	fmt.Println(back, err, back.Identical(state))
	// Output: {name: "logs", password: [secret]} <nil> true
}

// A peer that knows no secrets gets what is in them.
func ExampleAppendStruct() {
	state := value.Object(value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))})
	buffer := make([]byte, 0, 4096) // one for many calls
	out, err := codec.AppendStruct(buffer, state, codec.Features(0).Options())
	fmt.Printf("%q %v\n", out, err)
	// Output: "\n\x15\n\bpassword\x12\t\x1a\ahunter2" <nil>
}

// What cannot be written is an error with its path.
func ExampleAppendStruct_error() {
	state := value.Object(value.Member{Key: "files", Value: value.Array(value.String("\xff"))})
	_, err := codec.AppendStruct(nil, state, codec.Options{ByteStrings: codec.Reject})
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
	// codec: decode protobuf: offset 1: syntax error: expected length within the message, found more
}

func ExampleAppendValue() {
	out, err := codec.AppendValue(nil, value.Array(value.Number(1), value.Null()), codec.Options{})
	fmt.Printf("%q %v\n", out, err)
	// Output: "2\x0f\n\t\x11\x00\x00\x00\x00\x00\x00\xf0?\n\x02\b\x00" <nil>
}

// From a generated message, and back into one.
func ExampleFromStruct() {
	news, err := structpb.NewStruct(map[string]any{"size": 3, "zone": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := codec.FromStruct(news, codec.Options{})
	fmt.Println(v, err)
	// Output: {size: 3, zone: [unknown]} <nil>
}

func ExampleToStruct() {
	m, err := codec.ToStruct(value.Object(value.Member{Key: "size", Value: value.Number(3)}), codec.Options{})
	fmt.Println(m.GetFields()["size"].GetNumberValue(), err)
	// Output: 3 <nil>
}

func ExampleFromValue() {
	_, err := codec.FromValue(structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{nil}}), codec.Options{})
	fmt.Println(err)
	// Output: codec: from structpb: [0]: wrong kind: expected a kind of value, found none
}

func ExampleToValue() {
	m, err := codec.ToValue(value.UnknownOf(value.KindBool), codec.Options{})
	fmt.Println(m.GetStringValue(), err)
	// Output: 1c4a061d-8072-4f0a-a4cb-0ff528b18fe7 <nil>
}
