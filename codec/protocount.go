package codec

import (
	"math"

	"github.com/propalg/propalg/internal/jsonscan"
)

// census counts the members and elements of all containers in bytes that are
// written as every encoder writes them: each entry a key and a value, each value
// one field. The container that begins at pos and is the rest of text has children
// that take so many messages. For other bytes, and for what is nested beyond the
// limit, ok is false, so that nothing is reserved for them; or the numbers are
// wrong, which [fastReader] finds out.
func census(text string, pos, used, limit int) (members, elems int, ok bool) {
	var room [16]counted
	open, end := room[:0], len(text)
	for {
		for pos >= end {
			if pos > end || len(open) == 0 {
				return members, elems, pos == end
			}
			top := open[len(open)-1]
			open = open[:len(open)-1]
			end, used = top.end, top.used
		}
		member, at := heading(text, pos)
		if pos = at; pos < 0 || used > limit {
			return 0, 0, false
		}
		if member {
			members++
		} else {
			elems++
		}
		switch c := text[pos]; c {
		case tagString:
			n, next := length(text, pos+1)
			if pos = next + n; n < 0 {
				return 0, 0, false
			}
		case tagNumber:
			pos += 9
		case tagNull, tagBool:
			pos = pass(text, pos+1)
		case tagStruct, tagList:
			n, next := length(text, pos+1)
			if n < 0 || n > end-next {
				return 0, 0, false
			}
			if pos = next; n > 0 {
				open = append(open, counted{end, used})
				end, used = next+n, used+jsonscan.Cost(c == tagStruct)
			}
		default:
			return 0, 0, false
		}
	}
}

// counted is a container around the one that is being counted.
type counted struct{ end, used int }

// heading passes what stands before a Value that is a child: the beginning of an
// entry, if member, or of an element. Next is -1 for what is no usual one.
func heading(text string, pos int) (member bool, next int) {
	if left := text[pos:]; len(left) > 6 && left[1]|left[3] < 0x80 && left[0] == tagFields && left[2] == tagKey { // as most are
		if pos += 4 + int(left[3]); pos+2 >= len(text) || text[pos] != tagValue {
			return true, -1
		}
		return true, pos + 2
	}
	if text[pos] != tagFields {
		return false, -1
	}
	if pos = pass(text, pos+1); pos >= len(text) {
		return false, -1
	}
	if text[pos] != tagKey {
		return false, pos
	}
	n, at := length(text, pos+1)
	if n < 0 || n >= len(text)-at || text[at+n] != tagValue {
		return true, -1
	}
	if pos = pass(text, at+n+1); pos >= len(text) {
		return true, -1
	}
	return true, pos
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
