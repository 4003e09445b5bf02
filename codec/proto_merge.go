package codec

// NOTE: Only messages whose parts come in several pieces are read here. What a repeated
// key means in all others is decided by package value (members.go): the last counts, as
// here.

import (
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/value"
)

// mergeReader gives bytes that [wireChecker] has passed the meaning that protobuf
// gives them. One message may come in several parts, which are merged: the
// fields of one part go on where those of the part before ended. So a message is
// a list of spans here; of a Value counts the last field of its oneof and, if
// that is a message, what was merged into it since another field was last seen;
// of a Struct the last Entry for each key. What does not count is never looked
// into, and each field is looked at once.
type mergeReader struct {
	document
	text string
}

type span struct{ from, to int }

type parts []span

type mergeEntry struct {
	key   string
	value parts
	at    int
}

type oneof struct {
	tag     int // of the field that counts, 0 for none
	at      int // offset of what it holds
	text    string
	message parts
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

func (r *mergeReader) all(p parts, visit func(tag uint64, from, to int)) {
	for _, s := range p {
		for s.from < s.to {
			number, wire, from, to := r.field(&s)
			visit(number<<3|uint64(wire), from, to) //nolint:gosec // three bits
		}
	}
}

func (r *mergeReader) oneof(p parts) (o oneof) {
	r.all(p, func(tag uint64, from, to int) {
		switch tag {
		case tagNull, tagNumber, tagString, tagBool:
			o = oneof{tag: int(tag), at: from, text: r.text[from:to]}
		case tagStruct, tagList:
			if o.tag != int(tag) {
				o = oneof{tag: int(tag), at: from}
			}
			o.message = append(o.message, span{from, to})
		}
	})
	return o
}

// value reads a Value that takes so many messages, with those around it.
func (r *mergeReader) value(p parts, used, at int) (v value.Value, err error) {
	o := r.oneof(p)
	switch o.tag {
	case tagNull:
		return v, nil
	case tagNumber:
		return value.Number(math.Float64frombits(scan.Word(o.text))), nil
	case tagString:
		return textOrUnknown(o.text), nil
	case tagBool:
		return value.Bool(o.isTrue()), nil
	case tagStruct:
		return r.object(o.message, used+1, o.at)
	case tagList:
		return r.array(o.message, used+1)
	}

	return v, r.fail(at, &trouble{err: ErrKind, want: "a kind of value", found: "none"})
}

// isTrue returns the bool of a oneof that is one.
func (o *oneof) isTrue() bool {
	n, _, _ := uvarint(o.text, 0)
	return o.tag == tagBool && n != 0
}

func (r *mergeReader) array(p parts, used int) (v value.Value, err error) {
	n := 0
	r.enter(frame{})
	r.all(p, func(tag uint64, from, to int) {
		if tag != tagValues || err != nil {
			return
		}
		v, err = r.value(parts{{from, to}}, used+jsonscan.Cost(false)-1, from)
		if err == nil {
			r.build.Push(v)
			n++
			r.at("", n)
		}
	})
	if err != nil {
		return v, err
	}

	r.leave()
	return r.build.Array(n), nil
}

// object reads a Struct, and of it what its signature says.
func (r *mergeReader) object(p parts, used, at int) (v value.Value, err error) {
	entries := r.entries(p)
	class, signed := r.class(entries)
	r.enter(frame{object: true, class: class})
	for _, e := range entries {
		r.at(e.key, 0)
		v, err = r.value(e.value, used+jsonscan.Cost(true)-1, e.at)
		if err != nil {
			return v, err
		}
		r.build.PushMember(e.key, v)
	}

	r.leave()
	v, _, _ = r.build.Object(len(entries))
	if signed {
		return r.signature(v, used, at)
	}
	return v, nil
}

// entries returns the entries of a Struct, sorted by key, of each key the last.
func (r *mergeReader) entries(p parts) (es []mergeEntry) {
	compact := 64
	r.all(p, func(tag uint64, from, to int) {
		if tag != tagFields {
			return
		}

		e := mergeEntry{at: from}
		r.all(parts{{from, to}}, func(tag uint64, from, to int) {
			switch tag {
			case tagKey:
				e.key = r.text[from:to]
			case tagValue:
				e.value = append(e.value, span{from, to})
			}
		})
		es = append(es, e)
		if len(es) >= compact {
			es = latestEntries(es)
			compact = 2*len(es) + 64
		}
	})
	return latestEntries(es)
}

// latestEntries sorts entries by key, and keeps of each key the last.
func latestEntries(es []mergeEntry) []mergeEntry {
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

	flag, _ := look("secret")
	return classOf(sig.text, flag.isTrue()), true
}
