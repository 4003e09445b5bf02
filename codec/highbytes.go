package codec

import (
	"encoding/binary"
	"unicode/utf8"
)

// Nearly all texts are ASCII, and to look at each of them costs more than to count once
// how many bytes of a message are above 0x7f, many at a time, and how many of these are
// in lengths and numbers: when that is all of them, each text is ASCII.

// highBytes counts the bytes above 0x7f.
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

// highOf is highBytes of eight bytes.
func highOf(w uint64) int { return int(w >> 7 & lowBits * lowBits >> 56) } //nolint:gosec // up to 8

// textsAreUTF8 looks at each key and string by itself.
func (s *survey) textsAreUTF8(data []byte) bool {
	for _, c := range s.spots {
		if !utf8.Valid(data[c.key:c.keyEnd]) {
			return false
		}
		if c.end == 0 || data[c.from] != tagString {
			continue
		}
		if n, at := length(data, int(c.from)+1); n < 0 || !utf8.Valid(data[at:c.end]) {
			return false
		}
	}
	return true
}
