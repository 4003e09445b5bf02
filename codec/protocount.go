package codec

import "math"

// census counts the members and elements of all containers in bytes that are
// written as every encoder writes them: each entry a key and a value, each value
// one field. It does not look where containers end, since in such bytes nothing
// stands between a message and the one after it. For other bytes ok is false, or
// the numbers are wrong; [fastReader] finds that out.
func census(text string, pos int) (members, elems int, ok bool) {
	for pos < len(text) {
		if text[pos] != tagFields {
			return 0, 0, false
		}
		if left := text[pos:]; len(left) > 6 && left[1]|left[3] < 0x80 && left[2] == tagKey { // as most are
			members++
			if pos += 4 + int(left[3]); pos+2 >= len(text) || text[pos] != tagValue {
				return 0, 0, false
			}
			pos += 2
		} else if pos, ok = header(text, pos+1); !ok {
			return 0, 0, false
		} else if text[pos] == tagKey {
			members++
			n := 0
			if n, pos = length(text, pos+1); n < 0 || n >= len(text)-pos || text[pos+n] != tagValue {
				return 0, 0, false
			}
			if pos, ok = header(text, pos+n+1); !ok {
				return 0, 0, false
			}
		} else {
			elems++
		}
		switch text[pos] {
		case tagString:
			n, next := length(text, pos+1)
			if n < 0 {
				return 0, 0, false
			}
			pos = next + n
		case tagNumber:
			pos += 9
		case tagNull, tagBool, tagStruct, tagList:
			pos = pass(text, pos+1)
		default:
			return 0, 0, false
		}
	}
	return members, elems, pos == len(text)
}

// header passes a length, and reports whether something follows it.
func header(text string, pos int) (next int, ok bool) {
	next = pass(text, pos)
	return next, next < len(text)
}

// pass returns where a varint ends that begins at pos, or the end of text.
func pass(text string, pos int) int {
	for pos < len(text) {
		pos++
		if text[pos-1] < 0x80 {
			break
		}
	}
	return pos
}

// length reads a varint that is the length of something; n is notLength if it is
// none, or certainly longer than what is left of text.
func length(text string, pos int) (n, next int) {
	if pos < len(text) && text[pos] < 0x80 {
		return int(text[pos]), pos + 1
	}
	return longLength(text, pos)
}

func longLength(text string, pos int) (n, next int) {
	x := uint64(0)
	for shift := 0; shift < 35 && pos < len(text); shift += 7 {
		c := text[pos]
		pos++
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			if x > uint64(len(text)-pos) {
				break
			}
			return int(x), pos //nolint:gosec // not above a length
		}
	}
	return notLength, pos
}

// notLength is below the difference of any two offsets.
const notLength = math.MinInt
