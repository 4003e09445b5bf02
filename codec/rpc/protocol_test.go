package rpc_test

import (
	"maps"
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
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc/internal/gen"
	"github.com/propalg/propalg/internal/test/messages"
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
func describe(m *gen.Message) *descriptorpb.DescriptorProto {
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
		case gen.Repeated:
			fd.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
		case gen.Optional:
			fd.Proto3Optional = proto.Bool(true)
			fd.OneofIndex = oneof("_" + f.Name)
		case gen.Map:
			entry := mapEntry(f.Name)
			key := &gen.Field{Type: "string"}
			d.NestedType = append(d.NestedType, &descriptorpb.DescriptorProto{
				Name: proto.String(entry), Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)},
				Field: []*descriptorpb.FieldDescriptorProto{ofType(key, "key", 1), ofType(f, "value", 2)},
			})
			fd.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			fd.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
			fd.TypeName = proto.String(".pulumirpc." + m.Name + "." + entry)
		case gen.Plain:
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

func ofType(f *gen.Field, name string, number int) *descriptorpb.FieldDescriptorProto {
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

// random draws a message of the type that has a name in the protocol.
func random(t *rapid.T, p protocol, name string, json bool) *dynamicpb.Message {
	m := p.new(name)
	messages.Fill(t, m, json)
	return m
}
