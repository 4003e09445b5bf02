package codec

import (
	"math"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
)

// survey is where everything is in bytes that are written as every encoder writes
// them: each entry a key and a value, each value one field. Containers are gone
// through one after the other, those that were found first first, so that nothing has
// to stand on a stack: what is in a container is passed by its length, and looked at
// when its turn comes. The children of one container are neighbours:
//
//	spots    a b c d | e f | g h i        the outermost, then what is in b, then in f
//	regions  0: a-d    1: e-f, which is b    2: g-i, which is f
//
// It holds offsets and nothing else, so that memory for it may be kept: it keeps
// nothing alive, and has no part of any text.
type survey struct {
	spots   []child
	regions []region
	members int // among the spots
	high    int // bytes above 0x7f in lengths that were passed
}

// child is an entry of a Struct, or an element of a ListValue: where the bytes of its
// key are, and those of its Value. Of a container there is, in place of the latter, the
// number of its region, and an end of 0.
type child struct{ key, keyEnd, from, end uint32 }

// region is a container: the bytes that its children take, and once it was gone
// through, their spots.
type region struct {
	from, to uint32
	used     uint32 // messages around its children, and theirs
	object   bool
}

// A child takes about so many bytes. Room is made at once for that many children, and a
// few more. Where children are very many and take less than the least, most of them
// containers, spots and regions would take many times the memory of the message:
// [mergeReader], which takes less, reads these.
const (
	bytesASpot = 36
	leastASpot = 8 // in lists of two numbers a child takes more
	leastSpots = 64
)

// mostSurveyed is how many bytes a survey can be of.
const mostSurveyed = math.MaxUint32

// run goes through the container whose children take all that data has from pos on,
// and so many messages. It is false for bytes that are written otherwise, for what is
// nested beyond the limit, and for very many very small containers.
func (s *survey) run(data []byte, pos, used, limit int, object bool) bool {
	if guess := min(len(data)/bytesASpot, largestSurvey); cap(s.spots) < guess {
		s.spots = make([]child, 0, guess+leastSpots)
	}
	s.spots, s.members, s.high = s.spots[:0], 0, 0
	s.regions = append(s.regions[:0], region{from: uint32(pos), to: uint32(len(data)), used: uint32(used), object: object}) //nolint:gosec // below mostSurveyed
	most := max(2*largestSurvey, len(data)/leastASpot)
	//nolint:intrange // there come more
	for i := 0; i < len(s.regions); i++ {
		g := s.regions[i]
		first := len(s.spots)
		if int(g.used) > limit || first > most {
			return false
		}
		if g.object {
			if !s.entries(data, g) {
				return false
			}
			s.members += len(s.spots) - first
		} else if !s.elements(data, g) {
			return false
		}
		s.regions[i].from, s.regions[i].to = uint32(first), uint32(len(s.spots)) //nolint:gosec // fewer than bytes
	}
	return true
}

// An entry that is shorter than 128 bytes, as most are, begins with four bytes of
// which two are known, and two are lengths.
const (
	shortEntry     = tagFields | tagKey<<16
	shortEntryMask = 0x80ff80ff
)

// entries finds the entries of a Struct.
func (s *survey) entries(data []byte, g region) bool {
	spots := s.spots
	data = data[:g.to]
	for pos := int(g.from); pos < len(data); {
		if pos < 0 || pos > len(data)-6 {
			return false
		}
		var c byte
		at := child{}
		w := uint32(data[pos]) | uint32(data[pos+1])<<8 | uint32(data[pos+2])<<16 | uint32(data[pos+3])<<24 // one load
		if w&shortEntryMask == shortEntry {
			from, end := pos+6+int(w>>24), pos+2+int(w>>8&0x7f)
			if from < 6 || end > len(data) || from >= end || data[from-2] != tagValue || int(data[from-1]) != end-from {
				return false
			}
			c = data[from]
			at = child{uint32(pos + 4), uint32(from - 2), uint32(from), uint32(end)} //nolint:gosec // below mostSurveyed
			pos = end
		} else {
			key, keyEnd, from, end := longEntry(data, pos, len(data))
			if end < 0 {
				return false
			}
			s.high += key - pos + from - keyEnd - 6
			c = data[from]
			at = child{uint32(key), uint32(keyEnd), uint32(from), uint32(end)} //nolint:gosec // below mostSurveyed
			pos = end
		}
		if c == tagStruct || c == tagList {
			if !s.found(data, &at, g.used) {
				return false
			}
		}
		spots = append(spots, at)
	}
	s.spots = spots
	return true
}

// longEntry reads any entry of a Struct: where its key is, and the Value in it,
// which is not empty. End is -1 for what is no usual entry.
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

// elements finds the elements of a ListValue.
func (s *survey) elements(data []byte, g region) bool {
	spots, limit := s.spots, int(g.to)
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
		at := child{from: uint32(from), end: uint32(end)} //nolint:gosec // below mostSurveyed
		if c := data[from]; c == tagStruct || c == tagList {
			if !s.found(data, &at, g.used) {
				return false
			}
		}
		spots = append(spots, at)
	}
	s.spots = spots
	return true
}

// found notes the container at a Value, in one whose children take so many messages;
// false for what is no usual one.
func (s *survey) found(data []byte, at *child, used uint32) bool {
	inner, from := length(data, int(at.from)+1)
	if inner != int(at.end)-from {
		return false
	}
	s.high += from - int(at.from) - 2
	object := data[at.from] == tagStruct
	if used++; inner > 0 {
		used += uint32(jsonscan.Cost(object)) - 1 //nolint:gosec // 2 or 3
	}
	at.from, at.end = uint32(len(s.regions)), 0                                             //nolint:gosec // fewer than bytes
	s.regions = append(s.regions, region{uint32(from), uint32(from + inner), used, object}) //nolint:gosec // below mostSurveyed
	return true
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
