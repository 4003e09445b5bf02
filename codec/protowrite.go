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
	open  stack[unwritten]
}

// unwritten is a container that is being written.
type unwritten struct {
	branch
	left  int // children that are not yet written: the first ones
	inner int // where the children end
	end   int // where all of it ends
}

func (w *protoWriter) run(v value.Value) {
	w.pos = len(w.out)
	w.value("", v, v.IsSecret())
	for w.open.n > 0 {
		top := w.open.top()
		if top.left == 0 {
			w.close()
			continue
		}
		top.left--
		key, child := top.child(top.left)
		w.value(key, child, child.OwnSecret())
	}
}

// value writes a value as child of the container on top of the stack, or opens a
// container.
func (w *protoWriter) value(key string, v value.Value, isSecret bool) {
	end := w.pos
	if isBranch(v) {
		b := branchOf(v, isSecret, key)
		if b.isArchive {
			w.hash(b.archive)
		}
		w.open.push(unwritten{branch: b, left: b.len(), inner: w.pos, end: end})
		return
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
	w.child(key, end)
}

// close writes what comes before the children of the container on top of the
// stack.
func (w *protoWriter) close() {
	top := w.open.top()
	switch {
	case !top.named():
		w.message(tagList, top.inner)
	case !top.isArchive:
		w.message(tagStruct, top.inner)
	default:
		w.message(tagStruct, top.inner)
		w.entry("assets", top.inner)
		w.sign(sigArchive, top.end)
	}
	w.wrap(top.from, top.isSecret, top.end)
	key, end := top.key, top.end
	w.open.pop()
	w.child(key, end)
}

// child makes what was written, down from end, a Value in the container on top
// of the stack.
func (w *protoWriter) child(key string, end int) {
	switch {
	case w.open.n == 0:
	case w.open.top().named():
		w.entry(key, end)
	default:
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
	case value.KindNull:
		w.byte(0)
		w.byte(tagNull)
	case value.KindBool:
		b, _ := v.AsBool()
		w.byte(0)
		if b {
			w.out[w.pos] = 1
		}
		w.byte(tagBool)
	case value.KindNumber:
		f, _ := v.AsNumber()
		w.pos -= 8
		binary.LittleEndian.PutUint64(w.out[w.pos:], math.Float64bits(f))
		w.byte(tagNumber)
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

// string writes a string of the user's, as a byte string if it has to be.
func (w *protoWriter) string(s string) {
	if !goesAsBytes(s) {
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
	w.head(tagValue, end)
	at := w.pos
	w.text(key)
	w.head(tagKey, at)
	w.head(tagFields, end)
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
	if n < 0x80 {
		w.pos -= 2
		w.out[w.pos+1] = byte(n)
	} else {
		w.pos -= 1 + uvarintSize(n)
		binary.PutUvarint(w.out[w.pos+1:], uint64(n)) //nolint:gosec // a length
	}
	w.out[w.pos] = tag
}

func (w *protoWriter) byte(b byte) {
	w.pos--
	w.out[w.pos] = b
}

func (w *protoWriter) text(s string) {
	w.pos -= len(s)
	copy(w.out[w.pos:], s)
}
