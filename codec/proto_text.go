package codec

import (
	"encoding/binary"
	"strings"

	"github.com/propalg/propalg/internal/given"
)

// texts are the keys and strings of a message that is being read. Those of a message
// that was given away are parts of it. Those of a small one share one copy of its
// bytes. Those of a large one, where memory counts, are copied one by one, keys that
// come again only once.
type texts struct {
	given bool   // see Options.OwnBytes
	whole string // the message, or a copy

	chunk strings.Builder // where short texts are copied to, if whole is not used
	left  int             // bytes of the message that are not yet copied
	keys  []string        // by hash: of those with one, the last
}

const (
	largeMessage = 1 << 19
	textChunk    = 1 << 16
	keyHashBits  = 12
)

func (t *texts) begin(data []byte) {
	if t.given || len(data) < largeMessage {
		t.whole = t.all(data)
		return
	}
	t.left, t.keys = len(data), make([]string, 1<<keyHashBits)
}

func (t *texts) all(data []byte) string {
	if t.given {
		return given.Alias(data)
	}
	return string(data)
}

// own returns a text, which has to be that of a string.
func (t *texts) own(data []byte, from, to int) string {
	if t.keys == nil {
		return t.whole[from:to]
	}
	return t.copied(data[from:to])
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
