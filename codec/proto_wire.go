package codec

import (
	"math/bits"
	"unicode/utf8"
)

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
	wireVarint     = 0
	wireFixed64    = 1
	wireBytes      = 2
	wireStartGroup = 3
	wireEndGroup   = 4
	wireFixed32    = 5
)

// Field numbers, and what protobuf-go takes inside of groups that it skips.
const (
	maxFieldNumber   = 1<<29 - 1
	maxSkippedNumber = 1<<31 - 1
	maxGroups        = 10_001 // in one another, whatever the limit on messages is
)

// flaw is what makes bytes no message.
type flaw struct {
	err         error
	at          int // offset
	want, found string
}

// uvarint reads a varint of text, which ends where the message does.
func uvarint(text string, pos int) (x uint64, next int, f *flaw) {
	at := pos
	for shift := 0; shift < 70; shift += 7 {
		if pos >= len(text) {
			return 0, 0, &flaw{ErrSyntax, at, "varint", "end of message"}
		}
		c := text[pos]
		pos++
		if shift == 63 && c > 1 {
			break
		}
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return x, pos, nil
		}
	}

	return 0, 0, &flaw{ErrSyntax, at, "varint of 64 bits", "more"}
}

// chunk reads what follows a tag of the wire type bytes.
func chunk(text string, pos int) (from, to int, f *flaw) {
	n, from, f := uvarint(text, pos)
	if f != nil {
		return 0, 0, f
	}
	if n > uint64(len(text)-from) {
		return 0, 0, &flaw{ErrSyntax, pos, "length within the message", "more"}
	}

	return from, from + int(n), nil //nolint:gosec // not above a length
}

// tag reads the tag of a field.
func tag(text string, pos int, largest uint64) (number uint64, wire, next int, f *flaw) {
	x, next, f := uvarint(text, pos)
	if f != nil {
		return 0, 0, 0, f
	}
	if number = x >> 3; number < 1 || number > largest {
		return 0, 0, 0, &flaw{ErrSyntax, pos, "field number", "0 or one too large"}
	}
	return number, int(x & 7), next, nil
}

// skip passes a field, from after its tag, and returns where it ends.
func skip(text string, pos int, number uint64, wire int) (next int, f *flaw) {
	switch wire {
	case wireVarint:
		_, next, f = uvarint(text, pos)
		return next, f
	case wireFixed64:
		return fixed(text, pos, 8)
	case wireFixed32:
		return fixed(text, pos, 4)
	case wireBytes:
		_, next, f = chunk(text, pos)
		return next, f
	case wireStartGroup:
		return skipGroup(text, pos, number)
	case wireEndGroup:
		return 0, &flaw{ErrSyntax, pos, "field", "end of a group that did not begin"}
	}

	return 0, &flaw{ErrSyntax, pos, "wire type", "a reserved one"}
}

func fixed(text string, pos, n int) (next int, f *flaw) {
	if len(text)-pos < n {
		return 0, &flaw{ErrSyntax, pos, "number of fixed length", "end of message"}
	}
	return pos + n, nil
}

// skipGroup passes a group, from after its tag to after the tag that ends it.
func skipGroup(text string, pos int, number uint64) (next int, f *flaw) {
	open := []uint64{number}
	for len(open) > 0 {
		at := pos
		var wire int
		if number, wire, pos, f = tag(text, pos, maxSkippedNumber); f != nil {
			return 0, f
		}
		switch wire {
		case wireStartGroup:
			if len(open) == maxGroups {
				return 0, &flaw{ErrDepth, at, "fewer nested groups", ""}
			}
			open = append(open, number)
		case wireEndGroup:
			if number != open[len(open)-1] {
				return 0, &flaw{ErrSyntax, at, "end of the innermost group", "end of another"}
			}
			open = open[:len(open)-1]
		default:
			if pos, f = skip(text, pos, number, wire); f != nil {
				return 0, f
			}
		}
	}
	return pos, nil
}

// utf8Flaw is nil for a text that is UTF-8.
func utf8Flaw(text string, from, to int) *flaw {
	if utf8.ValidString(text[from:to]) {
		return nil
	}
	return &flaw{ErrUTF8, from, "", ""}
}

// uvarintSize returns how many bytes a varint takes.
func uvarintSize(x int) int { return (bits.Len64(uint64(x)|1) + 6) / 7 } //nolint:gosec // a length
