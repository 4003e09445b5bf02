package codec

import (
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// mergeReader gives bytes that [checker] has passed the meaning that protobuf
// gives them. One message may stand in several parts, which are merged: the
// fields of one part go on where those of the part before ended. So a message is
// a list of spans here; of a Value counts the last field of its oneof and, if
// that is a message, what was merged into it since another field was last seen;
// of a Struct the last Entry for each key. What does not count is never looked
// into, and each field is looked at once.
type mergeReader struct {
	text string
	op   string
	doc  document
	open []mergeFrame
}

// span is a part of a message.
type span struct{ from, to int }

// parts are the spans of a message, of which most have one.
type parts struct {
	first span
	more  []span
	some  bool // there is one, which may be empty
}

func (p *parts) add(s span) {
	if !p.some {
		p.first, p.some = s, true
		return
	}
	p.more = append(p.more, s)
}

// reset forgets all parts.
func (p *parts) reset() { *p = parts{} }

// mergeFrame is a container that is being read.
type mergeFrame struct {
	members []mergeEntry // of a Struct: sorted by key, each key once
	left    parts        // of a ListValue: what is still to be read
	n       int          // children begun
	used    int          // messages around the container, and its own
	at      int          // offset
	object  bool
	class   class
	signed  bool
}

// mergeEntry is an entry of a Struct.
type mergeEntry struct {
	key   string
	value parts
	at    int
}

// oneof is what a Value holds.
type oneof struct {
	tag     int // of the field that counts, 0 for none
	at      int // offset of what it holds
	text    string
	message parts
}

// document reads the Struct or Value that is the whole text.
func (r *mergeReader) document(isStruct bool) (v value.Value, err error) {
	whole := parts{first: span{0, len(r.text)}, some: true}
	var done bool
	if isStruct {
		r.object(whole, 1, 0)
	} else if v, done, err = r.value(whole, 1, 0); err != nil || done {
		return v, err
	}
	for {
		top := &r.open[len(r.open)-1]
		one, at, there := r.child(top)
		if there {
			top.n++
			v, done, err = r.value(one, top.used+jsonscan.Cost(top.object)-1, at)
		} else {
			if v, err = r.close(top); err == nil && len(r.open) == 0 {
				return v, nil
			}
			done = true
		}
		switch {
		case err != nil:
			return value.Value{}, err
		case done:
			r.put(v)
		}
	}
}

// child returns the child that comes next.
func (r *mergeReader) child(f *mergeFrame) (one parts, at int, there bool) {
	if f.object {
		if f.n == len(f.members) {
			return one, 0, false
		}
		return f.members[f.n].value, f.members[f.n].at, true
	}
	for f.left.some {
		s := &f.left.first
		for s.from < s.to {
			number, wire, from, to := r.field(s)
			if number == 1 && wire == wireBytes {
				one.add(span{from, to})
				return one, from, true
			}
		}
		if len(f.left.more) == 0 {
			f.left.reset()
			break
		}
		f.left.first, f.left.more = f.left.more[0], f.left.more[1:]
	}
	return one, 0, false
}

// field takes the first field off a span, and returns its tag and where its
// content is.
func (r *mergeReader) field(s *span) (number uint64, wire, from, to int) {
	number, wire, from, _ = tag(r.text, s.from, maxFieldNumber)
	if wire == wireBytes {
		from, to, _ = chunk(r.text, from)
	} else {
		to, _ = skip(r.text, from, number, wire)
	}
	s.from = to
	return number, wire, from, to
}

// all calls a function for each field of a message that is in parts.
func (r *mergeReader) all(p parts, visit func(tag uint64, from, to int)) {
	if !p.some {
		return
	}
	for i := -1; i < len(p.more); i++ {
		s := p.first
		if i >= 0 {
			s = p.more[i]
		}
		for s.from < s.to {
			number, wire, from, to := r.field(&s)
			visit(number<<3|uint64(wire), from, to) //nolint:gosec // three bits
		}
	}
}

// oneof finds out what a Value holds.
func (r *mergeReader) oneof(p parts) (o oneof) {
	r.all(p, func(tag uint64, from, to int) {
		switch tag {
		case tagNull, tagNumber, tagString, tagBool:
			o = oneof{tag: int(tag), at: from, text: r.text[from:to]}
		case tagStruct, tagList:
			if o.tag != int(tag) {
				o = oneof{tag: int(tag), at: from}
			}
			o.message.add(span{from, to})
		}
	})
	return o
}

// value reads a Value that takes so many messages, with those around it: it
// returns a scalar and is done, or opens a container.
func (r *mergeReader) value(p parts, used, at int) (v value.Value, done bool, err error) {
	o := r.oneof(p)
	switch o.tag {
	case tagNull:
	case tagNumber:
		v = value.Number(double(o.text))
	case tagString:
		v = textOrUnknown(o.text)
	case tagBool:
		n, _, _ := uvarint(o.text, 0)
		v = value.Bool(n != 0)
	case tagStruct:
		r.object(o.message, used+1, o.at)
		return v, false, nil
	case tagList:
		r.open = append(r.open, mergeFrame{left: o.message, used: used + 1, at: o.at})
		return v, false, nil
	default:
		return v, false, r.fail(&Error{Offset: at, Want: "a kind of value", Found: "none", err: ErrKind}, len(r.open))
	}
	return v, true, nil
}

func textOrUnknown(s string) value.Value {
	if hint, ok := sentinelHint(s); ok {
		return value.UnknownOf(hint)
	}
	return value.String(s)
}

// object opens a Struct.
func (r *mergeReader) object(p parts, used, at int) {
	f := mergeFrame{used: used, at: at, object: true}
	compact := 64
	r.all(p, func(tag uint64, from, to int) {
		if tag != tagFields {
			return
		}
		e := mergeEntry{at: from}
		r.all(parts{first: span{from, to}, some: true}, func(tag uint64, from, to int) {
			switch tag {
			case tagKey:
				e.key = r.text[from:to]
			case tagValue:
				e.value.add(span{from, to})
			}
		})
		if f.members = append(f.members, e); len(f.members) >= compact {
			f.members = lastOfEach(f.members)
			compact = 2*len(f.members) + 64
		}
	})
	f.members = lastOfEach(f.members)
	f.class, f.signed = r.class(f.members)
	r.open = append(r.open, f)
}

// lastOfEach sorts entries by key, and keeps of each key the last.
func lastOfEach(es []mergeEntry) []mergeEntry {
	slices.SortStableFunc(es, func(a, b mergeEntry) int { return strings.Compare(a.key, b.key) })
	n := 0
	for i := range es {
		if i+1 < len(es) && es[i+1].key == es[i].key {
			continue
		}
		es[n] = es[i]
		n++
	}
	clear(es[n:])
	return es[:n]
}

// class says what the entries of a Struct make of it.
func (r *mergeReader) class(es []mergeEntry) (c class, signed bool) {
	look := func(key string) (o oneof, there bool) {
		i, there := slices.BinarySearchFunc(es, key, func(e mergeEntry, key string) int { return strings.Compare(e.key, key) })
		if there {
			o = r.oneof(es[i].value)
		}
		return o, there
	}
	sig, signed := look(SignatureKey)
	if !signed || sig.tag != tagString {
		return plain, signed
	}
	switch sig.text {
	case sigSecret:
		return secret, true
	case sigOutput:
		flag, _ := look("secret")
		if flag.tag != tagBool {
			return output, true
		}
		if n, _, _ := uvarint(flag.text, 0); n != 0 {
			return secret, true
		}
		return output, true
	}
	return plain, true
}

// put gives a value that was read to the container around it.
func (r *mergeReader) put(v value.Value) {
	if top := &r.open[len(r.open)-1]; top.object {
		r.doc.build.PushMember(top.members[top.n-1].key, v)
	} else {
		r.doc.build.Push(v)
	}
}

// close makes the container on top of the stack, and of it what its signature
// says.
func (r *mergeReader) close(f *mergeFrame) (v value.Value, err error) {
	if f.object {
		v, _, _ = r.doc.build.Object(f.n)
	} else {
		v = r.doc.build.Array(f.n)
	}
	if f.signed {
		if v, err = r.signature(f, v); err != nil {
			return v, err
		}
	}
	r.open = r.open[:len(r.open)-1]
	return v, nil
}

// signature makes what an object with a signature stands for.
func (r *mergeReader) signature(f *mergeFrame, v value.Value) (value.Value, error) {
	s := signature{provider: r.doc.opts.Provider, byteStrings: r.doc.opts.ByteStrings, object: v}
	out, t := s.open()
	around := len(r.open) - 1
	if t == nil {
		t = s.tooMany(&r.doc.merge, 0)
	}
	if t != nil {
		return out, r.fail(&Error{Offset: f.at, Want: t.want, Found: t.found, err: t.err}, around)
	}
	if !s.hasPlaintext {
		return out, nil
	}
	return r.doc.plaintext(r.op, s.plaintext, f.used+jsonscan.Cost(true)-1, f.at, r.spot(around))
}

// spot returns the place of the value that is being read in the innermost of the
// first n containers.
func (r *mergeReader) spot(n int) spot {
	var s spot
	for i := range r.open[:n] {
		if f := &r.open[i]; f.object {
			s = s.into(f.class, path.Key(f.members[f.n-1].key))
		} else {
			s = s.into(plain, path.Index(f.n-1))
		}
	}
	return s
}

func (r *mergeReader) fail(e *Error, n int) error { return failAt(r.op, e, r.spot(n)) }

// double reads a number, all of whose bytes are there.
func double(text string) float64 {
	b := text[:8]
	return math.Float64frombits(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
}
