package rpc

import (
	"maps"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
)

// The slots of lists and maps. An empty one is absent.

type texts []string

func (*texts) wire() protowire.Type { return protowire.BytesType }
func (p *texts) isSet() bool        { return len(*p) > 0 }
func (p *texts) clear()             { *p = nil }

func (p *texts) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	var err error
	for i := range *p {
		if dst, err = (*text)(&(*p)[i]).appendProto(dst, n, c); err != nil {
			return dst, inField(err, element(i))
		}
	}
	return dst, nil
}

func (p *texts) takeProto(o occurrence, c call) error {
	if !utf8.Valid(o.data) {
		return inField(fail(codec.ErrUTF8, o.at), element(len(*p)))
	}
	*p = append(*p, c.text(o.data))
	return nil
}

func (p *texts) appendJSON(dst []byte, _ call) ([]byte, error) {
	return appendList(dst, len(*p), func(dst []byte, i int) ([]byte, error) {
		return appendQuoted(dst, (*p)[i])
	})
}

func (p *texts) takeJSON(r *reader, _ call) error {
	return r.array(func(int) error {
		s, err := r.str()
		*p = append(*p, s)
		return err
	})
}

// list is a list of messages.
type list[T any, P message[T]] struct{ p *[]T }

func listOf[T any, P message[T]](p *[]T) slot { return list[T, P]{p} }

func (list[T, P]) wire() protowire.Type { return protowire.BytesType }
func (s list[T, P]) isSet() bool        { return len(*s.p) > 0 }
func (s list[T, P]) clear()             { *s.p = nil }

func (s list[T, P]) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	var err error
	for i := range *s.p {
		if dst, err = appendMessage(dst, n, P(&(*s.p)[i]), c); err != nil {
			return dst, inField(err, element(i))
		}
	}
	return dst, nil
}

func (s list[T, P]) takeProto(o occurrence, c call) error {
	i := len(*s.p)
	if i == cap(*s.p) {
		// Elements take many times the memory of their bytes, so none is copied.
		*s.p = slices.Grow(*s.p, occurrences(o.from))
	}

	*s.p = append(*s.p, *new(T))
	if err := takeMessage(P(&(*s.p)[i]), o, c); err != nil {
		return inField(err, element(i))
	}
	return nil
}

func (s list[T, P]) appendJSON(dst []byte, c call) ([]byte, error) {
	return appendList(dst, len(*s.p), func(dst []byte, i int) ([]byte, error) {
		return appendMessageJSON(dst, P(&(*s.p)[i]), c)
	})
}

func (s list[T, P]) takeJSON(r *reader, c call) error {
	return r.array(func(i int) error {
		if i == cap(*s.p) {
			*s.p = slices.Grow(*s.p, r.elements(c))
		}
		*s.p = append(*s.p, *new(T))
		return takeMessageJSON(P(&(*s.p)[i]), r, c)
	})
}

// dictionary is a map from strings. An entry is a message with the key as field 1 and
// the value as field 2; both are always written. K makes the slot of a value.
type dictionary[V any, K valueKind[V]] struct{ p *map[string]V }

func textMapOf(p *map[string]string) slot { return dictionary[string, textValue]{p} }
func blobMapOf(p *map[string][]byte) slot { return dictionary[[]byte, blobValue]{p} }

func messageMapOf[T any, P message[T]](p *map[string]T) slot {
	return dictionary[T, innerValue[T, P]]{p}
}

func (dictionary[V, K]) wire() protowire.Type { return protowire.BytesType }
func (d dictionary[V, K]) isSet() bool        { return len(*d.p) > 0 }
func (d dictionary[V, K]) clear()             { *d.p = nil }

// names returns the keys, sorted.
func (d dictionary[V, K]) names() []string {
	names := slices.AppendSeq(make([]string, 0, len(*d.p)), maps.Keys(*d.p))
	slices.Sort(names)
	return names
}

func (d dictionary[V, K]) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	c, err := c.inside(-1)
	if err != nil {
		return dst, err
	}

	var (
		kind K
		key  text
		v    V
	)
	in := kind.of(&v)
	for _, name := range d.names() {
		key, v = text(name), (*d.p)[name]
		if dst, err = appendEntry(dst, n, &key, in, c); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func appendEntry(dst []byte, n protowire.Number, key *text, in slot, c call) ([]byte, error) {
	dst = append(protowire.AppendTag(dst, n, protowire.BytesType), 0)
	begin := len(dst)
	dst, err := key.appendProto(dst, 1, c)
	if err == nil {
		dst, err = in.appendProto(dst, 2, c)
	}
	if err != nil {
		return dst, inField(err, entry(string(*key)))
	}
	return closeDelimited(dst, begin), nil
}

func (d dictionary[V, K]) takeProto(o occurrence, c call) error {
	c, err := c.inside(o.at)
	if err != nil {
		return err
	}

	var (
		kind K
		key  text
		v    V
	)
	if err := takeEntry(o, &key, kind.of(&v), c); err != nil {
		return err
	}
	if *d.p == nil {
		*d.p = map[string]V{}
	}
	(*d.p)[string(key)] = v
	return nil
}

func takeEntry(o occurrence, key *text, in slot, c call) error {
	for at := 0; at < len(o.data); {
		number, typ, n := consumeTag(o.data[at:])
		if n < 0 {
			return malformed(o.at+at, "an entry")
		}
		at += n
		if number > 2 || typ != protowire.BytesType { // entries keep no unknown fields
			if n = protowire.ConsumeFieldValue(number, typ, o.data[at:]); n < 0 {
				return malformed(o.at+at, "an entry")
			}
			at += n
			continue
		}
		part, n := consume(typ, o.data[at:])
		if n < 0 {
			return malformed(o.at+at, "an entry")
		}
		at += n
		part.at = o.at + at - len(part.data)

		var err error
		if number == 1 {
			err = key.takeProto(part, c)
		} else {
			err = in.takeProto(part, c)
		}
		if err != nil {
			return inField(err, entry(string(*key)))
		}
	}
	return nil
}

func (d dictionary[V, K]) appendJSON(dst []byte, c call) ([]byte, error) {
	var kind K
	var err error

	dst = append(dst, '{')
	for i, name := range d.names() {
		if i > 0 {
			dst = append(dst, ',')
		}
		v := (*d.p)[name]
		if dst, err = appendQuoted(dst, name); err == nil {
			dst, err = kind.of(&v).appendJSON(append(dst, ':'), c)
		}
		if err != nil {
			return dst, inField(err, entry(name))
		}
	}
	return append(dst, '}'), nil
}

func (d dictionary[V, K]) takeJSON(r *reader, c call) error {
	var kind K
	read := map[string]V{}
	err := r.object(func(name string, at int) error {
		if _, ok := read[name]; ok {
			return inField(fail(codec.ErrDuplicate, at), entry(name))
		}

		var v V
		if err := kind.of(&v).takeJSON(r, c); err != nil {
			return inField(err, entry(name))
		}
		read[name] = v
		return nil
	})
	if len(read) > 0 {
		*d.p = read
	}
	return err
}
