package codec

import (
	"encoding/binary"
	"math"

	"github.com/propalg/propalg/internal/jsonscan"
)

// census counts the members and elements of all containers in bytes that are
// written as every encoder writes them: each entry a key and a value, each value
// one field. The container that begins at pos and is the rest of text has children
// that take so many messages. For other bytes, and for what is nested beyond the
// limit, ok is false, so that nothing is reserved for them; or the numbers are
// wrong, which [fastReader] finds out.
func census(text []byte, pos, used, limit int, object bool) (members, elems int, ok bool) {
	var room [16]counted
	open, end := room[:0], len(text)
	for {
		for pos >= end {
			if pos > end || len(open) == 0 {
				return members, elems, pos == end
			}
			top := open[len(open)-1]
			open = open[:len(open)-1]
			end, used, object = top.end, int(top.used), top.object
		}
		if used > limit || end-pos < 4 {
			return 0, 0, false
		}
		var next int
		if w := binary.LittleEndian.Uint32(text[pos:]); object && w&shortEntryMask == shortEntry {
			next = pos + 2 + int(w>>8&0x7f)
			pos += 6 + int(w>>24)
		} else {
			pos, next = heading(text, pos, object)
		}
		if next > end || pos+2 > next {
			return 0, 0, false
		}
		if object {
			members++
		} else {
			elems++
		}
		if c := text[pos]; c != tagStruct && c != tagList {
			pos = next // whatever it is
			continue
		}
		inner, at := length(text, pos+1)
		if inner != next-at {
			return 0, 0, false
		}
		if inner > 0 {
			open = append(open, counted{end, uint32(used), object})
			object = text[pos] == tagStruct
			end, used = next, used+jsonscan.Cost(object)
		}
		pos = at
	}
}

// counted is a container around the one that is being counted.
type counted struct {
	end    int
	used   uint32 // far below the number of bytes
	object bool
}

// heading passes what stands before a Value that is a child: the beginning of an
// entry or of an element, which ends at next. That is -1 for what is no usual one.
func heading(text []byte, pos int, object bool) (from, next int) {
	n, at := length(text, pos+1)
	if text[pos] != tagFields || n < 0 {
		return 0, -1
	}
	if next = at + n; !object {
		return at, next
	}
	if n < 4 || text[at] != tagKey {
		return 0, -1
	}
	n, at = length(text, at+1)
	if at += n; n < 0 || at+2 > next || text[at] != tagValue {
		return 0, -1
	}
	return pass(text, at+1), next
}

// pass returns where a varint ends that begins at pos, or the end of text.
func pass(text []byte, pos int) int {
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
func length(text []byte, pos int) (n, next int) {
	if pos < len(text) && text[pos] < 0x80 {
		return int(text[pos]), pos + 1
	}
	return longLength(text, pos)
}

func longLength(text []byte, pos int) (n, next int) {
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
