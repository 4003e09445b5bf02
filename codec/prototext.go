package codec

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// texts are the keys and strings of a message that is being read. Those of a small
// message share one copy of its bytes. Those of a large one, where memory counts,
// are copied one by one, keys that come again only once.
type texts struct {
	whole string // the copy
	high  int    // where the next byte is that is not ASCII, seen from the last text

	chunk strings.Builder // where copies go, if there is no copy of all
	left  int             // bytes of the message that are not yet copied
	keys  []string        // by hash: of those with one, the last
}

const (
	largeMessage = 1 << 19
	textChunk    = 1 << 16
	keyHashBits  = 12
)

// begin makes the zero texts ready for those of data.
func (t *texts) begin(data []byte) {
	if t.high = -1; len(data) < largeMessage {
		t.whole = string(data)
		return
	}
	t.left, t.keys = len(data), make([]string, 1<<keyHashBits)
}

// own returns a text, which has to be that of a string.
func (t *texts) own(data []byte, from, to int) string {
	if t.keys == nil {
		return t.whole[from:to]
	}
	return t.copied(data[from:to])
}

// key returns a text that may be there already.
func (t *texts) key(data []byte, from, to int) string {
	if t.keys == nil {
		return t.whole[from:to]
	}
	return t.once(data[from:to])
}

// once returns a copy, the same as before if that can still be found.
func (t *texts) once(text []byte) string {
	place := &t.keys[keyHash(text)]
	if *place != string(text) {
		*place = t.copied(text)
	}
	return *place
}

// keyHash is made of the ends of a key and its length, where keys differ most.
func keyHash(key []byte) uint64 {
	n := len(key)
	h := uint64(n)
	switch {
	case n >= 8:
		h ^= binary.LittleEndian.Uint64(key)*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(key[n-8:])
	case n >= 4:
		h ^= uint64(binary.LittleEndian.Uint32(key))<<32 ^ uint64(binary.LittleEndian.Uint32(key[n-4:]))
	default:
		for _, c := range key {
			h = h<<8 ^ uint64(c)
		}
	}
	return h * 0x9e3779b97f4a7c15 >> (64 - keyHashBits)
}

// copied returns a copy. Short ones share memory, long ones have their own, so that
// little of it is left over.
func (t *texts) copied(text []byte) string {
	t.left -= len(text)
	if len(text) >= textChunk/16 {
		return string(text)
	}
	if t.chunk.Cap()-t.chunk.Len() < len(text) {
		t.chunk = strings.Builder{}
		t.chunk.Grow(min(textChunk, len(text)+max(0, t.left)))
	}
	from := t.chunk.Len()
	t.chunk.Write(text)
	return t.chunk.String()[from:]
}

// valid reports whether a text is UTF-8. Texts are asked for in their order.
func (t *texts) valid(data []byte, from, to int) bool {
	return to <= t.high || t.look(data, from, to)
}

// look is valid where not all is known to be ASCII: most is, and it is cheaper to
// look at many bytes at once than at each text by itself.
func (t *texts) look(data []byte, from, to int) bool {
	if from > t.high {
		if t.high = nextHigh(data, from); to <= t.high {
			return true
		}
	}
	return utf8.Valid(data[from:to])
}

// nextHigh returns where the first byte is that is not ASCII, or the end.
func nextHigh(data []byte, pos int) int {
	const high = 0x8080808080808080
	for ; pos+32 <= len(data); pos += 32 {
		d := data[pos : pos+32]
		if (binary.LittleEndian.Uint64(d)|binary.LittleEndian.Uint64(d[8:])|
			binary.LittleEndian.Uint64(d[16:])|binary.LittleEndian.Uint64(d[24:]))&high != 0 {
			break
		}
	}
	for ; pos+8 <= len(data); pos += 8 {
		if w := binary.LittleEndian.Uint64(data[pos:]) & high; w != 0 {
			return pos + bits.TrailingZeros64(w)/8
		}
	}
	for pos < len(data) && data[pos] < 0x80 {
		pos++
	}
	return pos
}
