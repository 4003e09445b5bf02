package rpc_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// statusType is google.rpc.Status, which protobuf itself has not.
func statusType(t testing.TB) protoreflect.MessageDescriptor {
	t.Helper()
	field := func(name string, n int32, typ descriptorpb.FieldDescriptorProto_Type, label descriptorpb.FieldDescriptorProto_Label) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{Name: proto.String(name), Number: proto.Int32(n), Type: typ.Enum(), Label: label.Enum()}
	}
	details := field("details", 3, descriptorpb.FieldDescriptorProto_TYPE_MESSAGE, descriptorpb.FieldDescriptorProto_LABEL_REPEATED)
	details.TypeName = proto.String(".google.protobuf.Any")
	fd, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("propalg/status.proto"), Package: proto.String("google.rpc"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/any.proto"},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Status"), Field: []*descriptorpb.FieldDescriptorProto{
			field("code", 1, descriptorpb.FieldDescriptorProto_TYPE_INT32, descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL),
			field("message", 2, descriptorpb.FieldDescriptorProto_TYPE_STRING, descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL),
			details,
		}}},
	}, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	return fd.Messages().Get(0)
}

// The type URLs of the two messages that are details of errors.
const (
	initFailedURL  = "type.googleapis.com/pulumirpc.ErrorResourceInitFailed"
	missingKeysURL = "type.googleapis.com/pulumirpc.ConfigureErrorMissingKeys"
)

// TestStatus: protobuf writes the same bytes, and finds what we put there.
func TestStatus(t *testing.T) {
	typ := statusType(t)
	failed := &rpc.ErrorResourceInitFailed{ID: "i", Properties: one("p", value.String(string(bytes.Repeat([]byte("x"), 300)))), Reasons: []string{"r"}}
	missing := &rpc.ConfigureErrorMissingKeys{MissingKeys: []rpc.MissingKey{{Name: "k", Description: "d"}}}
	got, err := rpc.MarshalStatus(9, "not ready", []rpc.Message{failed, missing}, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	theirs := dynamicpb.NewMessage(typ)
	theirs.Set(typ.Fields().ByName("code"), protoreflect.ValueOfInt32(9))
	theirs.Set(typ.Fields().ByName("message"), protoreflect.ValueOfString("not ready"))
	list := theirs.Mutable(typ.Fields().ByName("details")).List()
	for url, m := range map[string]rpc.Message{initFailedURL: failed} {
		data, err := rpc.Append(nil, m, rpc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list.Append(anyOf(t, list, url, data))
	}
	data, err := rpc.Append(nil, missing, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list.Append(anyOf(t, list, missingKeysURL, data))
	if want := marshal(t, theirs); !bytes.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, want := range []rpc.Message{failed, missing} {
		m := rpc.New(rpc.Name(want))
		if found, err := rpc.FindDetail(got, m, rpc.Options{}); !found || err != nil || identical(want, m) != "" {
			t.Error(found, err, identical(want, m))
		}
	}
	other := &rpc.CheckFailure{Property: "kept"}
	if found, err := rpc.FindDetail(got, other, rpc.Options{}); found || err != nil || other.Property != "kept" {
		t.Error(found, err, other)
	}
	if got, err := rpc.MarshalStatus(0, "", nil, rpc.Options{}); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}

func anyOf(t *testing.T, list protoreflect.List, url string, data []byte) protoreflect.Value {
	t.Helper()
	v := list.NewElement()
	if err := proto.Unmarshal(marshal(t, &anypb.Any{TypeUrl: url, Value: data}), v.Message().Interface()); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestStatusErrors(t *testing.T) {
	if _, err := rpc.MarshalStatus(2, "\xff", nil, rpc.Options{}); !errors.Is(err, codec.ErrUTF8) || err.Error() != "rpc: encode status: message: not UTF-8" {
		t.Error(err)
	}
	if _, err := rpc.MarshalStatus(2, "", []rpc.Message{nil}, rpc.Options{}); !errors.Is(err, rpc.ErrMessage) {
		t.Error(err)
	}
	if _, err := rpc.MarshalStatus(2, "", []rpc.Message{&rpc.MissingKey{Name: "\xff"}}, rpc.Options{}); !errors.Is(err, codec.ErrUTF8) {
		t.Error(err)
	}
	for _, row := range []struct {
		place
		status string
		cause  error
	}{
		{here(), "\x08", codec.ErrSyntax},
		{here(), "\x12\x01\xff", codec.ErrUTF8},
		{here(), "\x1a\x02\x0a\x05", codec.ErrSyntax},
		{here(), "\x1a\x03\x0a\x01\xff", codec.ErrUTF8},
		{here(), "\x1a\x1a\x0a\x16pulumirpc.CheckFailure\x12\x00\x1a\x01\x80", codec.ErrSyntax},
	} {
		found, err := rpc.FindDetail([]byte(row.status), &rpc.CheckFailure{}, rpc.Options{})
		var typed *rpc.Error
		if found || !errors.Is(err, row.cause) || !errors.As(err, &typed) {
			t.Errorf("%s: %v %v", row.place, found, err)
		}
	}
	// A type URL needs no host, and of several the first counts.
	var m rpc.CheckFailure
	found, err := rpc.FindDetail([]byte("\x1a\x1d\x0a\x16pulumirpc.CheckFailure\x12\x03\x0a\x01a\x1a\x1d\x0a\x16pulumirpc.CheckFailure\x12\x03\x0a\x01b"), &m, rpc.Options{})
	if !found || err != nil || m.Property != "a" {
		t.Error(found, err, m)
	}
	if found, err := rpc.FindDetail([]byte("\x1a\x1b\x0a\x16pulumirpc.CheckFailure\x12\x01\x80"), &m, rpc.Options{}); !found || err == nil {
		t.Error(found, err)
	}
}
