package codec

import (
	"encoding/binary"

	"github.com/propalg/propalg/value"
)

// onceWriter writes a value that nobody has measured, from back to front, so that
// going through it once is enough: where the message begins is known when it is
// written. It writes into memory of its own, from where the message is copied to
// the end of what the caller has, so that nothing but the message is written there.
//
// It checks what it writes as [measurer] does, but knows nothing of errors: where
// there is one, and where room runs out, it gives up, and the value is measured.
type onceWriter struct {
	protoWriter
	check   measurer
	touched byte // of no meaning: it keeps what touch reads from being left out
}

// unwrittenOnce is a container that is being written. What it is itself is where
// the container around it has left off.
type unwrittenOnce struct {
	children value.Children
	left     int // children that are not yet written: the first ones
	end      int // where all of it ends
	named    bool
}

// How much room there is at first, and at most.
const (
	leastRoom = 1 << 14
	mostRoom  = 1 << 20
)

// Room for the tags and lengths around a child, and for what a mark takes but
// dependencies.
const (
	headRoom = 4 * (1 + binary.MaxVarintLen64)
	markRoom = 256
)

// roomFor is how long the memory of the next message is to be, after one of n bytes
// that it was not enough for.
func roomFor(n int) int { return max(leastRoom, min(mostRoom, 2*n+markRoom)) }

// appendOnce appends the message of a container, if everything of it is kept and it
// has nothing that is rare or wrong.
func appendOnce(dst []byte, v value.Value, isStruct bool, o *Options) (out []byte, ok bool) {
	const perLevel, inLeaf = 6, 16 // messages, at most
	if v.Depth() == 0 || v.Depth() > (o.depth()-inLeaf)/perLevel {
		return dst, false
	}
	own, _ := scratches.Get().(*scratch)
	if own.wire == nil {
		own.wire = make([]byte, leastRoom)
	}
	w := onceWriter{protoWriter: protoWriter{out: own.wire, pos: len(own.wire)}, check: measurer{bytes: o.ByteStrings, limit: o.depth()}}
	if ok = w.run(v); ok {
		from := w.pos
		if isStruct { // without tag and length
			_, n := binary.Uvarint(w.out[from+1:])
			from += 1 + n
		}
		dst = append(dst, w.out[from:]...)
	}
	clear(w.out[w.pos:]) // it may be secret
	scratches.Put(own)
	return dst, ok
}

// widen gives the next message more room, if one of n bytes might have been written
// with it.
func widen(n int) {
	if n > mostRoom-markRoom {
		return
	}
	own, _ := scratches.Get().(*scratch)
	if n > len(own.wire)-markRoom {
		own.wire = make([]byte, roomFor(n))
	}
	scratches.Put(own)
}

// run writes the Value that holds a container; false when it gave up.
func (w *onceWriter) run(v value.Value) bool {
	var room [depthOnStack]unwrittenOnce
	open := room[:0] // the containers around top
	top := unwrittenOnce{children: v.Children(), left: v.Len(), end: w.pos, named: v.Kind() == value.KindObject}
	w.touch(top.children)
	for w.plainOnes(&top) {
		if top.left > 0 {
			top.left--
			key, child := top.children.At(top.left)
			if kind := child.Kind(); kind == value.KindObject || kind == value.KindArray {
				open = append(open, top)
				top = unwrittenOnce{children: child.Children(), end: w.pos, named: kind == value.KindObject}
				top.left = top.children.Len()
				w.touch(top.children)
			} else if end := w.pos; !w.unusual(child) || !w.child(top.named, key, end) {
				return false
			}
			continue
		}
		if len(open) == 0 {
			return w.close(&top, v, v.IsSecret())
		}
		end, outer := top.end, &open[len(open)-1]
		key, child := outer.children.At(outer.left)
		if !w.close(&top, child, child.OwnSecret()) || !w.child(outer.named, key, end) {
			return false
		}
		top = *outer
		open = open[:len(open)-1]
	}
	return false
}

// plainOnes writes the children that come next, from the last one on, and are
// scalars of the most usual kinds.
func (w *onceWriter) plainOnes(f *unwrittenOnce) bool {
	children, named, left := f.children, f.named, f.left
	for ; left > 0; left-- {
		key, child := children.At(left - 1)
		if child.OwnSecret() || child.HasDependencies() {
			break
		}
		end := w.pos
		switch kind := child.Kind(); {
		case kind == value.KindString:
			s, _ := child.AsString()
			if len(s) == sentinelLength && isSentinel(s) {
				return false
			}
			if named && len(key)+len(s) < 0x80-6 && len(key) != len(SignatureKey) {
				if !w.short(key, s) {
					return false
				}
				continue
			}
			if !w.put(s) {
				return false
			}
			w.head(tagString, end)
		case kind > value.KindNumber:
			f.left = left
			return true
		case w.pos < headRoom:
			return false
		default:
			w.number(child)
		}
		if !w.child(named, key, end) {
			return false
		}
	}
	f.left = left
	return true
}

// short writes an entry with a text, where each length takes a byte.
func (w *onceWriter) short(key, text string) bool {
	k, n := len(key), len(text)
	pos := w.pos - (k + n + 8)
	if pos < headRoom {
		return false
	}
	w.pos = pos
	b := w.out[pos : pos+k+n+8]
	binary.LittleEndian.PutUint32(b, tagFields|uint32(k+n+6)<<8|tagKey<<16|uint32(k)<<24) //nolint:gosec // lengths
	all := copyText(b[4:], key)
	b = b[4+k:]
	binary.LittleEndian.PutUint32(b, tagValue|uint32(n+2)<<8|tagString<<16|uint32(n)<<24) //nolint:gosec // lengths
	all |= copyText(b[4:], text)
	return all&highBits == 0 || isUTF8(key) && isUTF8(text)
}

// put writes a text in UTF-8, before which there is room for what stands around it.
func (w *onceWriter) put(s string) bool {
	pos := w.pos - len(s)
	if pos < headRoom {
		return false
	}
	w.pos = pos
	return copyText(w.out[pos:pos+len(s)], s)&highBits == 0 || isUTF8(s)
}

// child makes what was written, down from end, a Value in the container around it.
func (w *onceWriter) child(named bool, key string, end int) bool {
	if !named {
		w.head(tagValues, end)
		return true
	}
	if key == SignatureKey {
		return false
	}
	w.head(tagValue, end)
	below := w.pos
	if !w.put(key) {
		return false
	}
	w.head(tagKey, below)
	w.head(tagFields, end)
	return true
}

// unusual writes a scalar of any kind, with its marks.
func (w *onceWriter) unusual(v value.Value) bool {
	var none measured
	if isBranch(v) { // a literal archive
		return false
	}
	n, _, err := w.check.value(v, v.OwnSecret(), &none)
	if err != nil || w.check.odd || w.pos < n+headRoom {
		return false
	}
	var never unwritten
	w.value(v, v.OwnSecret(), &never)
	return true
}

// close writes what comes before the children of a container, and its marks.
func (w *onceWriter) close(top *unwrittenOnce, from value.Value, isSecret bool) bool {
	if w.pos < headRoom {
		return false
	}
	if top.named {
		w.head(tagStruct, top.end)
	} else {
		w.head(tagList, top.end)
	}
	if !isSecret && !from.HasDependencies() {
		return true
	}
	deps, err := w.check.dependencies(from)
	if err != nil || w.pos < deps+markRoom {
		return false
	}
	w.wrap(from, isSecret, top.end)
	return w.pos > headRoom
}

// touch reads a little of the children that come first and of their texts. Nothing
// in its loops waits for what is read, so that the memory of all of them is under
// way at once, where writing one child waits for its memory before the next.
func (w *onceWriter) touch(c value.Children) {
	const most = 32 // children; those beyond are many enough to be foreseen by the processor
	n := c.Len()
	from, lengths := max(0, n-most), 0
	for i := from; i < n; i++ {
		key, _ := c.At(i)
		lengths += len(key)
	}
	all := byte(lengths) //nolint:gosec // any bits will do
	for i := from; i < n; i++ {
		key, v := c.At(i)
		if key != "" {
			all ^= key[0]
		}
		if s, _ := v.AsString(); s != "" {
			all ^= s[0]
		}
	}
	w.touched ^= all
}
