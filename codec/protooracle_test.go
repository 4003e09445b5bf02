package codec_test

import (
	"bytes"
	"errors"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// judge is what tests of all kinds, rapid's too, have in common.
type judge interface {
	Helper()
	Fatalf(format string, args ...any)
}

// agree checks that bytes are accepted and refused as protobuf-go does, with the
// same value or for the same reason, on both paths of the decoder, and that what
// was read is written back.
func agree(t judge, data []byte, o codec.Options) (v value.Value, ok bool) {
	t.Helper()
	m := new(structpb.Struct)
	broken := proto.UnmarshalOptions{RecursionLimit: o.Depth}.Unmarshal(data, m)
	v, err := codec.DecodeStruct(data, o)
	if broken != nil {
		if !errors.Is(err, codec.ErrSyntax) && !errors.Is(err, codec.ErrUTF8) && !errors.Is(err, codec.ErrDepth) {
			t.Fatalf("%x: protobuf-go says %v, we say %v", data, broken, err)
		}
		return v, false
	}
	want, wantErr := codec.FromStruct(m, o)
	if reason(err) != reason(wantErr) {
		t.Fatalf("%x: we say %v, by way of structpb %v", data, err, wantErr)
	}
	if !v.Identical(want) {
		t.Fatalf("%x: decoded differently than by way of structpb", data)
	}
	if fast, isFast := codec.DecodeFast(data, o); isFast && o == (codec.Options{}) {
		if slow, err := codec.DecodeMerging(data, o); err != nil || !slow.Identical(fast) {
			t.Fatalf("%x: the fast path accepts, the other says %v", data, err)
		}
	}
	if err != nil {
		return v, false
	}
	rewrite(t, v, o)
	return v, true
}

// reason is what an error says, but for operation and offset.
func reason(err error) string {
	var e *codec.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.At.String() + "|" + e.At.RevealPath().String() + "|" + e.Want + "|" + e.Found + "|" + errors.Unwrap(e).Error()
}

// rewrite checks that a value that was read can be written, if nothing is left in
// it that the wire has not, and reads back as it is.
func rewrite(t judge, v value.Value, o codec.Options) {
	t.Helper()
	out, err := codec.AppendStruct(nil, v, o)
	switch {
	case errors.Is(err, codec.ErrSealed), errors.Is(err, codec.ErrUTF8), errors.Is(err, codec.ErrSentinel), errors.Is(err, codec.ErrDepth), errors.Is(err, codec.ErrSignature):
		return
	case err != nil:
		t.Fatalf("writing what was read: %v", err)
	}
	back, err := codec.DecodeStruct(out, o)
	if err != nil || !back.Identical(v) {
		t.Fatalf("%x: reading what was written gives %v", out, err)
	}
	m, err := codec.ToStruct(v, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil || !bytes.Equal(want, out) {
		t.Fatalf("%x: protobuf-go writes %x, %v", out, want, err)
	}
}
