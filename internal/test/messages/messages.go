// Package messages draws protobuf messages for tests.
package messages

import (
	"encoding/base64"
	"math"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"
)

// Fill draws the fields of a message of any type, dynamic or generated. Every field may
// be absent, present and empty, or present with contents. With json it draws only what
// the JSON form can hold.
func Fill(t *rapid.T, m protoreflect.Message, json bool) { draw{t, json}.fill(m) }

// draw draws messages.
type draw struct {
	t    *rapid.T
	json bool // only what the JSON form can hold
}

func (d draw) chance(percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(d.t, label) < percent
}

func (d draw) fill(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !d.chance(40, "present") {
			continue
		}

		switch {
		case f.IsMap():
			entries := m.Mutable(f).Map()
			for range rapid.IntRange(0, 3).Draw(d.t, "entries") {
				entries.Set(protoreflect.ValueOfString(d.text()).MapKey(), d.value(f.MapValue(), entries.NewValue))
			}
		case f.IsList():
			list := m.Mutable(f).List()
			for range rapid.IntRange(0, 3).Draw(d.t, "elements") {
				list.Append(d.value(f, list.NewElement))
			}
		default:
			m.Set(f, d.value(f, func() protoreflect.Value { return m.NewField(f) }))
		}
	}
}

func (d draw) value(f protoreflect.FieldDescriptor, fresh func() protoreflect.Value) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(d.text())
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rapid.Bool().Draw(d.t, "bool"))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(rapid.Int32().Draw(d.t, "int32"))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(rapid.Int64().Draw(d.t, "int64"))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), 1, -1.5, 300, 1e21, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64,
			math.Inf(1), math.Inf(-1), math.NaN(),
		}).Draw(d.t, "double"))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(d.t, "bytes"))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.SampledFrom([]int32{0, 1, 2, 3, 4, 5, 6, 77, -1, math.MaxInt32}).Draw(d.t, "enum")))
	case protoreflect.MessageKind:
		v := fresh()
		switch f.Message().FullName() {
		case "google.protobuf.Struct":
			return d.known(v, d.properties(3))
		case "google.protobuf.Value":
			return d.known(v, d.property(3))
		}

		d.fill(v.Message())
		return v
	}

	panic("no kind of the protocol: " + f.Kind().String())
}

// known copies a generated message into a message that may be dynamic.
func (d draw) known(v protoreflect.Value, m proto.Message) protoreflect.Value {
	data, err := proto.Marshal(m)
	if err == nil {
		err = proto.Unmarshal(data, v.Message().Interface())
	}
	if err != nil {
		panic(err)
	}

	return v
}

func (d draw) text() string {
	return rapid.SampledFrom([]string{"", "a", "tags.env", "ü€😀", "\x00\x1f\x7f\"\\/\n\t", strings.Repeat("long ", 30), "<&>\u2028", "\ufffd"}).Draw(d.t, "text")
}

func (d draw) properties(depth int) *structpb.Struct {
	s := &structpb.Struct{}
	for range rapid.IntRange(0, 4).Draw(d.t, "members") {
		if s.Fields == nil {
			s.Fields = map[string]*structpb.Value{}
		}
		s.Fields[d.text()] = d.property(depth - 1)
	}

	return s
}

// property draws a value: plain ones, and one of each signature.
func (d draw) property(depth int) *structpb.Value {
	const key = "4dabf18193072939515e22adb298388d"
	signature := func(sig string, more map[string]any) *structpb.Value {
		more[key] = sig
		v, err := structpb.NewValue(more)
		if err != nil {
			panic(err)
		}

		return v
	}
	kinds := 13
	if depth > 0 {
		kinds = 16
	}
	switch rapid.IntRange(0, kinds-1).Draw(d.t, "kind") {
	case 0, 1:
		return structpb.NewNullValue()
	case 2:
		return structpb.NewBoolValue(rapid.Bool().Draw(d.t, "b"))
	case 3, 4:
		return structpb.NewNumberValue(d.number())
	case 5, 6:
		return structpb.NewStringValue(d.text())
	case 7:
		return structpb.NewStringValue("04da6b54-80e4-46f7-96ec-b56ff0331ba9")

	case 8:
		return signature("1b47061264138c4ac30d75fd1eb44270", map[string]any{"value": d.text()})
	case 9:
		return signature("c44067f5952c0a294b673a41bacd8c17", map[string]any{"text": "x", "hash": strings.Repeat("ab", 32)})
	case 10:
		return signature("5cf8f73096256a8f31e491e813e4eb8e", map[string]any{"urn": "urn:pulumi:a::b::c::d", "id": "i"})
	case 11:
		return signature("d0e6a833031e9bbcd3f4e8bde6ca49a4", map[string]any{"value": d.text(), "dependencies": []any{"urn:pulumi:a::b::c::d"}})
	case 12:
		return signature("803fd3297a5875dc03ca845dda5d2a98", map[string]any{"value": base64.StdEncoding.EncodeToString([]byte{0xff, 0xfe})})

	case 13:
		l := &structpb.ListValue{}
		for range rapid.IntRange(0, 3).Draw(d.t, "elems") {
			l.Values = append(l.Values, d.property(depth-1))
		}
		return structpb.NewListValue(l)
	default:
		return structpb.NewStructValue(d.properties(depth))
	}
}

func (d draw) number() float64 {
	all := []float64{0, 1, -1, 0.1, 1e23, 9007199254740991, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)}
	if !d.json {
		all = append(all, math.NaN(), math.Inf(1), math.Inf(-1))
	}
	return rapid.SampledFrom(all).Draw(d.t, "number")
}
