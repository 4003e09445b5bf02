package rpc

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
)

// appendFields appends what is set of a message.
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

// closeDelimited puts the length in front of what stands at dst[begin:], behind
// one byte that was kept for it. Moving the contents where one byte is too few is
// cheaper than counting them first.
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

// takeFields reads the fields of a message from data, which stands at an offset.
// What is there already is merged with.
func takeFields(m Message, data []byte, c call, base int) error {
	var bags []joint // nearly all messages have none
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
		for other := range rivals(m, &f) {
			other.slot.clear()
		}
		if err := take(&f, i, o, &bags, c); err != nil {
			return inField(err, f.name)
		}
	}
	for k := range bags {
		f := m.field(bags[k].index)
		if err := f.slot.takeProto(occurrence{data: bags[k].data, at: bags[k].at}, c); err != nil {
			return inField(err, f.name)
		}
	}
	return nil
}

// consumeTag reads the number and type of a field. protowire lets numbers pass
// that protobuf refuses.
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
		n = -1 // no slot has them
	}
	return o, n
}

// joint is what was seen so far of a field that holds properties. Merging
// messages is the same as reading their bytes one after the other, and values
// cannot be merged, so they are read at the end.
type joint struct {
	data  []byte
	at    int
	index int
	owned bool // data is a copy
}

// fewBags is how many fields of a message hold properties, at most but for one.
const fewBags = 4

// occurrences counts the fields that begin a text of fields and have the number of
// its first one, as far as it can be read.
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

// take hands an occurrence to its slot, or keeps it if it holds properties.
func take(f *field, i int, o occurrence, bags *[]joint, c call) error {
	if !holdsProperties(f.slot) {
		return f.slot.takeProto(o, c)
	}
	at := slices.IndexFunc(*bags, func(j joint) bool { return j.index == i })
	if at < 0 {
		if *bags == nil {
			*bags = make([]joint, 0, fewBags)
		}
		*bags = append(*bags, joint{data: o.data, at: o.at, index: i})
		return nil
	}
	j := &(*bags)[at]
	if !j.owned {
		if !wellFormed(j.data) {
			return malformed(j.at, "properties")
		}
		j.data, j.owned = slices.Clone(j.data), true
	}
	// A half of a field must not be made whole by what comes next.
	if !wellFormed(o.data) {
		return malformed(o.at, "properties")
	}
	j.data = append(j.data, o.data...)
	return nil
}

// wellFormed reports whether bytes are whole fields.
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
	e.Want, e.Found = what, "bytes that are none"
	return e
}
