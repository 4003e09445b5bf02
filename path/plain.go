package path

// NOTE: This is for short texts: canonicalKey repeats nameEnd of canonical.go.

import (
	"math/bits"
	"strings"

	"github.com/propalg/propalg/internal/scan"
)

type grammar uint8

const (
	canonical grammar = iota
	pulumi
)

const (
	// A longer text is never plain.
	plainText = 64
	// plainName is the length of the longest key whose head fits into one byte.
	plainName = 0x7f >> tagBits
	// A number of plainDigits digits is less than MaxIndex.
	plainDigits = 9
)

// parsePlain packs a short text that is plain, as nearly all are: names that are not long,
// separated by single dots, indexes without sign and leading zeros, keys in quotes without
// escapes, and asterisks in brackets. If ok is false, the text may still be valid.
func parsePlain(text string, g grammar, r role) (packed string, ok bool) {
	if len(text) > plainText || len(text) == 0 {
		return "", len(text) == 0
	}

	var scratch [2 * plainText]byte
	n, at := 0, 0
	for {
		if text[at] == '[' {
			if n, at = plainBracket(&scratch, n, text, at+1, g, r); at == 0 {
				return "", false
			}
		} else {
			var size int
			if g == pulumi {
				size = plainKey(&scratch, n, text, at)
			} else {
				size = canonicalKey(&scratch, n, text, at)
			}
			if size == 0 || size > plainName || (size == 1 && text[at] == '*' && r == asPattern) {
				return "", false
			}

			scratch[n], scratch[n+size+1] = byte(size<<tagBits|tagKey), byte(size+1)
			n, at = n+size+2, at+size
		}
		if at == len(text) {
			return string(scratch[:n]), true
		}
		if text[at] == '[' {
			continue
		}
		if at++; text[at-1] != '.' || at == len(text) || text[at] == '[' {
			return "", false
		}
	}
}

// plainKey copies a bare name, up to the next dot or bracket or the end, to dst[n+1:], 8
// bytes at a time, and returns its length. It may write more bytes after it.
func plainKey(dst *[2 * plainText]byte, n int, text string, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	first := at

	for n++; ; n += 8 {
		var w uint64
		left := len(text) - at
		switch {
		case left >= 8:
			w = scan.Word(text[at:])
		case len(text) >= 8:
			w = scan.Word(text[len(text)-8:]) >> (uint(64-8*left) & 63)
			if left == 0 {
				w = 0
			}
		default:
			w = shortWord(text) >> (uint(8*at) & 63)
		}
		putWord(dst[n:], w)

		dot, bracket := w^ones*'.', w^ones*'[' // a byte of 0 is what ends a name
		end := ((dot-ones)&^dot | (bracket-ones)&^bracket) & tops
		size := min(bits.TrailingZeros64(end)/8, left)
		if at += size; size < 8 {
			break
		}
	}
	return at - first
}

// canonicalKey does as plainKey in the canonical grammar, byte by byte, since each must be one
// that a name may have. A name does not begin with a digit.
func canonicalKey(dst *[2 * plainText]byte, n int, text string, at int) int {
	const letters = 1<<26 - 1
	bytes := [4]uint64{(1<<10 - 1) << '0', letters<<('A'-64) | letters<<('a'-64) | 1<<('_'-64)} // a bit for each
	first := at
	for ; at < len(text); at++ {
		c := text[at]
		if bytes[c>>6]>>(c&63)&1 == 0 {
			break
		}
		n++
		dst[n] = c
	}

	if at > first && text[first] <= '9' { // a digit: no other byte of a name is as low
		return 0
	}
	return at - first
}

// plainBracket packs the rest of a step after its '[' into dst[n:]. It returns the new
// length of dst and the offset after the ']', or 0 if the step is not plain.
func plainBracket(dst *[2 * plainText]byte, n int, text string, at int, g grammar, r role) (int, int) {
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
		if size > plainName || (size == 1 && text[first] == '*') || at+1 >= len(text) || text[at+1] != ']' {
			return n, 0
		}
		dst[head], dst[n] = byte(size<<tagBits|tagKey), byte(size+1)
		return n + 1, at + 2
	}
	if r == asPattern && strings.HasPrefix(text[at:], "*]") {
		dst[n], dst[n+1] = tagWild, 1
		return n + 2, at + 2
	}
	if g == pulumi && strings.HasPrefix(text[at:], "*]") {
		dst[n], dst[n+1], dst[n+2] = 1<<tagBits|tagKey, '*', 2
		return n + 3, at + 2
	}

	i, end := number(text, at)
	if end == at || end-at > plainDigits || (text[at] == '0' && end-at > 1) || end == len(text) || text[end] != ']' {
		return n, 0
	}
	if i <= plainName {
		dst[n], dst[n+1] = byte(i<<tagBits|tagIndex), 1
		return n + 2, end + 1
	}

	return n + len(appendPacked(dst[n:n], Index(int(i)))), end + 1
}

// shortWord returns a text of less than 8 bytes as scan.Word does, followed by zeros.
func shortWord(text string) uint64 {
	n := len(text)
	switch {
	case n >= 4: // what both halves have is the same
		last := uint64(text[n-4]) | uint64(text[n-3])<<8 | uint64(text[n-2])<<16 | uint64(text[n-1])<<24
		return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 | last<<(uint(8*(n-4))&63)
	case n > 0:
		return uint64(text[0]) | uint64(text[n/2])<<(uint(8*(n/2))&63) | uint64(text[n-1])<<(uint(8*(n-1))&63)
	}

	return 0
}

func putWord(dst []byte, w uint64) {
	_ = dst[7]
	dst[0], dst[1], dst[2], dst[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	dst[4], dst[5], dst[6], dst[7] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
}
