package path

import "math/bits"

// mark tells a step from others: of a key that is not longer than markedName, and of
// an index, it says all, of others the beginning and the end. Of a key it is the
// first 8 bytes and the last 8, which may have some in common, of its packed form, in
// which both ends have its length; where that is shorter it is all of it, and last
// is 0. What is of an index has a last of 1, which no key's end has at its top.
type mark struct{ first, last uint64 }

// markedName is the length of the longest key whose packed form has no more than 16
// bytes.
const markedName = 14

// markOf is the mark of a step as it is when it is not packed; see trie.below.
func markOf(s Step) mark {
	name, n := s.name, len(s.name)
	ends := uint64(min(n, plainName+1)) // all keys that are longer have this length here, and no other key has
	head, tail := ends<<tagBits, ends+1
	switch {
	case s.ref != 0:
		return mark{uint64(s.ref), 1}
	case n >= 8:
		return mark{word(name)<<8 | head, word(name[n-8:])>>8 | tail<<56}
	}
	w := uint64(0)
	for i := range n {
		w |= uint64(name[i]) << (8 * i)
	}
	if n == 7 { // whose end begins where the name does
		return mark{w<<8 | head, w | tail<<56}
	}
	w = w<<8 | head | tail<<(8*(n+1))
	if n == 6 {
		return mark{w, w}
	}
	return mark{w, 0}
}

// hash mixes all of a mark, and a node's number, into the upper bits.
func (m mark) hash(node uint32) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio, as hashes by multiplication have it
	return (m.first ^ bits.RotateLeft64(m.last, 29) ^ uint64(node)<<40) * odd
}

// word is the first 8 bytes of a text that has so many.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
