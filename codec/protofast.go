package codec

import (
	"math"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// fastReader reads bytes that are written as every encoder writes them, in one
// go. Whatever else it meets, unusual or wrong, it gives up without a word, and
// [mergeReader] begins again: only that one knows what a message means of which
// parts are repeated, and only that one makes errors.
type fastReader struct {
	text  string
	limit int // on messages
	merge int // see mergeable
	build value.Builder

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

func newFastReader(text string, o *Options) fastReader {
	return fastReader{text: text, limit: o.depth(), merge: mergeable(text), provider: o.Provider, byteStrings: o.ByteStrings}
}

// document reads a Struct, or a Value, that is the whole text.
func (r *fastReader) document(isStruct bool) (v value.Value, ok bool) {
	if isStruct {
		return r.containers(0, fastFrame{end: len(r.text), used: 3, object: true})
	}
	if r.text == "" {
		return v, false
	}
	switch r.text[0] {
	case tagStruct, tagList:
		n, pos := length(r.text, 1)
		if n != len(r.text)-pos {
			return v, false
		}
		f := fastFrame{end: len(r.text), used: 4, object: true}
		if r.text[0] == tagList {
			f.used, f.object = 3, false
		}
		return r.containers(pos, f)
	}
	return scalar(r.text, 0, len(r.text))
}

// containers reads a container and all that are in it.
func (r *fastReader) containers(pos int, top fastFrame) (v value.Value, ok bool) {
	text := r.text
	members, elems, ok := census(text, pos, top.used, r.limit)
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
			key, pos, end = entry(text, pos, limit)
			if len(key) == len(SignatureKey) && key == SignatureKey {
				top.isSig = true
			}
		} else {
			pos, end = element(text, pos, limit)
		}
		if end < 0 {
			return v, false
		}
		n++
		c := text[pos]
		if c == tagStruct || c == tagList {
			top.n = n
			open = append(open, top)
			if top, pos = r.enter(key, pos, end, top.used); pos < 0 {
				return v, false
			}
			n, limit, object = 0, end, top.object
			continue
		}
		if s := pos + 2; c == tagString && s <= end && int(text[s-1]) == end-s && end-s < sentinelLength {
			v, ok = value.String(text[s:end]), utf8.ValidString(text[s:end])
		} else {
			v, ok = scalar(text, pos, end)
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
	f = fastFrame{key: key, end: end, used: used + 1, object: r.text[pos] == tagStruct}
	inner, next := length(r.text, pos+1)
	if inner != end-next || used > r.limit {
		return f, -1
	}
	if inner > 0 {
		f.used = used + jsonscan.Cost(f.object)
	}
	return f, next
}

// entry reads an entry of a Struct up to the Value in it, which is from pos to
// end and not empty. End is -1 for what is no usual entry.
func entry(text string, pos, limit int) (key string, from, end int) {
	if limit-pos < 6 || text[pos] != tagFields {
		return "", 0, -1
	}
	if n, k := text[pos+1], text[pos+3]; n|k < 0x80 && text[pos+2] == tagKey { // as most are
		end, from = pos+2+int(n), pos+4+int(k)
		if end > limit || from+2 >= end || text[from] != tagValue || int(text[from+1]) != end-from-2 {
			return "", 0, -1
		}
		key = text[pos+4 : from]
		from += 2
	} else {
		n, at := length(text, pos+1)
		if end = at + n; n < 0 || end > limit || end-at < 4 || text[at] != tagKey {
			return "", 0, -1
		}
		k, at := length(text, at+1)
		if k < 0 || at+k+2 >= end || text[at+k] != tagValue {
			return "", 0, -1
		}
		key = text[at : at+k]
		if n, from = length(text, at+k+1); n != end-from || n == 0 {
			return "", 0, -1
		}
	}
	if !utf8.ValidString(key) {
		return "", 0, -1
	}
	return key, from, end
}

// element reads an element of a ListValue up to the Value that it is, as entry
// does.
func element(text string, pos, limit int) (from, end int) {
	if text[pos] != tagValues {
		return 0, -1
	}
	n, from := length(text, pos+1)
	if end = from + n; n <= 0 || end > limit {
		return 0, -1
	}
	return from, end
}

// scalar reads a Value that is neither Struct nor ListValue.
func scalar(text string, pos, end int) (v value.Value, ok bool) {
	c := text[pos]
	pos++
	switch c {
	case tagString:
		n, pos := length(text, pos)
		if n != end-pos {
			return v, false
		}
		s := text[pos:end]
		if len(s) == sentinelLength {
			if hint, is := sentinelHint(s); is {
				return value.UnknownOf(hint), true
			}
		}
		return value.String(s), utf8.ValidString(s)
	case tagNumber:
		if end-pos != 8 {
			return v, false
		}
		return value.Number(double(text, pos)), true
	case tagBool:
		if end-pos != 1 || text[pos] > 1 {
			return v, false
		}
		return value.Bool(text[pos] == 1), true
	case tagNull:
		return v, end-pos == 1 && text[pos] < 0x80
	}
	return v, false
}

// double reads a number of which all bytes are there.
func double(text string, pos int) float64 {
	b := text[pos : pos+8]
	return math.Float64frombits(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
}

// close makes the container that was read to its end, with n children, and of it what its
// signature says.
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
