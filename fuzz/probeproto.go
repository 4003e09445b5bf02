package fuzz

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// damagedBytes is damaged for bytes of the wire. With bits flipped the wrapping of
// a secret may be gone, and what was in it stand as a key or text that nobody can
// know to be secret; so they are not when somebody listens.
func (s *scene) damagedBytes(data []byte) [][]byte {
	all := [][]byte{data, data[:len(data)/2], append([]byte{0xff}, data...), append(data[:len(data):len(data)], 0x0a)}

	const accidents = 12
	for i := range accidents {
		at := len(data) * i / accidents
		broken := append([]byte(nil), data...)

		if at < len(broken) {
			broken[at] ^= 0x81
		}

		all = append(all, data[:at])
		if !s.listened {
			all = append(all, broken)
		}
	}

	return all
}

// wireBytes are the bytes of a bag, and what is left of them after accidents.
func (s *scene) wireBytes() [][]byte {
	bag := value.Object(value.Member{Key: "bag", Value: s.v})

	data, err := codec.AppendStruct(nil, bag, codec.Options{})
	if err != nil {
		data, _ = codec.AppendStruct(nil, value.Object(value.Member{Key: "bag", Value: value.String(s.text)}), codec.Options{})
	}

	if s.big {
		return [][]byte{data, data[:len(data)/2]}
	}

	return append(s.damagedBytes(data), []byte(s.text))
}

// protoProbes read and write bytes of google.protobuf.Struct, and messages of it.
// The bytes hold secrets in full; what is said is what was read, masked, and
// errors.
func protoProbes() []probe {
	read := func(decode func(data []byte, o codec.Options) (value.Value, error)) func(s *scene) {
		return func(s *scene) {
			for _, data := range s.wireBytes() {
				s.sayDecoded(decode(data, codec.Options{}))
				s.sayDecoded(decode(data, codec.Options{Secrets: codec.Reject, Depth: 7}))
			}
		}
	}
	write := func(encode func(v value.Value, o codec.Options) error) func(s *scene) {
		return func(s *scene) {
			for _, o := range s.encodings() {
				o.Form = codec.FormWire
				s.say(encode(s.v, o), encode(s.w, o))
			}
		}
	}
	message := func(s *scene) *structpb.Value {
		m, err := codec.ToValue(s.v, codec.Options{})
		if err != nil {
			m = structpb.NewStringValue("x")
		}

		return m
	}

	return []probe{
		{"codec.DecodeStruct", "", read(codec.DecodeStruct)},
		{"codec.DecodeValue", "", read(codec.DecodeValue)},
		{"codec.AppendStruct", "", write(func(v value.Value, o codec.Options) error { _, err := codec.AppendStruct(nil, v, o); return err })},
		{"codec.AppendValue", "", write(func(v value.Value, o codec.Options) error { _, err := codec.AppendValue(nil, v, o); return err })},
		{"codec.SizeStruct", "", write(func(v value.Value, o codec.Options) error { _, err := codec.SizeStruct(v, o); return err })},
		{"codec.SizeValue", "", write(func(v value.Value, o codec.Options) error { _, err := codec.SizeValue(v, o); return err })},
		{"codec.ToStruct", "", write(func(v value.Value, o codec.Options) error { _, err := codec.ToStruct(v, o); return err })},
		{"codec.ToValue", "", write(func(v value.Value, o codec.Options) error { _, err := codec.ToValue(v, o); return err })},
		{"codec.FromStruct", "", func(s *scene) {
			bag := &structpb.Struct{Fields: map[string]*structpb.Value{"a": message(s), "b": nil, s.text: {}}}
			s.sayDecoded(codec.FromStruct(nil, codec.Options{}))
			s.sayDecoded(codec.FromStruct(&structpb.Struct{}, codec.Options{}))
			s.sayDecoded(codec.FromStruct(bag, codec.Options{}))
			s.sayDecoded(codec.FromStruct(message(s).GetStructValue(), codec.Options{Secrets: codec.Reject}))
		}},
		{"codec.FromValue", "", func(s *scene) {
			s.sayDecoded(codec.FromValue(nil, codec.Options{}))
			s.sayDecoded(codec.FromValue(&structpb.Value{}, codec.Options{}))
			s.sayDecoded(codec.FromValue(message(s), codec.Options{}))
			s.sayDecoded(codec.FromValue(message(s), codec.Options{Secrets: codec.Reject, Depth: 3}))
			s.sayDecoded(codec.FromValue(structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{nil, message(s)}}), codec.Options{}))
		}},
	}
}
