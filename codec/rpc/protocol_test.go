package rpc_test

import (
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	_ "google.golang.org/protobuf/types/known/anypb"   // its descriptor
	_ "google.golang.org/protobuf/types/known/emptypb" // its descriptor
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/rpcgen"
)

// protocol is the protocol as protobuf sees it, built from the table: what our
// messages are compared with.
type protocol map[string]protoreflect.MessageDescriptor

// descriptors builds the protocol outside of protobuf's global registry.
func descriptors(t testing.TB) protocol {
	t.Helper()
	s := schema(t)
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("propalg/protocol.proto"), Package: proto.String("pulumirpc"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/struct.proto"},
	}
	built := map[string]*descriptorpb.DescriptorProto{}
	for _, m := range s.Messages { // parents may come after what is in them
		if m.FullName() == "pulumirpc."+m.Name {
			built[m.Name] = describe(m)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(built)) {
		if dot := strings.LastIndexByte(name, '.'); dot < 0 {
			file.MessageType = append(file.MessageType, built[name])
		} else {
			outer := built[name[:dot]]
			outer.NestedType = append(outer.NestedType, built[name])
		}
	}
	for _, e := range s.Enums {
		d := &descriptorpb.EnumDescriptorProto{}
		for n, v := range e.Values {
			d.Value = append(d.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(v), Number: proto.Int32(int32(n))})
		}
		dot := strings.LastIndexByte(e.Name, '.')
		d.Name = proto.String(e.Name[dot+1:])
		if dot < 0 {
			file.EnumType = append(file.EnumType, d)
		} else {
			built[e.Name[:dot]].EnumType = append(built[e.Name[:dot]].EnumType, d)
		}
	}
	fd, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	all := protocol{}
	all.add(fd.Messages())
	empty, err := protoregistry.GlobalFiles.FindDescriptorByName("google.protobuf.Empty")
	if err != nil {
		t.Fatal(err)
	}
	all["google.protobuf.Empty"] = empty.(protoreflect.MessageDescriptor)
	return all
}

func (p protocol) add(messages protoreflect.MessageDescriptors) {
	for i := range messages.Len() {
		if d := messages.Get(i); !d.IsMapEntry() {
			p[string(d.FullName())] = d
			p.add(d.Messages())
		}
	}
}

func (p protocol) new(name string) *dynamicpb.Message { return dynamicpb.NewMessage(p[name]) }

// describe builds one message, without those nested in it but for its maps.
func describe(m *rpcgen.Message) *descriptorpb.DescriptorProto {
	d := &descriptorpb.DescriptorProto{Name: proto.String(m.Name[strings.LastIndexByte(m.Name, '.')+1:])}
	oneof := func(name string) *int32 {
		for i, o := range d.OneofDecl {
			if o.GetName() == name {
				return proto.Int32(int32(i))
			}
		}
		d.OneofDecl = append(d.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(name)})
		return proto.Int32(int32(len(d.OneofDecl) - 1))
	}
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Oneof != "" {
			oneof(f.Oneof) // those that are made up have to come last
		}
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		fd := ofType(f, f.Name, f.Number)
		switch f.Label {
		case rpcgen.Repeated:
			fd.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
		case rpcgen.Optional:
			fd.Proto3Optional = proto.Bool(true)
			fd.OneofIndex = oneof("_" + f.Name)
		case rpcgen.Map:
			entry := mapEntry(f.Name)
			key := &rpcgen.Field{Type: "string"}
			d.NestedType = append(d.NestedType, &descriptorpb.DescriptorProto{
				Name: proto.String(entry), Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)},
				Field: []*descriptorpb.FieldDescriptorProto{ofType(key, "key", 1), ofType(f, "value", 2)},
			})
			fd.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			fd.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
			fd.TypeName = proto.String(".pulumirpc." + m.Name + "." + entry)
		case rpcgen.Plain:
		}
		if f.Oneof != "" {
			fd.OneofIndex = oneof(f.Oneof)
		}
		d.Field = append(d.Field, fd)
	}
	return d
}

// mapEntry is the name that protobuf wants for the entry of a map.
func mapEntry(field string) string {
	var b strings.Builder
	for _, word := range strings.Split(field, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String() + "Entry"
}

func ofType(f *rpcgen.Field, name string, number int) *descriptorpb.FieldDescriptorProto {
	fd := &descriptorpb.FieldDescriptorProto{
		Name: proto.String(name), Number: proto.Int32(int32(number)),
		Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}
	switch f.Type {
	case "Struct", "Value":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
		fd.TypeName = proto.String(".google.protobuf." + f.Type)
	case "string":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum()
	case "bool":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_BOOL.Enum()
	case "int32":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum()
	case "int64":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_INT64.Enum()
	case "double":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE.Enum()
	case "bytes":
		fd.Type = descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum()
	default:
		if f.Message != nil {
			fd.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
			fd.TypeName = proto.String("." + f.Message.FullName())
		} else {
			fd.Type = descriptorpb.FieldDescriptorProto_TYPE_ENUM.Enum()
			fd.TypeName = proto.String(".pulumirpc." + f.Enum.Name)
		}
	}
	return fd
}

// names are all messages, in an order.
func (p protocol) names() []string { return slices.Sorted(maps.Keys(p)) }

// draw makes random messages of any type. Every field may be absent, there and
// empty, or there with contents.
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

// known moves a generated message into a dynamic one.
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

// property is any value: plain ones, and of each signature one.
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

// random makes a random message of the type that a name of the protocol says.
func random(t *rapid.T, p protocol, name string, json bool) *dynamicpb.Message {
	m := p.new(name)
	draw{t, json}.fill(m)
	return m
}
