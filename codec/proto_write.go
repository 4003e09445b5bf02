package codec

import (
	"encoding/binary"

	"github.com/propalg/propalg/value"
)

const opEncodeProto = "encode protobuf"

// Append appends the bytes of a google.protobuf.Struct to dst. They are those
// that protobuf-go writes with its option Deterministic, so that a value has one form.
// If the value is not an object (with marks or without), the error wraps [ErrKind]. It
// allocates only to grow dst, apart from pooled buffers. On an error, an [*Error] with one
// of the causes that the package comment lists, it returns dst, and has written neither
// to it nor to its spare capacity.
func Append(dst []byte, v value.Value, o Options) ([]byte, error) {
	return appendProto(dst, v, true, o)
}

// AppendValue appends the bytes of a google.protobuf.Value, for a value of any kind, as
// [Append] does for a bag.
func AppendValue(dst []byte, v value.Value, o Options) ([]byte, error) {
	return appendProto(dst, v, false, o)
}

func appendProto(dst []byte, v value.Value, isStruct bool, o Options) ([]byte, error) {
	low, err := ready(opEncodeProto, v, isStruct, &o)
	if err != nil {
		return dst, err
	}
	err = writeProto(opEncodeProto, low, isStruct, &o, func(message []byte) { dst = append(dst, message...) })
	return dst, err
}

// writeProto calls a function with the message of a value, in memory that is used again
// afterwards. It returns an error for a value that no message can hold.
func writeProto(op string, v value.Value, isStruct bool, o *Options, use func(message []byte)) error {
	own, _ := scratches.Get().(*scratch)
	w := protoWriter{out: own.wire, pos: len(own.wire), limit: o.depth(), used: 1, byteStrings: o.ByteStrings == Keep}
	if isStruct {
		w.used = 0
	}
	ok := w.value(v, v.IsSecret())
	if ok {
		from := w.pos
		if isStruct { // without tag and length
			_, n := binary.Uvarint(w.out[from+1:])
			from += 1 + n
		}
		use(w.out[from:])
	}

	clear(w.out[w.pos:]) // it may be secret
	if len(w.out) <= mostRoom {
		own.wire = w.out
	}
	scratches.Put(own)
	if !ok {
		return messageError(op, v, isStruct, o)
	}
	return nil
}

// messageError returns the error for a value that [protoWriter] cannot write. It writes
// the value as text: what can be a message can be text, and the other way round, but for
// numbers that are not finite.
func messageError(op string, v value.Value, isStruct bool, o *Options) error {
	w := jsonWriter{opts: *o, limit: o.depth(), used: 1, isMessage: true}
	if isStruct {
		w.used = 0
	}
	return w.fail(op, w.value(v, v.IsSecret()))
}

// protoWriter writes a value from back to front, so that the length of a message is
// known when it is written. It writes into pooled memory, from where the message is
// copied to the caller's. It knows whether a value can be written; if not,
// [messageError] finds out why.
type protoWriter struct {
	out         []byte
	pos         int // where the part begins that was written
	used        int // messages around what is written next, its own Value included
	limit       int // on these
	byteStrings bool
}

// How much room there is at first, and how much waits for the next message at most.
const (
	leastRoom = 1 << 14
	mostRoom  = 1 << 20
)

// headRoom leaves room for the tags and lengths around what was written.
const headRoom = 4 * (1 + binary.MaxVarintLen64)

func (w *protoWriter) room(n int) {
	if w.pos < n+headRoom {
		w.grow(n)
	}
}

func (w *protoWriter) grow(n int) {
	size := w.size()
	out := make([]byte, max(leastRoom, 2*(size+n+headRoom)))
	copy(out[len(out)-size:], w.out[w.pos:])
	clear(w.out[w.pos:])
	w.out, w.pos = out, len(out)-size
}

func (w *protoWriter) size() int { return len(w.out) - w.pos }

// value writes the Value that holds v. It reports whether v can be written.
func (w *protoWriter) value(v value.Value, isSecret bool) bool {
	if !v.Kind().IsContainer() {
		return w.scalar(v, isSecret)
	}
	children, named := v.Children(), v.Kind() == value.KindObject
	end, outside := w.size(), w.used
	if v.HasDependencies() {
		if !w.need(5) {
			return false
		}
		w.used += 3
	} else if isSecret {
		w.used += 3
	}

	w.used += containerCost(children.Len(), named)
	ok := w.need(0)
	for left := children.Len(); ok && left > 0; {
		if left, ok = w.plainOnes(children, named, left); ok && left > 0 {
			left--
			ok = w.childAt(children, named, left)
		}
	}
	if !ok {
		return false
	}

	w.used = outside
	w.room(0)
	if named {
		w.head(tagStruct, end)
	} else {
		w.head(tagList, end)
	}
	return w.marks(v, isSecret, end)
}

func (w *protoWriter) childAt(children value.Children, named bool, i int) bool {
	key, child := children.At(i)
	end := w.size()
	return w.value(child, child.OwnSecret()) && w.child(named, key, end)
}

// need reports whether the limit allows so many more messages.
func (w *protoWriter) need(messages int) bool { return w.used+messages <= w.limit }

// plainOnes writes the last of the first left children, as long as they are scalars of the
// most usual kinds, and returns how many are left.
func (w *protoWriter) plainOnes(children value.Children, named bool, left int) (int, bool) {
	for ; left > 0; left-- {
		key, child := children.At(left - 1)
		if child.OwnSecret() || child.HasDependencies() {
			break
		}
		end := w.size()
		kind := child.Kind()
		if kind == value.KindString { //nolint:gocritic // break leaves the loop
			s, _ := child.AsString()
			if len(s) == sentinelLength && isSentinel(s) {
				break
			}
			if named && len(key)+len(s) < 0x80-6 && len(key) != len(SignatureKey) {
				if !w.shortEntry(key, s) {
					break
				}
				continue
			}

			if !w.text(s) {
				clear(w.out[w.pos : w.pos+len(s)])
				w.pos += len(s)
				break
			}
			w.head(tagString, end)
		} else if kind <= value.KindNumber {
			w.number(child)
		} else {
			break
		}
		if !w.child(named, key, end) {
			return left, false
		}
	}

	return left, true
}

// shortEntry writes an entry with a text, where each length takes a byte. It writes
// nothing, and is false, unless both are UTF-8.
func (w *protoWriter) shortEntry(key, text string) bool {
	k, n := len(key), len(text)
	w.room(k + n + 8)
	pos := w.pos - (k + n + 8)
	b := w.out[pos : pos+k+n+8]
	binary.LittleEndian.PutUint32(b, tagFields|uint32(k+n+6)<<8|tagKey<<16|uint32(k)<<24) //nolint:gosec // lengths
	all := copyText(b[4:], key)
	b = b[4+k:]
	binary.LittleEndian.PutUint32(b, tagValue|uint32(n+2)<<8|tagString<<16|uint32(n)<<24) //nolint:gosec // lengths
	all |= copyText(b[4:], text)
	if all&highBits != 0 && (!isUTF8(key) || !isUTF8(text)) {
		clear(w.out[pos:w.pos])
		return false
	}

	w.pos = pos
	return true
}

// text writes a text; false if it is not UTF-8.
func (w *protoWriter) text(s string) bool {
	w.room(len(s))
	w.pos -= len(s)
	return copyText(w.out[w.pos:w.pos+len(s)], s)&highBits == 0 || isUTF8(s)
}

// child makes what was written since end a Value in the container around it.
func (w *protoWriter) child(named bool, key string, end int) bool {
	if named {
		return key != SignatureKey && w.entry(key, end)
	}
	w.head(tagValues, end)
	return true
}

// entry makes what was written since end the Value of an entry.
func (w *protoWriter) entry(key string, end int) bool {
	w.head(tagValue, end)
	below := w.size()
	if !w.text(key) {
		return false
	}

	w.head(tagKey, below)
	w.head(tagFields, end)
	return true
}

func (w *protoWriter) head(tag byte, end int) {
	n := w.size() - end
	switch {
	case n < 0x80:
		w.pos -= 2
		w.out[w.pos+1] = byte(n)
	case n < 0x80<<7:
		w.pos -= 3
		w.out[w.pos+2], w.out[w.pos+1] = byte(n>>7), byte(n|0x80) //nolint:gosec // the low bits
	default:
		w.pos -= 1 + uvarintSize(n)
		binary.PutUvarint(w.out[w.pos+1:], uint64(n)) //nolint:gosec // a length
	}

	w.out[w.pos] = tag
}

func (w *protoWriter) pair(tag, b byte) {
	w.pos -= 2
	w.out[w.pos], w.out[w.pos+1] = tag, b
}

// chunkSize returns the length of a field that holds n bytes and has a tag of
// one byte.
func chunkSize(n int) int {
	if n < 0x80 {
		return 2 + n
	}
	return 1 + uvarintSize(n) + n
}

// The entries that objects with a signature have, as bytes: the signature, but
// for its own text; and the mark of a secret output.
const (
	sigEntry    = "\x0a\x46\x0a\x20" + SignatureKey + "\x12\x22\x1a\x20"
	secretEntry = "\x0a\x0c\x0a\x06secret\x12\x02\x20\x01"
)
