package rpc_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// grpcCodec is the interface that grpc-go wants, as far as method sets go.
type grpcCodec interface {
	Marshal(v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
	Name() string
}

var _ grpcCodec = rpc.Codec{}

// TestCodec: ours by us, protobuf's by protobuf, nothing else.
func TestCodec(t *testing.T) {
	c := rpc.Codec{}
	if c.Name() != "proto" {
		t.Error(c.Name())
	}
	data, err := c.Marshal(&rpc.CheckFailure{Property: "p"})
	if err != nil || string(data) != "\x0a\x01p" {
		t.Error(data, err)
	}
	var failure rpc.CheckFailure
	if err := c.Unmarshal(data, &failure); err != nil || failure.Property != "p" {
		t.Error(failure, err)
	}
	data, err = c.Marshal(wrapperspb.String("x"))
	if err != nil || string(data) != "\x0a\x01x" {
		t.Error(data, err)
	}
	theirs := &wrapperspb.StringValue{}
	if err := c.Unmarshal(data, theirs); err != nil || theirs.GetValue() != "x" {
		t.Error(theirs, err)
	}
	for _, v := range []any{nil, 1, "x", rpc.CheckFailure{}, (*rpc.CheckFailure)(nil), &theirs} {
		if _, err := c.Marshal(v); !errors.Is(err, rpc.ErrMessage) {
			t.Errorf("%T: %v", v, err)
		}
		if err := c.Unmarshal(nil, v); !errors.Is(err, rpc.ErrMessage) {
			t.Errorf("%T: %v", v, err)
		}
	}
}

// TestNotRegistered: a program may link generated code for the same messages.
func TestNotRegistered(t *testing.T) {
	for _, m := range rpc.All() {
		_, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(rpc.Name(m)))
		if err == nil && rpc.Name(m) != "google.protobuf.Empty" {
			t.Errorf("%s is registered", rpc.Name(m))
		}
	}
}

// TestBesideStructpb: properties mean what generated code's do.
func TestBesideStructpb(t *testing.T) {
	s, err := structpb.NewStruct(map[string]any{"a": []any{1.0, "x", nil, true, map[string]any{}}})
	if err != nil {
		t.Fatal(err)
	}
	data := marshal(t, s)
	m := &rpc.CheckResponse{Inputs: one("a", value.Array(value.Number(1), value.String("x"), value.Null(), value.Bool(true), object()))}
	got, err := rpc.Append(nil, m, rpc.Options{})
	if err != nil || !bytes.Equal(got[2:], data) {
		t.Errorf("%v: %q, want %q", err, got, data)
	}
}
