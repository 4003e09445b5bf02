package codec

import (
	"math"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
)

// layout holds the offsets of all fields of bytes that are written as every encoder
// writes them: each entry a key and a value, each value one field. Containers are
// scanned breadth first: the contents of a container are skipped by their length, and
// scanned when its turn comes. The fields of one container are adjacent:
//
//	fields      a b c d | e f | g h i      the outermost, then those of b, then of f
//	containers  0: a-d    1: e-f, which is b    2: g-i, which is f
//
// It holds only offsets, so its memory may be reused: it keeps no message alive, and
// contains no text.
type layout struct {
	fields     []field
	containers []container
	members    int // among the fields
	high       int // bytes above 0x7f in lengths that were passed
}

// field is an entry of a Struct, or an element of a ListValue: the offsets of its key
// and of its Value. If the Value is a container, from is the index of that container,
// and end is 0.
type field struct{ key, keyEnd, from, end uint32 }

// container is a Struct or ListValue: the offsets of its contents, and once it was
// scanned the indexes of its fields.
type container struct {
	from, to uint32
	used     uint32 // messages around its children, and theirs
	object   bool
}

// A field takes about bytesPerField bytes; memory is allocated at once for that many
// fields, and spareFields more.
const (
	bytesPerField = 36
	spareFields   = 64
)

// A layout holds offsets of at most largestLayout bytes.
const largestLayout = math.MaxUint32

// run scans the container whose contents are all of data from pos on, with used
// messages around its fields. It returns false for bytes that are written otherwise, and
// for nesting beyond the limit.
func (s *layout) run(data []byte, pos, used, limit int, object bool) bool {
	if guess := min(len(data)/bytesPerField, keptFields); cap(s.fields) < guess {
		s.fields = make([]field, 0, guess+spareFields)
	}
	s.fields, s.members, s.high = s.fields[:0], 0, 0
	s.containers = append(s.containers[:0], container{from: uint32(pos), to: uint32(len(data)), used: uint32(used), object: object}) //nolint:gosec // below largestLayout
	//nolint:intrange // more are appended
	for i := 0; i < len(s.containers); i++ {
		g := s.containers[i]
		first := len(s.fields)
		if int(g.used) > limit {
			return false
		}
		if g.object {
			if !s.entries(data, g) {
				return false
			}
			s.members += len(s.fields) - first
		} else if !s.elements(data, g) {
			return false
		}
		s.containers[i].from, s.containers[i].to = uint32(first), uint32(len(s.fields)) //nolint:gosec // fewer than bytes
	}

	return true
}

// An entry that is shorter than 128 bytes, as most are, begins with four bytes of
// which two are known, and two are lengths.
const (
	shortEntry     = tagFields | tagKey<<16
	shortEntryMask = 0x80ff80ff
)

func (s *layout) entries(data []byte, g container) bool {
	fields := s.fields
	data = data[:g.to]
	for pos := int(g.from); pos < len(data); {
		if pos < 0 || pos > len(data)-6 {
			return false
		}

		var key, keyEnd, from, end int
		w := uint32(data[pos]) | uint32(data[pos+1])<<8 | uint32(data[pos+2])<<16 | uint32(data[pos+3])<<24 // one load
		if w&shortEntryMask == shortEntry {
			key, from, end = pos+4, pos+6+int(w>>24), pos+2+int(w>>8&0x7f)
			if keyEnd = from - 2; keyEnd < 4 || end > len(data) || from >= end || data[keyEnd] != tagValue || int(data[from-1]) != end-from {
				return false
			}
		} else {
			if key, keyEnd, from, end = longEntry(data, pos, len(data)); end < 0 {
				return false
			}
			s.high += key - pos + from - keyEnd - 6
		}
		pos = end

		if c := data[from]; c == tagStruct || c == tagList {
			if from, end = s.found(data, from, end, g.used), 0; from < 0 {
				return false
			}
		}
		fields = append(fields, field{uint32(key), uint32(keyEnd), uint32(from), uint32(end)}) //nolint:gosec // below largestLayout
	}
	s.fields = fields
	return true
}

// longEntry reads any entry of a Struct: where its key is, and the Value in it,
// which is not empty. End is -1 for an unusual entry.
func longEntry(data []byte, pos, limit int) (key, keyEnd, from, end int) {
	n, at := length(data, pos+1)
	if end = at + n; data[pos] != tagFields || n < 0 || end > limit || end-at < 4 || data[at] != tagKey {
		return 0, 0, 0, -1
	}

	k, key := length(data, at+1)
	if keyEnd = key + k; k < 0 || keyEnd+2 >= end || data[keyEnd] != tagValue {
		return 0, 0, 0, -1
	}
	if n, from = length(data, keyEnd+1); n != end-from || n == 0 {
		return 0, 0, 0, -1
	}
	return key, keyEnd, from, end
}

func (s *layout) elements(data []byte, g container) bool {
	fields, limit := s.fields, int(g.to)
	for pos := int(g.from); pos < limit; {
		if data[pos] != tagValues {
			return false
		}
		n, from := length(data, pos+1)
		end := from + n
		if n <= 0 || end > limit {
			return false
		}

		s.high += from - pos - 2
		pos = end
		if c := data[from]; c == tagStruct || c == tagList {
			if from, end = s.found(data, from, end, g.used), 0; from < 0 {
				return false
			}
		}
		fields = append(fields, field{from: uint32(from), end: uint32(end)}) //nolint:gosec // below largestLayout
	}
	s.fields = fields
	return true
}

// found adds the container that is the Value at data[from:end], in one with so many
// messages around its fields, and returns its index, which is -1 for an unusual one.
func (s *layout) found(data []byte, from, end int, used uint32) (index int) {
	inner, pos := length(data, from+1)
	if inner != end-pos {
		return -1
	}

	s.high += pos - from - 2
	object := data[from] == tagStruct
	if used++; inner > 0 {
		used += uint32(jsonscan.Cost(object)) - 1 //nolint:gosec // 2 or 3
	}
	s.containers = append(s.containers, container{uint32(pos), uint32(end), used, object}) //nolint:gosec // below largestLayout
	return len(s.containers) - 1
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

// textsAreUTF8 looks at each key and string by itself.
func (s *layout) textsAreUTF8(data []byte) bool {
	for _, c := range s.fields {
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
