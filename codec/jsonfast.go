package codec

import (
	"strings"
	"sync"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// fastJSON reads a text in two passes: the first marks where everything is and
// counts it, the second builds the value from the marks, in memory that it fills
// exactly. Whatever is wrong with a text, or has to be told of, it gives up
// without a word, and [jsonReader] begins again, which knows about places.
type fastJSON struct {
	text  string
	limit int // on messages
	merge int // see mergeable
	build value.Builder
	plain strings.Builder // room for all texts that have escapes

	provider    string // see Options
	byteStrings Policy
	layer       int  // see jsonReader
	isState     bool // the text is in state form
	exact       bool // numbers that no double holds are not to be read here
}

func newFastJSON(text string, o *Options) fastJSON {
	return fastJSON{
		text: text, limit: o.depth(), merge: mergeable(text), provider: o.Provider, byteStrings: o.ByteStrings,
		isState: o.Form == FormState, exact: o.Numbers == RejectInexact || o.Report != nil,
	}
}

// fastJSONFrame is a container that is being built.
type fastJSONFrame struct {
	key    string // of the container itself, if it is a member
	left   uint32 // children still to come
	n      uint32 // children in all
	used   int    // messages around its children, and theirs
	object bool
	isSig  bool // it has the signature key
}

// scratch is what reading and writing take, for one text or value after the other.
// Nothing of these is in it while it waits.
type scratch struct {
	tape   jsonscan.Tape
	writer jsonWriter
	wire   []byte // see [onceWriter]; all zero while it waits

	survey survey        // see [fastReader], as with the next two
	held   []value.Value // all zero while it waits, as is words
	words  []uint64
}

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package (TestLayers)

// largestTape is how many marks may wait for the next text.
const largestTape = 1 << 15

// read reads the whole text, inside of so many messages.
func (r *fastJSON) read(used int) (v value.Value, ok bool) {
	own, _ := scratches.Get().(*scratch)
	tape := &own.tape
	end, ok := tape.Scan(r.text, jsonscan.Space(r.text, 0), used, r.limit)
	if ok = ok && jsonscan.Space(r.text, end) == len(r.text); ok {
		r.build.Reserve(tape.Members, tape.Elems)
		r.plain.Grow(tape.Escaped)
		v, ok = r.values(tape.Marks, used)
	}
	if cap(tape.Marks) <= largestTape {
		scratches.Put(own)
	}
	return v, ok
}

// values builds the value that the marks are of.
func (r *fastJSON) values(marks []jsonscan.Mark, used int) (v value.Value, ok bool) { //nolint:gocognit // one loop, whose state stays in registers
	var room [16]fastJSONFrame
	open := room[:0] // the containers around top
	top := fastJSONFrame{used: used}
	key := ""
	for i := 0; ; {
		if top.object {
			key = r.string(marks[i])
			if i++; len(key) == len(SignatureKey) && key == SignatureKey {
				top.isSig = true
			}
		}
		m := marks[i]
		i++
		switch c := r.text[m.At]; c {
		case '"':
			s := r.string(m)
			v = value.String(s)
			if len(s) == sentinelLength {
				if hint, is := unknownIn(r.isState, s); is {
					v = value.UnknownOf(hint)
				}
			}
		case '{', '[':
			if object := c == '{'; m.End > 0 {
				open = append(open, top)
				top = fastJSONFrame{key: key, left: m.End, n: m.End, used: top.used + jsonscan.Cost(object), object: object}
				continue
			}
			if v = r.build.Array(0); c == '{' {
				v, _, _ = r.build.Object(0)
			}
		default:
			if v, ok = r.scalar(c, m); !ok {
				return v, false
			}
		}
		for {
			if len(open) == 0 {
				return v, true
			}
			if top.object {
				r.build.PushMember(key, v)
			} else {
				r.build.Push(v)
			}
			if top.left--; top.left > 0 {
				break
			}
			if v, ok = r.close(&top); !ok {
				return v, false
			}
			key = top.key
			top = open[len(open)-1]
			open = open[:len(open)-1]
		}
	}
}

// scalar reads a literal or a number.
func (r *fastJSON) scalar(c byte, m jsonscan.Mark) (v value.Value, ok bool) {
	switch c {
	case 't', 'f':
		return value.Bool(c == 't'), true
	case 'n':
		return v, true
	}
	f, held := jsonscan.Float(r.text[m.At:m.End])
	return value.Number(f), held || !r.exact
}

// string returns a text, or a name.
func (r *fastJSON) string(m jsonscan.Mark) string {
	end, plain := m.Text()
	if plain {
		return r.text[m.At+1 : end-1]
	}
	return jsonscan.UnquoteTo(&r.plain, r.text[m.At+1:end-1])
}

// close makes the container that was read to its end, and of it what its signature
// says.
func (r *fastJSON) close(f *fastJSONFrame) (v value.Value, ok bool) {
	if !f.object {
		return r.build.Array(int(f.n)), true
	}
	v, _, double := r.build.Object(int(f.n))
	if double || !f.isSig {
		return v, !double
	}
	s := signature{provider: r.provider, byteStrings: r.byteStrings, object: v, isText: true, isClear: r.layer > 0}
	v, trouble := s.open()
	if r.merge -= s.merged; trouble != nil || r.merge < 0 {
		return v, false
	}
	if !s.hasPlaintext {
		return v, true
	}
	if r.layer >= mostLayers {
		return v, false
	}
	inner := fastJSON{
		text: s.plaintext, limit: r.limit, merge: r.merge, provider: r.provider, byteStrings: r.byteStrings,
		layer: r.layer + 1, isState: true, exact: r.exact,
	}
	if v, ok = inner.read(f.used); !ok {
		return v, false
	}
	r.merge = inner.merge
	return value.Secret(v), true
}
