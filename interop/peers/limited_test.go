//go:build amd64 || arm64

package peers_test

import (
	"buf.build/go/hyperpb"
	"github.com/bytedance/sonic"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// Peers that do not build for every processor.

// hyperpbDecoders is hyperpb with memory of its own for each message. Memory that is
// used again, which it also offers, ends the life of the message before.
func hyperpbDecoders(alias bool) []decoder {
	name := "hyperpb"
	if alias {
		name = "hyperpb-alias"
	}
	typ := hyperpb.CompileMessageDescriptor((*structpb.Struct)(nil).ProtoReflect().Descriptor())
	return []decoder{{name, func(data []byte) (proto.Message, error) {
		m := hyperpb.NewMessage(typ)
		err := m.Unmarshal(data, hyperpb.WithAllowAlias(alias))
		return m, err
	}}}
}

func sonicReaders() []jsonReader { return []jsonReader{{"sonic", into(sonic.Unmarshal)}} }
