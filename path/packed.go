package path

import (
	"math/bits"
	"strings"
)

// The packed form of a path or a pattern is its steps one after another:
//
//	step    = head payload tail
//	head    = uvarint of  length<<2 | 0   a key, and its bytes are the payload
//	                      index<<2  | 1   an index, no payload
//	                      2               the wildcard of one step, no payload
//	                      3               the wildcard of any depth, no payload
//	tail    = number of bytes of head and payload, a uvarint written backwards
//
// It is a string, so a Path is immutable, comparable, and shared by its
// prefixes without copying. A head delimits its step, so that bytes equal
// means steps equal and a prefix of whole steps is a prefix of bytes. The tail
// is what lets Last and Parent find the last step without a walk from the
// front: going up from a depth of a million is a million steps, not half a
// billion of them. `a.b[0]` takes 8 bytes.

const (
	tagKey   = 0
	tagIndex = 1
	tagWild  = 2
	tagDeep  = 3
	tagBits  = 2
	tagMask  = 1<<tagBits - 1
)

// uvarintSize returns the number of bytes that x takes at seven bits a byte.
func uvarintSize(x uint64) int { return (bits.Len64(x|1) + 6) / 7 }

func (s Step) head() uint64 {
	switch s.ref {
	case 0:
		return uint64(len(s.name))<<tagBits | tagKey
	case wildMark:
		return tagWild
	case deepMark:
		return tagDeep

	default:
		return uint64(s.ref-1)<<tagBits | tagIndex
	}
}

func (s *Step) size() int {
	if s.ref == 0 && len(s.name) <= plainName {
		return len(s.name) + 2
	}
	return packedSize(s.head(), len(s.name))
}

// packedSize returns the size of a step with this head and that long a payload.
func packedSize(head uint64, payload int) int {
	body := uvarintSize(head) + payload
	return body + uvarintSize(uint64(body))
}

func appendPacked(dst []byte, s Step) []byte {
	h := s.head()
	dst = append(appendHead(dst, h), s.name...)
	return appendTail(dst, h, len(s.name))
}

func appendHead(dst []byte, x uint64) []byte {
	for x >= 0x80 {
		dst = append(dst, byte(x)|0x80)
		x >>= 7
	}
	return append(dst, byte(x))
}

func appendTail(dst []byte, head uint64, payload int) []byte {
	body := uint64(uvarintSize(head) + payload)
	if body < 0x80 {
		return append(dst, byte(body))
	}

	top := uvarintSize(body) - 1
	for i := top; i >= 0; i-- {
		c := byte(body>>(7*i)) & 0x7f
		if i < top {
			c |= 0x80 // more in front of this byte
		}
		dst = append(dst, c)
	}
	return dst
}

func writePacked(b *strings.Builder, s Step) {
	var scratch [10]byte
	h := s.head()
	b.Write(appendHead(scratch[:0], h))
	b.WriteString(s.name)
	b.Write(appendTail(scratch[:0], h, len(s.name)))
}

// unpack returns the first step of packed, which is not empty, and its size. A short key,
// as nearly every step is, is read here without a call, since every walk unpacks each
// step.
func unpack(packed string) (Step, int) {
	if h := uint(packed[0]); h&(0x80|tagMask) == tagKey {
		h >>= tagBits
		return Step{name: packed[1 : h+1]}, int(h) + 2
	}
	return unpackOther(packed)
}

// unpackOther unpacks an index, a wildcard, or a key of more than 31 bytes.
func unpackOther(packed string) (Step, int) {
	h, n := uint64(packed[0]), 1
	if h >= 0x80 {
		h, n = longHead(packed)
	}
	switch h & tagMask {
	case tagKey:
		end := n + int(h>>tagBits)
		return Step{name: packed[n:end]}, end + uvarintSize(uint64(end))
	case tagIndex:
		return Step{ref: uint32(h>>tagBits) + 1}, n + 1
	case tagWild:
		return Step{ref: wildMark}, n + 1
	default:
		return Step{ref: deepMark}, n + 1
	}
}

func longHead(packed string) (uint64, int) {
	var h uint64
	for i := 0; ; i++ {
		c := packed[i]
		h |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return h, i + 1
		}
	}
}

// lastStart returns the offset of the last step of packed, which is not empty.
func lastStart(packed string) int {
	i := len(packed) - 1
	c := packed[i]
	body := int(c & 0x7f)
	for shift := 7; c >= 0x80; shift += 7 {
		i--

		c = packed[i]
		body |= int(c&0x7f) << shift
	}
	return i - body
}

// join returns a packed prefix followed by steps, in one allocation.
func join(packed string, steps []Step) string {
	if len(steps) == 0 {
		return packed
	}
	size := len(packed)
	for i := range steps {
		size += steps[i].size()
	}
	var few [fewBytes]byte
	if size <= len(few) {
		return string(appendSteps(append(few[:0], packed...), steps))
	}

	var b strings.Builder
	b.Grow(size)
	b.WriteString(packed)
	for len(steps) > 0 {
		n, room := 0, len(few)
		for ; n < len(steps) && room >= steps[n].size(); n++ {
			room -= steps[n].size()
		}
		if n == 0 { // one that is longer
			writePacked(&b, steps[0])
			n = 1
		} else {
			b.Write(appendSteps(few[:0], steps[:n]))
		}
		steps = steps[n:]
	}

	return b.String()
}

// Paths of at most fewBytes are put together on the stack.
const fewBytes = 512

// appendSteps appends many steps; the short keys, which nearly all are, have a byte on either
// side.
func appendSteps(dst []byte, steps []Step) []byte {
	for i := range steps {
		s := &steps[i]
		if s.ref != 0 || len(s.name) > plainName {
			dst = appendPacked(dst, *s)
			continue
		}
		dst = append(dst, byte(len(s.name)<<tagBits|tagKey))
		dst = append(append(dst, s.name...), byte(len(s.name)+1))
	}
	return dst
}

func joinOne(packed string, s Step) string {
	var front, back [10]byte
	h := s.head()
	head, tail := appendHead(front[:0], h), appendTail(back[:0], h, len(s.name))
	return packed + string(head) + s.name + string(tail)
}

func count(packed string) int {
	n := 0
	for packed != "" {
		_, size := unpack(packed)
		packed = packed[size:]
		n++
	}
	return n
}

// split returns the offset after the first n steps of packed, or after all of them if
// there are fewer.
func split(packed string, n int) int {
	at := 0
	for ; n > 0 && at < len(packed); n-- {
		_, size := unpack(packed[at:])
		at += size
	}
	return at
}

// comparePacked compares step by step; a prefix sorts first.
func comparePacked(p, q string) int {
	for p != "" && q != "" {
		s, n := unpack(p)
		t, m := unpack(q)
		if s != t {
			return s.Compare(t)
		}

		p, q = p[n:], q[m:]
	}
	return min(len(p), 1) - min(len(q), 1)
}
