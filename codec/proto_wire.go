package codec

import "math/bits"

// The messages of google/protobuf/struct.proto, as far as bytes go:
//
//	Struct     { map<string, Value> fields = 1; }       each an Entry of its own
//	Entry      { string key = 1; Value value = 2; }
//	ListValue  { repeated Value values = 1; }
//	Value      { oneof kind { NullValue null_value = 1; double number_value = 2; string string_value = 3;
//	                          bool bool_value = 4; Struct struct_value = 5; ListValue list_value = 6; } }
//
// A tag is a field number times 8 plus a wire type, as a varint: for these
// fields one byte.
const (
	tagFields = 1<<3 | wireBytes
	tagValues = 1<<3 | wireBytes
	tagKey    = 1<<3 | wireBytes
	tagValue  = 2<<3 | wireBytes
	tagNull   = 1<<3 | wireVarint
	tagNumber = 2<<3 | wireFixed64
	tagString = 3<<3 | wireBytes
	tagBool   = 4<<3 | wireVarint
	tagStruct = 5<<3 | wireBytes
	tagList   = 6<<3 | wireBytes
)

// The wire types.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
)

// uvarintSize returns how many bytes a varint takes.
func uvarintSize(x int) int { return (bits.Len64(uint64(x)|1) + 6) / 7 } //nolint:gosec // a length
