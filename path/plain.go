package path

import "math/bits"

// grammar is one of the two dialects.
type grammar uint8

const (
	canonical grammar = iota
	pulumi
)

const (
	// plainText is the length up to which a text may be plain.
	plainText = 64
	// plainName is the length of the longest key whose head is one byte.
	plainName = 0x7f >> tagBits
	// plainDigits is how many digits are certainly no more than MaxIndex.
	plainDigits = 9
)

// nameBytes are the bytes that a name may have, a bit for each.
func (g grammar) nameBytes() [4]uint64 {
	if g == pulumi { // all but '.' and '['
		return [4]uint64{^uint64(1 << '.'), ^uint64(1 << ('[' - 64)), ^uint64(0), ^uint64(0)}
	}
	const letters = 1<<26 - 1
	return [4]uint64{0: (1<<10 - 1) << '0', 1: letters<<('A'-64) | letters<<('a'-64) | 1<<('_'-64)}
}

// parsePlain packs a text that is short and of the plain sort, as nearly all are:
// names that are not long, separated by single dots, indexes without sign and
// leading zeros, keys in quotes without escapes, and no asterisk by itself. It says
// the same of such a text in both roles. Where it is not ok, nothing is known.
func parsePlain(text string, g grammar) (packed string, ok bool) {
	if len(text) > plainText {
		return "", false
	}
	var scratch [2 * plainText]byte
	bytes, n := g.nameBytes(), 0
	for at := 0; at < len(text); {
		if text[at] == '[' {
			if n, at = plainBracket(&scratch, n, text, at+1); at == 0 {
				return "", false
			}
			continue
		}
		if at > 0 {
			if text[at] != '.' {
				return "", false
			}
			at++
		}
		head, first := n, at
		n++
		if g == pulumi {
			skipped := bareWords(&scratch, n, text[at:])
			n, at = n+skipped, at+skipped
		}
		for ; at < len(text); at++ {
			c := text[at]
			if bytes[c>>6]>>(c&63)&1 == 0 {
				break
			}
			scratch[n] = c
			n++
		}
		size := at - first
		if size == 0 || size > plainName || size == 1 && text[first] == '*' || g == canonical && text[first] <= '9' {
			return "", false
		}
		scratch[head], scratch[n] = byte(size<<tagBits|tagKey), byte(size+1)
		n++
	}
	return string(scratch[:n]), true
}

// plainBracket packs what follows a '[' behind the first n bytes, and returns how
// many there are then, and the offset behind the ']', which is 0 when it is not
// plain.
func plainBracket(dst *[2 * plainText]byte, n int, text string, at int) (int, int) {
	if at < len(text) && text[at] == '"' {
		head, first := n, at+1
		n++
		for at = first; at < len(text) && text[at] != '"'; at++ {
			if text[at] == '\\' {
				return n, 0
			}
			dst[n] = text[at]
			n++
		}
		size := at - first
		if size > plainName || size == 1 && text[first] == '*' || at+1 >= len(text) || text[at+1] != ']' {
			return n, 0
		}
		dst[head], dst[n] = byte(size<<tagBits|tagKey), byte(size+1)
		return n + 1, at + 2
	}
	i, end := number(text, at)
	if end == at || end-at > plainDigits || text[at] == '0' && end-at > 1 || end == len(text) || text[end] != ']' {
		return n, 0
	}
	if i <= plainName {
		dst[n], dst[n+1] = byte(i<<tagBits|tagIndex), 1
		return n + 2, end + 1
	}
	return n + len(appendPacked(dst[n:n], Index(int(i)))), end + 1
}

// bareWords copies the beginning of a bare name behind the first n bytes, 8 bytes
// at a time, and returns how much of it: all of it, or all but the last few bytes.
func bareWords(dst *[2 * plainText]byte, n int, text string) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	at := 0
	for ; len(text)-at >= 8; at += 8 {
		w := word(text[at:])
		putWord(dst[n+at:], w)
		dot, bracket := w^ones*'.', w^ones*'[' // a byte of 0 is what ends a name
		if end := ((dot-ones)&^dot | (bracket-ones)&^bracket) & tops; end != 0 {
			return at + bits.TrailingZeros64(end)/8
		}
	}
	return at
}

func putWord(dst []byte, w uint64) {
	_ = dst[7]
	dst[0], dst[1], dst[2], dst[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	dst[4], dst[5], dst[6], dst[7] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
}
