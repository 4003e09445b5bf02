package codec

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/scan"
)

// isUTF8 agrees with utf8.ValidString, and is faster for texts that are short and ASCII, as
// most are.
func isUTF8(s string) bool { return isASCII(s) || utf8.ValidString(s) }

// isASCII reports whether no byte of a text is above 0x7f. It looks at whole words,
// of which the last one may begin before the one ahead of it ends.
func isASCII(s string) bool {
	const high = 0x80808080_80808080
	n := len(s)
	if n < 8 {
		if n >= 4 {
			return (half(s)|half(s[n-4:]))&(high>>32) == 0
		}

		var all byte
		for i := range n {
			all |= s[i]
		}
		return all < utf8.RuneSelf
	}
	all := scan.Word(s[n-8:])
	for ; len(s) >= 32; s = s[32:] {
		all |= scan.Word(s) | scan.Word(s[8:]) | scan.Word(s[16:]) | scan.Word(s[24:])
		if all&high != 0 {
			return false
		}
	}
	for ; len(s) >= 8; s = s[8:] {
		all |= scan.Word(s)
	}
	return all&high == 0
}

func half(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// highBits are the bits that are zero in ASCII.
const highBits = 0x80808080_80808080

// copyText copies a text to the beginning of dst and returns the OR of its bytes, so that
// callers find bytes outside ASCII without a second pass: most texts are so short that a
// second call would cost more than both.
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
			v, w := scan.Word(s), scan.Word(s[8:])
			binary.LittleEndian.PutUint64(dst, v)
			binary.LittleEndian.PutUint64(dst[8:], w)
			all |= v | w
			s, dst = s[16:], dst[16:]
		}
		v, w, x, y := scan.Word(s), scan.Word(s[8:]), scan.Word(s[n-16:]), scan.Word(s[n-8:])
		binary.LittleEndian.PutUint64(dst, v)
		binary.LittleEndian.PutUint64(dst[8:], w)
		binary.LittleEndian.PutUint64(dst[n-16:], x)
		binary.LittleEndian.PutUint64(dst[n-8:], y)
		all |= v | w | x | y
	case n >= 8:
		v, w := scan.Word(s), scan.Word(s[n-8:])
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

// Nearly all texts are ASCII, and to look at each of them costs more than to count once
// how many bytes of a message are above 0x7f, many at a time, and how many of these are
// in lengths and numbers: when that is all of them, each text is ASCII.

func highBytes(data []byte) (n int) {
	const most = 8 * 252 // a lane of the sum counts to 255
	for len(data) >= 8 {
		part := data[:min(len(data)&^7, most)]
		data = data[len(part):]
		sum := uint64(0)
		for ; len(part) >= 64; part = part[64:] {
			p := (*[64]byte)(part)
			sum += binary.LittleEndian.Uint64(p[:])>>7&lowBits + binary.LittleEndian.Uint64(p[8:])>>7&lowBits +
				binary.LittleEndian.Uint64(p[16:])>>7&lowBits + binary.LittleEndian.Uint64(p[24:])>>7&lowBits +
				binary.LittleEndian.Uint64(p[32:])>>7&lowBits + binary.LittleEndian.Uint64(p[40:])>>7&lowBits +
				binary.LittleEndian.Uint64(p[48:])>>7&lowBits + binary.LittleEndian.Uint64(p[56:])>>7&lowBits
		}
		for ; len(part) >= 8; part = part[8:] {
			sum += binary.LittleEndian.Uint64(part) >> 7 & lowBits
		}

		const pairs = 0x00ff00ff_00ff00ff
		sum = sum&pairs + sum>>8&pairs
		n += int(sum * 0x00010001_00010001 >> 48) //nolint:gosec // 16 bits
	}
	for _, c := range data {
		n += int(c >> 7)
	}
	return n
}

// lowBits are the lowest bits of eight bytes.
const lowBits = 0x01010101_01010101

func highOf(w uint64) int { return int(w >> 7 & lowBits * lowBits >> 56) } //nolint:gosec // up to 8
