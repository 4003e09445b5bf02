package laws

import (
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
	return []probe{
		{"codec.DecodeStruct", "", read(codec.DecodeStruct)},
		{"codec.DecodeValue", "", read(codec.DecodeValue)},
		{"codec.AppendStruct", "", write(func(v value.Value, o codec.Options) error { _, err := codec.AppendStruct(nil, v, o); return err })},
		{"codec.AppendValue", "", write(func(v value.Value, o codec.Options) error { _, err := codec.AppendValue(nil, v, o); return err })},
		{"codec.ToStruct", "", write(func(v value.Value, o codec.Options) error { _, err := codec.ToStruct(v, o); return err })},
		{"codec.ToValue", "", write(func(v value.Value, o codec.Options) error { _, err := codec.ToValue(v, o); return err })},
		{"codec.FromStruct", "", fromMessages},
		{"codec.FromValue", "", fromMessages},
	}
}

// fromMessages reads messages of structpb: whole ones, nil ones, and ones that
// nobody sends, with nil or nothing inside. (This package does not import
// structpb: it takes messages that codec made apart.)
func fromMessages(s *scene) {
	bag := value.Object(value.Member{Key: "list", Value: value.Array(value.Null(), s.v)}, value.Member{Key: s.text, Value: value.Null()})

	m, err := codec.ToStruct(bag, codec.Options{})
	if err != nil {
		m, err = codec.ToStruct(value.Object(value.Member{Key: "list", Value: value.Array(value.Null())}), codec.Options{})
	}

	s.say(err)
	s.sayDecoded(codec.FromStruct(nil, codec.Options{}))
	s.sayDecoded(codec.FromValue(nil, codec.Options{}))
	s.sayDecoded(codec.FromStruct(zeroLike(m), codec.Options{}))

	if err != nil {
		return
	}

	list := m.GetFields()["list"]
	s.sayDecoded(codec.FromStruct(m, codec.Options{}))
	s.sayDecoded(codec.FromStruct(m, codec.Options{Secrets: codec.Reject, Depth: 5}))
	s.sayDecoded(codec.FromValue(list, codec.Options{}))
	s.sayDecoded(codec.FromValue(zeroLike(list), codec.Options{}))

	values := list.GetListValue()
	values.Values = append(values.Values, nil)
	s.sayDecoded(codec.FromValue(list, codec.Options{}))

	m.Fields["nil"] = nil
	s.sayDecoded(codec.FromStruct(m, codec.Options{}))

	m.Fields["nil"] = zeroLike(list)
	s.sayDecoded(codec.FromStruct(m, codec.Options{}))
}

// zeroLike returns a new zero value of what p points to.
func zeroLike[T any](*T) *T { return new(T) }
