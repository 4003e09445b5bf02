package codec

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/propalg/propalg/value"
)

// protoWriter writes a value that [measurer] has passed, from back to front, so
// that the length of a message is known when it is due. It does not recurse:
// containers stand on a stack.
type protoWriter struct {
	out   []byte // as long as it is going to be
	start int    // where the message begins
	pos   int    // where the part begins that was written
	odd   bool   // there may be strings that go as bytes
}

// unwritten is a container that is being written.
type unwritten struct {
	branch
	left  int    // children that are not yet written: the first ones
	inner int    // where the children end
	end   int    // where all of it ends
	key   string // of the container itself, if it is a member
}

func (w *protoWriter) run(v value.Value) {
	var room [depthOnStack]unwritten
	open := room[:0] // the containers around top
	var top unwritten
	w.pos = len(w.out)
	if !w.value(v, v.IsSecret(), &top) {
		return
	}
	for {
		if w.plainOnes(&top); top.left == 0 {
			w.close(&top)
			if len(open) == 0 {
				return
			}
			key, end := top.key, top.end
			top = open[len(open)-1]
			open = open[:len(open)-1]
			w.child(top.named(), key, end)
			continue
		}
		top.left--
		key, child := top.child(top.left)
		end := w.pos
		open = append(open, top)
		if w.value(child, child.OwnSecret(), &top) {
			top.key = key
			continue
		}
		top = open[len(open)-1]
		open = open[:len(open)-1]
		w.child(top.named(), key, end)
	}
}

// plainOnes writes the children that come next, from the last one on, and are
// scalars of the most usual kinds.
func (w *protoWriter) plainOnes(f *unwritten) {
	if f.isArchive() {
		return
	}
	children, named, left := f.children, f.named(), f.left
	for ; left > 0; left-- {
		key, child := children.At(left - 1)
		if child.OwnSecret() || child.HasDependencies() {
			break
		}
		end := w.pos
		if kind := child.Kind(); kind == value.KindString {
			if w.odd {
				break
			}
			s, _ := child.AsString()
			if named && len(key)+len(s) < 0x80-6 {
				w.shortEntry(key, s)
				continue
			}
			w.plain(s)
		} else if kind <= value.KindNumber {
			w.number(child)
		} else {
			break
		}
		w.child(named, key, end)
	}
	f.left = left
}

// shortEntry writes an entry with a text, where each length takes a byte.
func (w *protoWriter) shortEntry(key, text string) {
	k, n := len(key), len(text)
	w.pos -= k + n + 8
	b := w.out[w.pos : w.pos+k+n+8]
	binary.LittleEndian.PutUint32(b, tagFields|uint32(k+n+6)<<8|tagKey<<16|uint32(k)<<24) //nolint:gosec // lengths
	copy(b[4:], key)
	b = b[4+k:]
	binary.LittleEndian.PutUint32(b, tagValue|uint32(n+2)<<8|tagString<<16|uint32(n)<<24) //nolint:gosec // lengths
	copy(b[4:], text)
}

// value writes a value without its name, or opens a container, which it puts into
// top.
func (w *protoWriter) value(v value.Value, isSecret bool, top *unwritten) (opened bool) {
	end := w.pos
	if isBranch(v) {
		b := branchOf(v, isSecret)
		if b.isArchive() {
			w.hash(b.archive())
		}
		*top = unwritten{branch: b, left: b.len(), inner: w.pos, end: end}
		return true
	}
	if !v.HasDependencies() {
		w.leaf(v)
		if isSecret && v.Kind() != value.KindSealed {
			w.wrap(v, isSecret, end)
		}
	} else {
		if !v.IsUnknown() {
			w.leaf(v)
		}
		w.wrap(v, isSecret, end)
	}
	return false
}

// close writes what comes before the children of a container.
func (w *protoWriter) close(top *unwritten) {
	switch {
	case !top.named():
		w.message(tagList, top.inner)
	case !top.isArchive():
		w.message(tagStruct, top.inner)
	default:
		w.message(tagStruct, top.inner)
		w.entry("assets", top.inner)
		w.sign(sigArchive, top.end)
	}
	if top.isSecret || top.from.HasDependencies() {
		w.wrap(top.from, top.isSecret, top.end)
	}
}

// child makes what was written, down from end, a Value in the container around it.
func (w *protoWriter) child(named bool, key string, end int) {
	if named {
		w.entry(key, end)
	} else {
		w.head(tagValues, end)
	}
}

// wrap makes what was written, down from end, the contents of an object that
// holds the marks of v.
func (w *protoWriter) wrap(v value.Value, isSecret bool, end int) {
	sig := sigSecret
	switch {
	case v.HasDependencies():
		sig = sigOutput
		if !v.IsUnknown() {
			w.entry("value", end)
		}
		if isSecret {
			w.text(secretEntry)
		}
		w.dependencies(v)
	case isSecret:
		w.entry("value", end)
	default:
		return
	}
	w.sign(sig, end)
}

// dependencies writes the entry with the dependencies, for once from front to
// back.
func (w *protoWriter) dependencies(v value.Value) {
	end, n := w.pos, 0
	for urn := range v.Dependencies() {
		n += chunkSize(chunkSize(len(urn)))
	}
	w.pos -= n
	at := w.out[w.pos:w.pos]
	for urn := range v.Dependencies() {
		at = binary.AppendUvarint(append(at, tagValues), uint64(chunkSize(len(urn)))) //nolint:gosec // a length
		at = binary.AppendUvarint(append(at, tagString), uint64(len(urn)))
		at = append(at, urn...)
	}
	w.message(tagList, end)
	w.entry("dependencies", end)
}

// hash writes the last entry of a literal archive.
func (w *protoWriter) hash(a value.Archive) {
	if hash, ok := a.Hash(); ok {
		end := w.pos
		w.plain(hash)
		w.entry("hash", end)
	}
}

func (w *protoWriter) leaf(v value.Value) {
	switch v.Kind() {
	case value.KindNull, value.KindBool, value.KindNumber:
		w.number(v)
	case value.KindString:
		s, _ := v.AsString()
		w.string(s)
	case value.KindUnknown:
		hint, _ := v.Hint()
		w.plain(sentinel(hint))
	case value.KindAsset, value.KindArchive, value.KindResourceReference:
		s := signedBy(v)
		w.signed(&s)
	case value.KindArray, value.KindObject, value.KindSealed:
	}
}

// plain writes a Value that is a string.
func (w *protoWriter) plain(s string) {
	end := w.pos
	w.text(s)
	w.head(tagString, end)
}

// number writes a null, a boolean or a number.
func (w *protoWriter) number(v value.Value) {
	if f, ok := v.AsNumber(); ok {
		w.pos -= 9
		w.out[w.pos] = tagNumber
		binary.LittleEndian.PutUint64(w.out[w.pos+1:], math.Float64bits(f))
		return
	}
	switch b, ok := v.AsBool(); {
	case b:
		w.pair(tagBool, 1)
	case ok:
		w.pair(tagBool, 0)
	default:
		w.pair(tagNull, 0)
	}
}

// string writes a string of the user's, as a byte string if it has to be.
func (w *protoWriter) string(s string) {
	if !w.odd || !goesAsBytes(s) {
		w.plain(s)
		return
	}
	end := w.pos
	w.pos -= base64Size(s)
	var room [384]byte // a multiple of what base64 takes at once, so nothing is allocated
	for at := w.pos; s != ""; at += base64.StdEncoding.EncodedLen(len(room)) {
		n := copy(room[:], s)
		base64.StdEncoding.Encode(w.out[at:], room[:n])
		s = s[n:]
	}
	w.head(tagString, end)
	w.entry("value", end)
	w.sign(sigByteString, end)
}

func (w *protoWriter) signed(s *signed) {
	end := w.pos
	for i := s.n - 1; i >= 0; i-- {
		below := w.pos
		w.plain(s.fields[i].text)
		w.entry(s.fields[i].name, below)
	}
	w.sign(s.sig, end)
}

// sign makes what was written, down from end, the other entries of an object with
// a signature.
func (w *protoWriter) sign(sig string, end int) {
	w.text(sig)
	w.text(sigEntry)
	w.message(tagStruct, end)
}

// entry makes what was written, down from end, the Value of an entry.
func (w *protoWriter) entry(key string, end int) {
	k, n := len(key), end-w.pos
	if k+n >= 0x80-4 {
		w.head(tagValue, end)
		at := w.pos
		w.text(key)
		w.head(tagKey, at)
		w.head(tagFields, end)
		return
	}
	w.pos -= k + 6 // each length takes a byte
	b := w.out[w.pos : w.pos+k+6]
	b[k+5], b[k+4] = byte(n), tagValue
	copy(b[4:], key)
	binary.LittleEndian.PutUint32(b, tagFields|uint32(k+n+4)<<8|tagKey<<16|uint32(k)<<24) //nolint:gosec // lengths
}

// message makes what was written, down from end, a Struct or ListValue in a
// Value, but for the Struct that is all of it.
func (w *protoWriter) message(tag byte, end int) {
	if w.pos > w.start {
		w.head(tag, end)
	}
}

// head writes tag and length of what was written, down from end.
func (w *protoWriter) head(tag byte, end int) {
	n := end - w.pos
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

// pair writes two bytes.
func (w *protoWriter) pair(tag, b byte) {
	w.pos -= 2
	w.out[w.pos], w.out[w.pos+1] = tag, b
}

func (w *protoWriter) text(s string) {
	w.pos -= len(s)
	copy(w.out[w.pos:], s)
}
