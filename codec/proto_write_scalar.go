package codec

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// scalar writes a value that is neither array nor object, with its marks.
func (w *protoWriter) scalar(v value.Value, isSecret bool) bool {
	end, outside := w.size(), w.used
	marked := v.HasDependencies() || (isSecret && v.Kind() != value.KindSealed)
	if marked {
		w.used += 3
	}
	if !w.need(0) {
		return false
	}
	if (!v.IsUnknown() || !v.HasDependencies()) && !w.leaf(v) {
		return false
	}

	w.used = outside
	return !marked || w.marks(v, isSecret, end)
}

// marks makes what was written since end the contents of an object that holds the
// marks of v, if it has any.
func (w *protoWriter) marks(v value.Value, isSecret bool, end int) bool {
	switch {
	case v.HasDependencies():
		if !v.IsUnknown() && !w.entry("value", end) {
			return false
		}
		if isSecret {
			w.text(secretEntry)
		}
		return w.dependencies(v) && w.sign(sigOutput, end)
	case isSecret:
		return w.entry("value", end) && w.sign(sigSecret, end)
	}

	return true
}

// dependencies writes the entry with the dependencies, for once from front to
// back.
func (w *protoWriter) dependencies(v value.Value) bool {
	if !w.need(5) {
		return false
	}
	n, ok := 0, true
	for urn := range v.Dependencies() {
		ok = ok && isUTF8(urn) && !isSentinel(urn)
		n += chunkSize(chunkSize(len(urn)))
	}
	if !ok {
		return false
	}

	end := w.size()
	w.room(n)
	w.pos -= n
	at := w.out[w.pos:w.pos]
	for urn := range v.Dependencies() {
		at = binary.AppendUvarint(append(at, tagValues), uint64(chunkSize(len(urn)))) //nolint:gosec // a length
		at = binary.AppendUvarint(append(at, tagString), uint64(len(urn)))
		at = append(at, urn...)
	}
	w.head(tagList, end)
	return w.entry("dependencies", end)
}

// sign makes what was written since end the other entries of an object with a
// signature.
func (w *protoWriter) sign(sig string, end int) bool {
	w.text(sig)
	w.text(sigEntry)
	w.head(tagStruct, end)
	return w.need(3)
}

// leaf writes a value without its marks.
func (w *protoWriter) leaf(v value.Value) bool {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		return w.string(s)
	case value.KindUnknown:
		hint, _ := v.Hint()
		return w.plain(sentinel(hint))
	case value.KindAsset, value.KindResourceReference:
		return w.signed(v)
	case value.KindArchive:
		if a, _ := v.AsArchive(); a.Source() == value.SourceLiteral {
			return w.literal(a)
		}
		return w.signed(v)
	case value.KindSealed:
		return false
	case value.KindNull, value.KindBool, value.KindNumber, value.KindArray, value.KindObject:
	}

	w.number(v)
	return true
}

// plain writes a Value that is a string.
func (w *protoWriter) plain(s string) bool {
	end := w.size()
	ok := w.text(s)
	w.head(tagString, end)
	return ok
}

// number writes a null, a boolean or a number.
func (w *protoWriter) number(v value.Value) {
	w.room(0)

	if f, ok := v.AsNumber(); ok {
		w.pos -= 9
		w.out[w.pos] = tagNumber
		binary.LittleEndian.PutUint64(w.out[w.pos+1:], math.Float64bits(f))
		return
	}
	b, ok := v.AsBool()
	switch {
	case b:
		w.pair(tagBool, 1)
	case ok:
		w.pair(tagBool, 0)
	default:
		w.pair(tagNull, 0)
	}
}

// string writes a string of the user's, as a byte string if it has to be.
func (w *protoWriter) string(s string) bool {
	if !goesAsBytes(s) {
		return w.plain(s)
	}
	if !w.byteStrings {
		return false
	}

	end, n := w.size(), base64.StdEncoding.EncodedLen(len(s))
	w.room(n)
	w.pos -= n
	var room [384]byte // a multiple of what base64 takes at once, so nothing is allocated
	for at := w.pos; s != ""; at += base64.StdEncoding.EncodedLen(len(room)) {
		n := copy(room[:], s)
		base64.StdEncoding.Encode(w.out[at:], room[:n])
		s = s[n:]
	}
	w.head(tagString, end)
	return w.entry("value", end) && w.sign(sigByteString, end)
}

// signed writes an object with a signature that has nothing but texts.
func (w *protoWriter) signed(v value.Value) bool {
	end, s := w.size(), signedBy(v)
	for i := s.n - 1; i >= 0; i-- {
		below := w.size()
		if isSentinel(s.fields[i].text) || !w.plain(s.fields[i].text) || !w.entry(s.fields[i].name, below) {
			return false
		}
	}

	return w.sign(s.sig, end)
}

// literal writes an archive with its entries.
func (w *protoWriter) literal(a value.Archive) bool {
	end, outside := w.size(), w.used
	if hash, ok := a.Hash(); ok && (isSentinel(hash) || !w.plain(hash) || !w.entry("hash", end)) {
		return false
	}

	entries := w.size()
	w.used += 3 + 1
	if a.Len() > 0 {
		w.used += jsonscan.Cost(true) - 1
	}
	if !w.need(0) {
		return false
	}
	for i := a.Len() - 1; i >= 0; i-- {
		key, entry := value.Internal.EntryAt(a, i)
		below := w.size()
		if !w.leaf(entry) || !w.child(true, key, below) {
			return false
		}
	}
	w.used = outside
	w.room(0)
	w.head(tagStruct, entries)
	return w.entry("assets", entries) && w.sign(sigArchive, end)
}
