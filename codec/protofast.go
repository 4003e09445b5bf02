package codec

import (
	"encoding/binary"
	"math"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// fastReader reads bytes that are written as every encoder writes them, in one
// go. Whatever else it meets, unusual or wrong, it gives up without a word, and
// [mergeReader] begins again: only that one knows what a message means of which
// parts are repeated, and only that one makes errors.
type fastReader struct {
	data  []byte
	limit int // on messages
	merge int // see mergeable
	build value.Builder
	texts texts

	provider    string // see Options
	byteStrings Policy
}

// fastFrame is a container that is being read.
type fastFrame struct {
	key    string // of the container itself, if it is a member
	end    int    // of its message
	n      int    // children read
	used   int    // messages around its children, and theirs
	object bool
	isSig  bool // it has the signature key
}

// begin makes the zero reader ready for data.
func (r *fastReader) begin(data []byte, o *Options) {
	r.data, r.limit, r.merge = data, o.depth(), mergeableOf(len(data))
	r.provider, r.byteStrings = o.Provider, o.ByteStrings
	r.texts.begin(data)
}

// document reads a Struct, or a Value, that is the whole of data.
func (r *fastReader) document(isStruct bool) (v value.Value, ok bool) {
	if isStruct {
		return r.containers(0, fastFrame{end: len(r.data), used: 3, object: true})
	}
	if len(r.data) == 0 {
		return v, false
	}
	switch r.data[0] {
	case tagStruct, tagList:
		n, pos := length(r.data, 1)
		if n != len(r.data)-pos {
			return v, false
		}
		f := fastFrame{end: len(r.data), used: 4, object: true}
		if r.data[0] == tagList {
			f.used, f.object = 3, false
		}
		return r.containers(pos, f)
	}
	return r.scalar(0, len(r.data))
}

// containers reads a container and all that are in it.
func (r *fastReader) containers(pos int, top fastFrame) (v value.Value, ok bool) { //nolint:gocognit // one loop, whose state stays in registers
	data := r.data
	members, elems, ok := census(data, pos, top.used, r.limit, top.object)
	if !ok {
		return v, false
	}
	r.build.Reserve(members, elems)
	var room [16]fastFrame
	open := room[:0] // the containers around top
	n, limit, object := 0, top.end, top.object
	for {
		if pos == limit {
			if v, ok = r.close(&top, n); !ok || len(open) == 0 {
				return v, ok
			}
			key := top.key
			top = open[len(open)-1]
			open = open[:len(open)-1]
			n, limit, object = top.n, top.end, top.object
			r.put(object, key, v)
			continue
		}
		var end int
		var key string
		if object {
			var from, to int
			if from, to, pos, end = entry(data, pos, limit); end < 0 || !r.texts.valid(data, from, to) {
				return v, false
			}
			if key = r.texts.key(data, from, to); len(key) == len(SignatureKey) && key == SignatureKey {
				top.isSig = true
			}
		} else if pos, end = element(data, pos, limit); end < 0 {
			return v, false
		}
		n++
		c := data[pos]
		if c == tagStruct || c == tagList {
			top.n = n
			open = append(open, top)
			if top, pos = r.enter(key, pos, end, top.used); pos < 0 {
				return v, false
			}
			n, limit, object = 0, end, top.object
			continue
		}
		if s := pos + 2; c == tagString && s <= end && int(data[s-1]) == end-s && end-s != sentinelLength {
			v, ok = value.String(r.texts.own(data, s, end)), r.texts.valid(data, s, end)
		} else {
			v, ok = r.scalar(pos, end)
		}
		if !ok {
			return v, false
		}
		r.put(object, key, v)
		pos = end
	}
}

// put gives a child to the container around it.
func (r *fastReader) put(object bool, key string, v value.Value) {
	if object {
		r.build.PushMember(key, v)
	} else {
		r.build.Push(v)
	}
}

// enter returns the frame of the container that a Value holds, from pos to end, in
// a container whose children take so many messages; next is -1 for what is no usual
// one.
func (r *fastReader) enter(key string, pos, end, used int) (f fastFrame, next int) {
	f = fastFrame{key: key, end: end, used: used + 1, object: r.data[pos] == tagStruct}
	inner, next := length(r.data, pos+1)
	if inner != end-next || used > r.limit {
		return f, -1
	}
	if inner > 0 {
		f.used = used + jsonscan.Cost(f.object)
	}
	return f, next
}

// An entry that is shorter than 128 bytes, as most are, begins with four bytes of
// which two are known, and two are lengths.
const (
	shortEntry     = tagFields | tagKey<<16
	shortEntryMask = 0x80ff80ff
)

// entry reads an entry of a Struct: where its key is, and then up to the Value in
// it, which is from pos to end and not empty. End is -1 for what is no usual entry.
func entry(data []byte, pos, limit int) (key, keyEnd, from, end int) {
	if limit-pos < 6 {
		return 0, 0, 0, -1
	}
	if w := binary.LittleEndian.Uint32(data[pos:]); w&shortEntryMask == shortEntry {
		key, end = pos+4, pos+2+int(w>>8&0x7f)
		keyEnd = key + int(w>>24)
		from = keyEnd + 2
		if end > limit || from >= end || data[keyEnd] != tagValue || int(data[keyEnd+1]) != end-from {
			return 0, 0, 0, -1
		}
		return key, keyEnd, from, end
	}
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

// element reads an element of a ListValue up to the Value that it is, as entry
// does.
func element(data []byte, pos, limit int) (from, end int) {
	if data[pos] != tagValues {
		return 0, -1
	}
	n, from := length(data, pos+1)
	if end = from + n; n <= 0 || end > limit {
		return 0, -1
	}
	return from, end
}

// scalar reads a Value that is neither Struct nor ListValue.
func (r *fastReader) scalar(pos, end int) (v value.Value, ok bool) {
	c := r.data[pos]
	pos++
	switch c {
	case tagString:
		n, pos := length(r.data, pos)
		if n != end-pos {
			return v, false
		}
		s := r.texts.own(r.data, pos, end)
		if len(s) == sentinelLength {
			if hint, is := sentinelHint(s); is {
				return value.UnknownOf(hint), true
			}
		}
		return value.String(s), r.texts.valid(r.data, pos, end)
	case tagNumber:
		if end-pos != 8 {
			return v, false
		}
		return value.Number(math.Float64frombits(binary.LittleEndian.Uint64(r.data[pos:end]))), true
	case tagBool:
		if end-pos != 1 || r.data[pos] > 1 {
			return v, false
		}
		return value.Bool(r.data[pos] == 1), true
	case tagNull:
		return v, end-pos == 1 && r.data[pos] < 0x80
	}
	return v, false
}

// close makes the container that was read to its end, with n children, and of it
// what its signature says.
func (r *fastReader) close(f *fastFrame, n int) (v value.Value, ok bool) {
	if !f.object {
		return r.build.Array(n), f.used <= r.limit
	}
	v, _, _ = r.build.Object(n)
	if f.used > r.limit {
		return v, false
	}
	if !f.isSig {
		return v, true
	}
	s := signature{provider: r.provider, byteStrings: r.byteStrings, object: v}
	v, trouble := s.open()
	r.merge -= s.merged
	return v, trouble == nil && !s.hasPlaintext && r.merge >= 0
}
