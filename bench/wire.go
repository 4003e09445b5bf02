package bench

import (
	"encoding/binary"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Field tags of google.protobuf.Struct, Value and ListValue.
const (
	tagEntry  = 1<<3 | 2 // Struct.fields; ListValue.values
	tagKey    = 1<<3 | 2
	tagValue  = 2<<3 | 2
	tagStruct = 5<<3 | 2
	tagList   = 6<<3 | 2
)

// Wire returns the bytes of a google.protobuf.Struct that has the members of bag in a random
// order, the same in each call. Encoders write maps in any order, so sorting is part of
// reading.
func Wire(bag value.Value) ([]byte, error) { return newMaker(11).entries(nil, bag) }

func (m maker) entries(dst []byte, object value.Value) ([]byte, error) {
	for _, i := range m.rng.Perm(object.Len()) {
		key, v, _ := object.MemberAt(i)
		inner, err := m.element(v)
		if err != nil {
			return nil, err
		}

		entry := field(nil, tagKey, []byte(key))
		dst = field(dst, tagEntry, field(entry, tagValue, inner))
	}
	return dst, nil
}

// element is a value as a google.protobuf.Value. Its depth is that of the corpora.
func (m maker) element(v value.Value) ([]byte, error) {
	plain := !v.IsSecret() && !v.HasDependencies()
	if plain && v.Kind() == value.KindObject {
		inner, err := m.entries(nil, v)
		return field(nil, tagStruct, inner), err
	}
	if !plain || v.Kind() != value.KindArray {
		return codec.AppendValue(nil, v, codec.Options{})
	}

	var list []byte
	for _, elem := range v.Elems() {
		inner, err := m.element(elem)
		if err != nil {
			return nil, err
		}
		list = field(list, tagEntry, inner)
	}
	return field(nil, tagList, list), nil
}

func field(dst []byte, tag byte, content []byte) []byte {
	dst = binary.AppendUvarint(append(dst, tag), uint64(len(content)))
	return append(dst, content...)
}
