package value

import (
	"encoding/binary"
	"unsafe"
)

// look is what one look at two members says.
type look uint8

const (
	differ   look = iota // they do
	alike                // they are the same
	sameKeys             // their keys are the same; the values must be gone into
	longKeys             // nothing yet
)

// glance compares two keys and then two values, as far as that takes neither a
// call nor a look into containers and marks. It is where comparing spends its
// time. Values without marks whose words are the same are decided on the spot: by
// number and pointer, and strings by their bytes. Most texts are short: they are
// compared in words that overlap, without a loop whose end the processor has to
// guess, which is what takes most of the time that == takes.
func glance(k, l string, v, w *Value) look {
	if len(k) != len(l) {
		return differ
	}
	p, q, n := unsafe.Pointer(unsafe.StringData(k)), unsafe.Pointer(unsafe.StringData(l)), uint64(len(k))
	inside, long := false, longKeys
	for {
		if p != q {
			if n > longText {
				return long
			}
			for ; n > 4*wordSize; n -= 4 * wordSize {
				if apart(p, q)|apart(unsafe.Add(p, 2*wordSize), unsafe.Add(q, 2*wordSize)) != 0 {
					return differ
				}
				p, q = unsafe.Add(p, 4*wordSize), unsafe.Add(q, 4*wordSize)
			}
			var off uint64
			switch {
			case n > 2*wordSize:
				off = apart(p, q) | apart(unsafe.Add(p, n-2*wordSize), unsafe.Add(q, n-2*wordSize))
			case n >= wordSize:
				off = (word(p) ^ word(q)) | (word(unsafe.Add(p, n-wordSize)) ^ word(unsafe.Add(q, n-wordSize)))
			case n >= wordSize/2:
				off = (half(p) ^ half(q)) | (half(unsafe.Add(p, n-wordSize/2)) ^ half(unsafe.Add(q, n-wordSize/2)))
			case n > 0:
				off = (octet(p) ^ octet(q)) | (octet(unsafe.Add(p, n/2)) ^ octet(unsafe.Add(q, n/2))) |
					(octet(unsafe.Add(p, n-1)) ^ octet(unsafe.Add(q, n-1)))
			}
			if off != 0 {
				return differ
			}
		}
		switch {
		case inside:
			return alike
		case v.num != w.num || v.shape() != w.shape() || v.facts&(secretness|boxed) != 0:
			return sameKeys
		case v.ptr == w.ptr:
			return alike
		case v.kind != KindString:
			return sameKeys
		}
		p, q, n = v.ptr, w.ptr, v.num
		inside, long = true, sameKeys
	}
}

const (
	wordSize = 8
	longText = 256 // bytes, from which on a call is cheaper
)

// word, half and octet are bytes, wherever they stand, as numbers; apart is not 0
// where two words and two words differ.
func word(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[wordSize]byte)(p)[:]) }

func half(p unsafe.Pointer) uint64 {
	return uint64(binary.LittleEndian.Uint32((*[wordSize / 2]byte)(p)[:]))
}
func octet(p unsafe.Pointer) uint64 { return uint64(*(*byte)(p)) }

func apart(p, q unsafe.Pointer) uint64 {
	return (word(p) ^ word(q)) | (word(unsafe.Add(p, wordSize)) ^ word(unsafe.Add(q, wordSize)))
}
