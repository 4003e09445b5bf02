package peers_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	vtstructpb "github.com/planetscale/vtprotobuf/types/known/structpb"
	"github.com/tidwall/gjson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/bench"
)

// decoder is a peer's way to read the bytes of a google.protobuf.Struct.
type decoder struct {
	name string
	read func(data []byte) (proto.Message, error)
}

// decoders copy the texts, or all bytes.
func decoders() []decoder {
	return append([]decoder{
		{"structpb", readStructpb},
		{"vtprotobuf", func(data []byte) (proto.Message, error) {
			m := new(vtstructpb.Struct)
			return (*structpb.Struct)(m), m.UnmarshalVT(data)
		}},
	}, hyperpbDecoders(false)...)
}

// owners make messages that point into the bytes. Package structpb has no such
// decoder.
func owners() []decoder {
	return append([]decoder{
		{"structpb", readStructpb},
		{"vtprotobuf-unsafe", func(data []byte) (proto.Message, error) {
			m := new(vtstructpb.Struct)
			return (*structpb.Struct)(m), m.UnmarshalVTUnsafe(data)
		}},
	}, hyperpbDecoders(true)...)
}

func readStructpb(data []byte) (proto.Message, error) {
	m := new(structpb.Struct)
	return m, proto.Unmarshal(data, m)
}

// jsonReader is a peer's way to read JSON into whatever it has for any JSON, called as
// its documentation begins.
type jsonReader struct {
	name string
	read func(text []byte) (any, error)
}

func jsonReaders() []jsonReader {
	return append([]jsonReader{
		{"encoding-json", into(json.Unmarshal)},
		{"json-experiment", into(func(text []byte, x any) error { return jsonv2.Unmarshal(text, x) })},
		{"goccy", into(goccy.Unmarshal)},
		{"gjson", func(text []byte) (any, error) {
			x := gjson.ParseBytes(text).Value()
			return x, bench.Must(x != nil)
		}},
	}, sonicReaders()...)
}

// into reads by a function of the form of json.Unmarshal.
func into(unmarshal func(text []byte, x any) error) func(text []byte) (any, error) {
	return func(text []byte) (any, error) {
		var x any
		err := unmarshal(text, &x)
		return x, err
	}
}

// What each peer does not do is what the table says.
func TestLacks(t *testing.T) {
	text, err := os.ReadFile("../../bench/testdata/lacks.txt")
	if err != nil {
		t.Fatal(err)
	}
	file := string(text)

	for _, d := range append(decoders(), owners()...) {
		bench.CheckLacks(t, file, "decode "+d.name, bench.DecoderLacks(func(data []byte) ([]string, error) {
			m, err := d.read(data)
			if err != nil {
				return nil, err
			}
			return keysOfMessage(m), nil
		}))
	}

	for name, marshal := range map[string]func(m *structpb.Struct) ([]byte, error){
		"structpb":   func(m *structpb.Struct) ([]byte, error) { return proto.Marshal(m) },
		"vtprotobuf": func(m *structpb.Struct) ([]byte, error) { return (*vtstructpb.Struct)(m).MarshalVT() },
	} {
		bench.CheckLacks(t, file, "encode "+name, bench.EncoderLacks(func(keys []string, text string) ([]byte, error) {
			m := &structpb.Struct{Fields: map[string]*structpb.Value{}}
			for _, key := range keys {
				m.Fields[key] = structpb.NewStringValue(text)
			}
			return marshal(m)
		}))
	}

	for _, r := range jsonReaders() {
		bench.CheckLacks(t, file, "json "+r.name, bench.JSONLacks(func(text []byte) ([]string, error) {
			x, err := r.read(text)
			object, _ := x.(map[string]any)
			return slices.Collect(maps.Keys(object)), err
		}))
	}
}

// keysOfMessage are the keys of a Struct's fields, in the order of the message.
func keysOfMessage(m proto.Message) []string {
	var keys []string
	message := m.ProtoReflect()
	message.Get(message.Descriptor().Fields().ByName("fields")).Map().Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, key.String())
		return true
	})
	return keys
}
