package codec_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

func fields(key string, m *structpb.Value) *structpb.Struct {
	return &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewNullValue(), key: m}}
}

// What only a message in memory can be: nil where something has to be, and texts
// that no bytes can hold.
func TestMessagesThatAreNone(t *testing.T) {
	loop := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	loop.Fields["l"] = structpb.NewStructValue(loop)
	list := func(m *structpb.Value) *structpb.Value {
		return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNullValue(), m}})
	}
	for _, row := range []struct {
		at    string
		m     *structpb.Struct
		cause error
		err   string
	}{
		{here(), fields("x", nil), codec.ErrKind, "x: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", &structpb.Value{}), codec.ErrKind, "x: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", list(nil)), codec.ErrKind, "x[1]: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", &structpb.Value{Kind: (*structpb.Value_NullValue)(nil)}), codec.ErrKind, "x: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", &structpb.Value{Kind: (*structpb.Value_NumberValue)(nil)}), codec.ErrKind, "x: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", &structpb.Value{Kind: (*structpb.Value_StringValue)(nil)}), codec.ErrKind, "x: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", &structpb.Value{Kind: (*structpb.Value_BoolValue)(nil)}), codec.ErrKind, "x: wrong kind: expected a kind of value, found none"},
		{here(), fields("x", &structpb.Value{Kind: (*structpb.Value_StructValue)(nil)}), codec.ErrKind, "x: wrong kind: expected a kind of value, found nil"},
		{here(), fields("x", &structpb.Value{Kind: (*structpb.Value_ListValue)(nil)}), codec.ErrKind, "x: wrong kind: expected a kind of value, found nil"},
		{here(), fields("x", structpb.NewStructValue(nil)), codec.ErrKind, "x: wrong kind: expected a kind of value, found nil"},
		{here(), fields("x", list(structpb.NewListValue(nil))), codec.ErrKind, "x[1]: wrong kind: expected a kind of value, found nil"},
		{here(), fields("x", structpb.NewStringValue("\xff")), codec.ErrUTF8, "x: not UTF-8"},
		{here(), fields("\xff", structpb.NewNullValue()), codec.ErrUTF8, `"[\"\xff\"]": not UTF-8: expected name in UTF-8`},
		{here(), fields(sigKey, &structpb.Value{Kind: (*structpb.Value_StringValue)(nil)}), codec.ErrKind, `["` + sigKey + `"]: wrong kind: expected a kind of value, found none`},
		{here(), fields(sigKey, structpb.NewStringValue(assetID)), codec.ErrKind, "wrong kind: expected object, found asset"},
		{here(), loop, codec.ErrDepth, ""},
	} {
		v, err := codec.FromMessage(row.m, codec.Options{})
		if !errors.Is(err, row.cause) || (row.err != "" && err.Error() != "codec: from structpb: "+row.err) || !v.IsNull() {
			t.Errorf("%s: got %v, want %s", row.at, err, row.err)
		}
	}
	if _, err := codec.FromMessageValue(nil, codec.Options{}); !errors.Is(err, codec.ErrKind) {
		t.Errorf("a nil Value: %v", err)
	}
}

// A message that was not sent is null, both ways.
func TestNilStruct(t *testing.T) {
	v, err := codec.FromMessage(nil, codec.Options{})
	if err != nil || !v.Identical(value.Null()) {
		t.Errorf("from nil: %v, %v", v, err)
	}
	m, err := codec.ToMessage(value.Null(), codec.Options{})
	if err != nil || m != nil {
		t.Errorf("from null: %v, %v", m, err)
	}
	for _, v := range []value.Value{num(1), value.Secret(value.Null()), value.Null().WithDependencies("u"), value.Array(), value.Unknown()} {
		if m, err := codec.ToMessage(v, codec.Options{}); !errors.Is(err, codec.ErrKind) || m != nil {
			t.Errorf("%v: %v, %v", v, m, err)
		}
		if out, err := codec.Append(nil, v, codec.Options{}); !errors.Is(err, codec.ErrKind) || out != nil {
			t.Errorf("%v: %v, %v", v, out, err)
		}
	}
	if _, err := codec.Append(nil, value.Null(), codec.Options{}); !errors.Is(err, codec.ErrKind) {
		t.Errorf("null as bytes: %v", err)
	}
	for _, empty := range []*structpb.Struct{{}, {Fields: map[string]*structpb.Value{}}} {
		if v, err := codec.FromMessage(empty, codec.Options{}); err != nil || !v.Identical(object()) {
			t.Errorf("from an empty message: %v, %v", v, err)
		}
	}
	if m, err := codec.ToMessage(object(), codec.Options{}); err != nil || m == nil || len(m.Fields) != 0 {
		t.Errorf("from an empty object: %v, %v", m, err)
	}
}

// Neither side holds anything that the other can change.
func TestMessagesShareNothing(t *testing.T) {
	m := fields("x", structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNumberValue(1)}}))
	v, err := codec.FromMessage(m, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m.Fields["x"].GetListValue().Values[0] = structpb.NewStringValue("changed")
	delete(m.Fields, "a")
	if want := object(member("a", value.Null()), member("x", value.Array(num(1)))); !v.Identical(want) {
		t.Errorf("changed with its message: %v", v)
	}
	first, _ := codec.ToMessage(v, codec.Options{})
	again, _ := codec.ToMessage(v, codec.Options{})
	first.Fields["x"].GetListValue().Values[0] = nil
	first.Fields["a"].Kind = nil
	if back, err := codec.FromMessage(again, codec.Options{}); err != nil || !back.Identical(v) {
		t.Errorf("messages of one value share something: %v, %v", back, err)
	}
	data, err := proto.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	read, err := codec.Decode(data, codec.Options{})
	clear(data)
	if err != nil || !read.Identical(v) {
		t.Errorf("changed with the bytes it was read from: %v, %v", read, err)
	}
}

// One meaning and one error, however the maps of a message are ordered.
func TestMessages(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rounds = 30_000
	taken := 0
	for range rounds {
		program := make([]byte, rng.IntN(80))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		if readMessage(t, program, codec.Options{Depth: rng.IntN(12), ByteStrings: codec.Policy(2 * rng.IntN(2))}) {
			taken++
		}
	}
	if taken < rounds/10 || taken > rounds*9/10 {
		t.Errorf("of %d %d were taken", rounds, taken)
	}
}

func TestMessagesOfBags(t *testing.T) {
	for i, data := range wireBags(t) {
		m := new(structpb.Struct)
		if err := proto.Unmarshal(data, m); err != nil {
			t.Fatal(err)
		}
		want, err := codec.Decode(data, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := codec.FromMessage(m, codec.Options{}); err != nil || !v.Identical(want) {
			t.Errorf("bag %d: %v", i, err)
		}
		if n := testing.AllocsPerRun(2, func() { _, _ = codec.FromMessage(m, codec.Options{}) }); !race.Enabled && n > float64(due(want, len(data))+16) {
			t.Errorf("bag %d: %v allocations, %d are due", i, n, due(want, len(data)))
		}
	}
}

// A message that is in itself, twice: going down ends it, not going wide.
func TestMessagesInCircles(t *testing.T) {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	l := &structpb.ListValue{}
	s.Fields["a"], s.Fields["b"], s.Fields["l"] = structpb.NewStructValue(s), structpb.NewStructValue(s), structpb.NewListValue(l)
	l.Values = []*structpb.Value{s.Fields["a"], s.Fields["l"], s.Fields["l"], s.Fields["b"]}
	for _, depth := range []int{0, 1, 2, 3, 4, 5, 50} {
		o := codec.Options{Depth: depth}
		if v, err := codec.FromMessage(s, o); !errors.Is(err, codec.ErrDepth) {
			t.Errorf("depth %d: %v, %v", depth, v, err)
		}
	}
}
