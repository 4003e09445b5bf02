package rpc

import "google.golang.org/protobuf/proto"

// Codec implements grpc-go's encoding.Codec without importing it. It writes and
// reads the messages of this package, and passes messages of generated code on to
// protobuf. Give it to one server or one client (grpc.ForceServerCodec,
// grpc.ForceCodec); registering it would change every other user of grpc in the
// program.
type Codec struct {
	Options Options // for the messages of this package
}

// Marshal returns the bytes of a [Message] or of a proto.Message. For any other
// value it returns an error that wraps [ErrMessage].
func (c Codec) Marshal(v any) ([]byte, error) {
	switch m := v.(type) {
	case Message:
		return Append(nil, m, c.Options)
	case proto.Message:
		return proto.Marshal(m)
	}
	return nil, finish(fail(ErrMessage, -1), opEncode, nil)
}

// Unmarshal reads a [Message] or a proto.Message from bytes. A Message takes ownership of
// data, and its texts are parts of it: grpc-go (1.66 and later) allocates data for this
// call alone. For any other value it returns an error that wraps [ErrMessage].
func (c Codec) Unmarshal(data []byte, v any) error {
	switch m := v.(type) {
	case Message:
		o := c.Options
		o.Properties.OwnBytes = true
		return Decode(data, m, o)
	case proto.Message:
		return proto.Unmarshal(data, m)
	}

	return finish(fail(ErrMessage, -1), opDecode, nil)
}

// Name returns "proto", the content subtype that peers expect.
func (Codec) Name() string { return "proto" }
