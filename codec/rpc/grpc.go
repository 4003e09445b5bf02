package rpc

import (
	"google.golang.org/protobuf/proto"
)

// Codec is what grpc-go calls an encoding.Codec, by its methods alone. It writes
// and reads the messages of this package, by Wire, and hands messages of
// generated code on to protobuf. Give it to one server or one client
// (grpc.ForceServerCodec, grpc.ForceCodec); registering it would change every
// other user of grpc in the program.
type Codec struct {
	Wire Wire
}

// Marshal returns the bytes of a [Message] or of a proto.Message. Anything else
// is an error that wraps [ErrMessage].
func (c Codec) Marshal(v any) ([]byte, error) {
	switch m := v.(type) {
	case Message:
		return c.Wire.Marshal(m)
	case proto.Message:
		return proto.Marshal(m)
	}
	return nil, finish(fail(ErrMessage, -1), "encode", nil)
}

// Unmarshal reads a [Message] or a proto.Message from bytes, of which it keeps
// nothing. Anything else is an error that wraps [ErrMessage].
func (c Codec) Unmarshal(data []byte, v any) error {
	switch m := v.(type) {
	case Message:
		return c.Wire.Unmarshal(data, m)
	case proto.Message:
		return proto.Unmarshal(data, m)
	}
	return finish(fail(ErrMessage, -1), "decode", nil)
}

// Name returns "proto", the content subtype that every peer expects.
func (Codec) Name() string { return "proto" }
