package codec

import "encoding/binary"

// highBits are those that no byte of ASCII has.
const highBits = 0x80808080_80808080

// copyText copies a text to the beginning of dst, and returns all its bytes, one
// upon another: texts that are written have to be looked at as well, and most are
// so short that going to two functions costs more than both.
func copyText(dst []byte, s string) (all uint64) {
	n := len(s)
	dst = dst[:n]
	switch {
	case n > 256: // copy has the wider registers
		copy(dst, s)
		if !isASCII(s) {
			all = highBits
		}
	case n >= 16:
		for ; n > 32; n -= 16 {
			v, w := word(s), word(s[8:])
			binary.LittleEndian.PutUint64(dst, v)
			binary.LittleEndian.PutUint64(dst[8:], w)
			all |= v | w
			s, dst = s[16:], dst[16:]
		}
		v, w, x, y := word(s), word(s[8:]), word(s[n-16:]), word(s[n-8:])
		binary.LittleEndian.PutUint64(dst, v)
		binary.LittleEndian.PutUint64(dst[8:], w)
		binary.LittleEndian.PutUint64(dst[n-16:], x)
		binary.LittleEndian.PutUint64(dst[n-8:], y)
		all |= v | w | x | y
	case n >= 8:
		v, w := word(s), word(s[n-8:])
		binary.LittleEndian.PutUint64(dst, v)
		binary.LittleEndian.PutUint64(dst[n-8:], w)
		all = v | w
	case n >= 4:
		v, w := half(s), half(s[n-4:])
		binary.LittleEndian.PutUint32(dst, v)
		binary.LittleEndian.PutUint32(dst[n-4:], w)
		all = uint64(v | w)
	case n > 0:
		v, w, x := s[0], s[n/2], s[n-1]
		dst[0], dst[n/2], dst[n-1] = v, w, x
		all = uint64(v | w | x)
	}
	return all
}
