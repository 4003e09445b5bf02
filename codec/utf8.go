package codec

import "unicode/utf8"

// isUTF8 is utf8.ValidString, faster for what most texts are: short and ASCII.
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
	all := word(s[n-8:])
	for ; len(s) >= 32; s = s[32:] {
		all |= word(s) | word(s[8:]) | word(s[16:]) | word(s[24:])
		if all&high != 0 {
			return false
		}
	}
	for ; len(s) >= 8; s = s[8:] {
		all |= word(s)
	}
	return all&high == 0
}

// word is the first eight bytes of a text, as one load.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// half is the first four.
func half(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
