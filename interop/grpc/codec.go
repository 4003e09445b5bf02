package grpc

import (
	"google.golang.org/grpc/mem"

	"github.com/propalg/propalg/codec/rpc"
)

// incoming is a message to be read, and why it could not be: grpc-go would make an
// internal error of that, without saying whose fault it is.
type incoming struct {
	message rpc.Message
	err     error
}

// outgoing is a message that was written by what the peer accepts: before grpc-go
// asks for it, which would log that it could not be.
type outgoing []byte

// wireCodec is an encoding.CodecV2 of both sides. Other messages than these two it
// leaves to rpc.Codec, so that other services may stand on the same server.
type wireCodec struct{}

func (wireCodec) Name() string { return rpc.Codec{}.Name() }

func (wireCodec) Marshal(v any) (mem.BufferSlice, error) {
	if data, ok := v.(outgoing); ok {
		return mem.BufferSlice{mem.SliceBuffer(data)}, nil
	}
	data, err := rpc.Codec{}.Marshal(v)
	if err != nil {
		return nil, err
	}
	return mem.BufferSlice{mem.SliceBuffer(data)}, nil
}

func (wireCodec) Unmarshal(data mem.BufferSlice, v any) error {
	whole := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer whole.Free() // messages keep nothing of what they were read from
	in, ok := v.(*incoming)
	if !ok {
		return rpc.Codec{}.Unmarshal(whole.ReadOnlyData(), v)
	}
	in.err = rpc.Unmarshal(whole.ReadOnlyData(), in.message, rpc.Options{})
	return nil
}
