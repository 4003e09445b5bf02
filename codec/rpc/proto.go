package rpc

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
)

// appendFields appends the fields of a message that are set.
func appendFields(dst []byte, m Message, c call) ([]byte, error) {
	for i := 0; ; i++ {
		f := m.field(i)
		if f.slot == nil {
			break
		}
		if !f.slot.isSet() {
			continue
		}

		err := contested(m, &f)
		if err == nil {
			dst, err = f.slot.appendProto(dst, f.number, c)
		}
		if err != nil {
			return dst, inField(err, f.name)
		}
	}
	return append(dst, *m.unrecognized()...), nil
}

// closeDelimited writes the length of dst[begin:] before it, where one byte is
// reserved. If the length takes more, it moves the contents, which is cheaper than
// measuring them first.
func closeDelimited(dst []byte, begin int) []byte {
	n := uint64(len(dst) - begin)
	if n < 0x80 {
		dst[begin-1] = byte(n)
		return dst
	}

	more := protowire.SizeVarint(n) - 1
	dst = slices.Grow(dst, more)[:len(dst)+more]
	copy(dst[begin+more:], dst[begin:])
	protowire.AppendVarint(dst[:begin-1], n)
	return dst
}

// takeFields reads the fields of a message from data, at the offset base, and merges
// them into m.
func takeFields(m Message, data []byte, c call, base int) error {
	var bags []joined // hardly any message has one
	var unsettled *diffs
	next := 0
	for at := 0; at < len(data); {
		begin := at
		number, typ, n := consumeTag(data[at:])
		if n < 0 {
			return malformed(base+at, "a field")
		}
		at += n
		f, i := lookup(m, number, next)
		if f.slot == nil || f.slot.wire() != typ {
			if n = protowire.ConsumeFieldValue(number, typ, data[at:]); n < 0 {
				return malformed(base+at, "the contents of a field")
			}
			at += n
			unknown := m.unrecognized()
			*unknown = append(*unknown, data[begin:at]...)
			continue
		}

		next = i
		o, n := consume(typ, data[at:])
		if n < 0 {
			return inField(malformed(base+at, "the contents of a field"), f.name)
		}
		at += n
		o.at, o.from = base+at-len(o.data), data[begin:]

		if f.oneof != "" {
			for other := range rivals(m, &f) {
				other.slot.clear()
			}
		}
		if err := take(&f, i, o, &bags, c); err != nil {
			return inField(err, f.name)
		}
		if d, ok := f.slot.(*diffs); ok {
			unsettled = d
		}
	}
	if unsettled != nil {
		unsettled.settle()
	}
	for k := range bags {
		f := m.field(bags[k].index)
		if err := f.slot.takeProto(occurrence{data: bags[k].data, at: bags[k].at}, c); err != nil {
			return inField(err, f.name)
		}
	}

	return nil
}

// consumeTag reads the number and type of a field. Unlike protowire it refuses the
// numbers that protobuf refuses.
func consumeTag(data []byte) (protowire.Number, protowire.Type, int) {
	number, typ, n := protowire.ConsumeTag(data)
	if number > protowire.MaxValidNumber {
		return 0, 0, -1
	}
	return number, typ, n
}

// consume reads the contents of one field.
func consume(typ protowire.Type, data []byte) (o occurrence, n int) {
	switch typ {
	case protowire.VarintType:
		o.number, n = protowire.ConsumeVarint(data)
	case protowire.Fixed64Type:
		o.number, n = protowire.ConsumeFixed64(data)
	case protowire.BytesType:
		o.data, n = protowire.ConsumeBytes(data)
	case protowire.Fixed32Type, protowire.StartGroupType, protowire.EndGroupType:
		n = -1 // no slot has these types
	}
	return o, n
}

// joined holds the bytes of all occurrences so far of a field with properties that occurs
// several times. Values cannot be merged, but merging messages equals reading their
// concatenation, which happens at the end.
type joined struct {
	data  []byte
	at    int
	index int
	owned bool // data is a copy
}

// occurrences counts the fields of data that have the number of the first, up to one
// that is malformed.
func occurrences(data []byte) int {
	n := 0
	for first := protowire.Number(0); len(data) > 0; {
		number, typ, size := consumeTag(data)
		if size < 0 {
			break
		}
		contents := protowire.ConsumeFieldValue(number, typ, data[size:])
		if contents < 0 {
			break
		}
		if first == 0 {
			first = number
		}
		if number == first {
			n++
		}
		data = data[size+contents:]
	}

	return n
}

// take passes an occurrence to its slot, or joins it to bags if it holds properties and is
// one of several.
func take(f *field, i int, o occurrence, bags *[]joined, c call) error {
	if !holdsProperties(f.slot) {
		return f.slot.takeProto(o, c)
	}
	at := slices.IndexFunc(*bags, func(j joined) bool { return j.index == i })
	if at < 0 {
		if occurrences(o.from) == 1 {
			return f.slot.takeProto(o, c)
		}
		*bags = append(*bags, joined{data: o.data, at: o.at, index: i})
		return nil
	}
	j := &(*bags)[at]
	if !j.owned {
		if !wellFormed(j.data) {
			return malformed(j.at, "properties")
		}
		j.data, j.owned = slices.Clone(j.data), true
	}

	// An incomplete field must not be completed by the next occurrence.
	if !wellFormed(o.data) {
		return malformed(o.at, "properties")
	}
	j.data = append(j.data, o.data...)
	return nil
}

// wellFormed reports whether bytes consist of complete fields.
func wellFormed(data []byte) bool {
	for len(data) > 0 {
		_, _, n := protowire.ConsumeField(data)
		if n < 0 {
			return false
		}
		data = data[n:]
	}

	return true
}

func malformed(at int, what string) error {
	e := fail(codec.ErrSyntax, at)
	e.Want, e.Found = what, "malformed bytes"
	return e
}
