package pulumi_test

import (
	"math"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
)

// draw makes random messages of the SDK's types. Every field may be absent,
// there and empty, or there with contents.
type draw struct {
	t    *rapid.T
	json bool // only what the JSON form can hold
}

func (d draw) message(mt protoreflect.MessageType) proto.Message {
	m := mt.New()
	d.fill(m)
	return m.Interface()
}

func (d draw) fill(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if rapid.IntRange(0, 99).Draw(d.t, "present") >= 45 {
			continue
		}
		switch {
		case f.IsMap():
			entries := m.Mutable(f).Map()
			for range rapid.IntRange(0, 2).Draw(d.t, "entries") {
				entries.Set(protoreflect.ValueOfString(d.text()).MapKey(), d.value(f.MapValue(), entries.NewValue))
			}
		case f.IsList():
			list := m.Mutable(f).List()
			for range rapid.IntRange(0, 2).Draw(d.t, "elements") {
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
		return protoreflect.ValueOfFloat64(d.number())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(d.t, "bytes"))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.SampledFrom([]int32{0, 1, 2, 3, 4, 5, 77, -1, math.MaxInt32}).Draw(d.t, "enum")))
	case protoreflect.MessageKind:
		v := fresh()
		switch m := v.Message().Interface().(type) {
		case *structpb.Struct:
			proto.Merge(m, d.properties(3))
		case *structpb.Value:
			proto.Merge(m, d.property(3))
		default:
			d.fill(v.Message())
		}
		return v
	}
	panic("no kind of the protocol: " + f.Kind().String())
}

func (d draw) text() string {
	return rapid.SampledFrom([]string{"", "a", "tags.env", "ü€😀", "\x00\x1f\"\\/\n", strings.Repeat("long ", 30), "<&>\u2028"}).Draw(d.t, "text")
}

func (d draw) number() float64 {
	all := []float64{0, 1, -1.5, 0.1, 1e23, 9007199254740991, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)}
	if !d.json {
		all = append(all, math.NaN(), math.Inf(1), math.Inf(-1))
	}
	return rapid.SampledFrom(all).Draw(d.t, "number")
}

func (d draw) properties(depth int) *structpb.Struct {
	s := &structpb.Struct{}
	for range rapid.IntRange(0, 3).Draw(d.t, "members") {
		if s.Fields == nil {
			s.Fields = map[string]*structpb.Value{}
		}
		s.Fields[d.text()] = d.property(depth - 1)
	}
	return s
}

// property is any value, of each signature one.
func (d draw) property(depth int) *structpb.Value {
	signature := func(sig string, more map[string]any) *structpb.Value {
		more[codec.SignatureKey] = sig
		v, err := structpb.NewValue(more)
		if err != nil {
			panic(err)
		}
		return v
	}
	kinds := 10
	if depth > 0 {
		kinds = 12
	}
	switch rapid.IntRange(0, kinds-1).Draw(d.t, "kind") {
	case 0:
		return structpb.NewNullValue()
	case 1:
		return structpb.NewBoolValue(rapid.Bool().Draw(d.t, "b"))
	case 2:
		return structpb.NewNumberValue(d.number())
	case 3:
		return structpb.NewStringValue(d.text())
	case 4:
		return structpb.NewStringValue("04da6b54-80e4-46f7-96ec-b56ff0331ba9")
	case 5:
		return signature("1b47061264138c4ac30d75fd1eb44270", map[string]any{"value": d.text()})
	case 6:
		return signature("c44067f5952c0a294b673a41bacd8c17", map[string]any{"text": "x", "hash": strings.Repeat("ab", 32)})
	case 7:
		return signature("5cf8f73096256a8f31e491e813e4eb8e", map[string]any{"urn": "urn:pulumi:a::b::c::d", "id": "i"})
	case 8:
		return signature("d0e6a833031e9bbcd3f4e8bde6ca49a4", map[string]any{"value": d.text(), "dependencies": []any{"urn:pulumi:a::b::c::d"}})
	case 9:
		return signature("803fd3297a5875dc03ca845dda5d2a98", map[string]any{"value": "//4="})
	case 10:
		l := &structpb.ListValue{}
		for range rapid.IntRange(0, 2).Draw(d.t, "elems") {
			l.Values = append(l.Values, d.property(depth-1))
		}
		return structpb.NewListValue(l)
	default:
		return structpb.NewStructValue(d.properties(depth))
	}
}
