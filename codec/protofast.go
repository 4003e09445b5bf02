package codec

import (
	"encoding/binary"
	"math"

	"github.com/propalg/propalg/internal/keysort"
	"github.com/propalg/propalg/value"
)

// fastReader reads bytes that are written as every encoder writes them. Whatever
// else it meets, unusual or wrong, it gives up without a word, and [mergeReader]
// begins again: only that one knows what a message means of which parts are repeated,
// and only that one makes errors.
//
// It makes containers of what a [survey] has found, from the last one on, so that those
// in a container are there before it is made, that nothing has to wait but them, and
// that each member is written once, to where it stays.
type fastReader struct {
	data  []byte
	limit int // on messages
	merge int // see mergeable
	build value.Builder
	texts texts

	provider    string // see Options
	byteStrings Policy
}

// How many containers, and members of one container, need no allocation.
const (
	heldOnStack  = 16
	wordsOnStack = 32
)

// begin makes the zero reader ready for data.
func (r *fastReader) begin(data []byte, o *Options) {
	r.data, r.limit, r.merge = data, o.depth(), mergeableOf(len(data))
	r.provider, r.byteStrings = o.Provider, o.ByteStrings
}

// document reads a Struct, or a Value, that is the whole of data.
func (r *fastReader) document(isStruct bool) (v value.Value, ok bool) {
	if uint64(len(r.data)) > mostSurveyed {
		return v, false
	}
	if isStruct {
		return r.surveyed(0, 3, true)
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
		if r.data[0] == tagList {
			return r.surveyed(pos, 3, false)
		}
		return r.surveyed(pos, 4, true)
	}
	r.texts.begin(r.data)
	return r.scalar(0, len(r.data))
}

// surveyed reads the container that takes all that data has from pos on.
func (r *fastReader) surveyed(pos, used int, object bool) (v value.Value, ok bool) {
	own, _ := scratches.Get().(*scratch)
	s := &own.survey
	if ok = s.run(r.data, pos, used, r.limit, object); ok {
		r.texts.begin(r.data)
		r.build.Reserve(s.members, len(s.spots)-s.members)
		v, ok = r.containers(s)
	}
	if cap(s.spots) <= largestSurvey {
		scratches.Put(own)
	}
	return v, ok
}

// largestSurvey is how many spots may wait for the next message.
const largestSurvey = 1 << 17

// containers makes all containers, and returns the outermost.
func (r *fastReader) containers(s *survey) (v value.Value, ok bool) {
	var heldRoom [heldOnStack]value.Value
	var wordRoom [wordsOnStack]uint64
	held, words := heldRoom[:], wordRoom[:]
	if n := len(s.regions); n > len(held) {
		held = make([]value.Value, n)
	}
	for i := len(s.regions) - 1; i >= 0; i-- {
		g := s.regions[i]
		spots := s.spots[g.from:g.to]
		if !g.object {
			v, ok = r.array(spots, held)
		} else {
			if n := len(spots); n > len(words) {
				words = make([]uint64, max(n, 2*len(words)))
			}
			v, ok = r.object(spots, held, words[:len(spots)])
		}
		if !ok {
			return v, false
		}
		held[i] = v
	}
	return v, true
}

// array makes an array; held has the containers in it.
func (r *fastReader) array(spots []child, held []value.Value) (v value.Value, ok bool) {
	for _, c := range spots {
		if c.end == 0 {
			v = held[c.from]
		} else if v, ok = r.scalar(int(c.from), int(c.end)); !ok {
			return v, false
		}
		r.build.Push(v)
	}
	return r.build.Array(len(spots)), true
}

// object makes an object, or what one stands for; held has the containers in it.
func (r *fastReader) object(spots []child, held []value.Value, words []uint64) (v value.Value, ok bool) {
	data, isSig := r.data, false
	low, high := inKeyOrder(data, spots, words)
	for _, w := range words {
		c := &spots[w&low]
		key := r.texts.key(data, int(c.key), int(c.keyEnd))
		if n := len(key); n > 8 || high {
			if !isUTF8(key) {
				return v, false
			}
			isSig = isSig || n == len(SignatureKey) && key == SignatureKey
		}
		if from, end := int(c.from), int(c.end); end == 0 {
			v = held[from]
		} else if s := from + 2; data[from] == tagString && s <= end && int(data[s-1]) == end-s && end-s != sentinelLength {
			text := r.texts.own(data, s, end)
			if !isUTF8(text) {
				return v, false
			}
			v = value.String(text)
		} else if v, ok = r.scalar(from, end); !ok {
			return v, false
		}
		r.build.PushMember(key, v)
	}
	if v, _, _ = r.build.Object(len(words)); isSig {
		return r.open(v)
	}
	return v, true
}

// inKeyOrder makes words of which the bits of low are the spots in the order of their
// keys; those with one key in the order in which they stand. It also reports
// whether the first eight bytes of any key have one that is not ASCII; if so, it may
// be any byte.
func inKeyOrder(data []byte, spots []child, words []uint64) (low uint64, high bool) {
	const few = 24
	words = words[:len(spots)]
	low = keysort.Low(len(spots))
	all, tied := uint64(0), len(spots) > few
	for i := range spots {
		p := keyPrefix(data, int(spots[i].key), int(spots[i].keyEnd))
		all |= p
		w, j := p&^low|uint64(i), i //nolint:gosec // a place
		if len(spots) <= few {
			for ; j > 0 && words[j-1] > w; j-- {
				words[j] = words[j-1]
			}
			tied = tied || j > 0 && (words[j-1]^w)&^low == 0
		}
		words[j] = w
	}
	if tied {
		if len(spots) > few {
			keysort.Sort(words)
		}
		keysort.Ties(words, low, func(i int) []byte { return data[spots[i].key:spots[i].keyEnd] })
	}
	return low, all&highBits != 0
}

// keyPrefix is [keysort.Prefix] of a key in data, most of which have eight bytes or
// more behind where they begin.
func keyPrefix(data []byte, key, end int) uint64 {
	if key+8 > len(data) {
		return keysort.Prefix(data[key:end])
	}
	p := binary.BigEndian.Uint64(data[key:])
	if n := end - key; n < 8 {
		p &^= math.MaxUint64 >> (8 * uint(n)) //nolint:gosec // not negative
	}
	return p
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
		return value.String(s), isUTF8(s)
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

// open returns what an object with the signature key stands for.
func (r *fastReader) open(object value.Value) (v value.Value, ok bool) {
	s := signature{provider: r.provider, byteStrings: r.byteStrings, object: object}
	v, trouble := s.open()
	r.merge -= s.merged
	return v, trouble == nil && !s.hasPlaintext && r.merge >= 0
}
