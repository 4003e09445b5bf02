package grpc

import (
	"google.golang.org/grpc/mem"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/rpc"
)

// incoming is a message to read, and the error of reading it. If the codec returned that
// error, grpc-go would turn it into an internal error even if the peer is at fault.
type incoming struct {
	message rpc.Message
	err     error
}

// outgoing is a message already written, according to what the peer accepts. If the
// codec wrote it, grpc-go would log its errors.
type outgoing []byte

// wireCodec is the encoding.CodecV2 of both sides. It leaves messages of other types to
// rpc.Codec, so that other services may run on the same server.
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
	whole := data.Materialize() // a copy, as the buffers are used again
	in, ok := v.(*incoming)
	if !ok {
		return rpc.Codec{}.Unmarshal(whole, v)
	}
	in.err = rpc.Decode(whole, in.message, rpc.Options{Properties: codec.Options{OwnBytes: true}})
	return nil
}
