package schema

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// document reads the members of a schema's objects, and lists what is wrong. As in Go's
// package encoding/json, a null is the same as a missing member.
type document struct {
	at       []path.Step // where the reader is
	problems []Problem
	listed   int // bytes of their places
}

// wrong lists a problem at a place below the reader's.
func (d *document) wrong(reason string, below ...path.Step) {
	if d.listed > path.MaxListed {
		return
	}
	at := path.Of(d.at...).Append(below...)
	d.listed += at.Size() + len(reason)
	d.problems = append(d.problems, Problem{At: at, Reason: reason})
}

func (d *document) in(step path.Step, f func()) {
	d.at = append(d.at, step)
	f()
	d.at = d.at[:len(d.at)-1]
}

func (d *document) member(of value.Value, name string, kind value.Kind) value.Value {
	v := of.Field(name)
	if v.IsNull() || v.Kind() == kind {
		return v
	}
	d.wrong("expected "+kind.String()+", found "+v.Kind().String(), path.Key(name))
	return value.Null()
}

func (d *document) object(of value.Value, name string) value.Value {
	return d.member(of, name, value.KindObject)
}

func (d *document) text(of value.Value, name string) string {
	text, _ := d.member(of, name, value.KindString).AsString()
	return text
}

func (d *document) flag(of value.Value, name string) bool {
	set, _ := d.member(of, name, value.KindBool).AsBool()
	return set
}

func (d *document) texts(of value.Value, name string) []string {
	list := d.member(of, name, value.KindArray)
	if list.Len() == 0 {
		return nil
	}
	all := make([]string, list.Len())
	for i, elem := range list.Elems() {
		if elem.Kind() != value.KindString && !elem.IsNull() {
			d.wrong("expected string, found "+elem.Kind().String(), path.Key(name), path.Index(i))
		}
		all[i], _ = elem.AsString()
	}

	return all
}

// ignored checks the kinds of members that are not used here.
func (d *document) ignored(of value.Value, kind value.Kind, names ...string) {
	for _, name := range names {
		d.member(of, name, kind)
	}
}

// each runs f for each member of an object of objects.
func (d *document) each(of value.Value, name string, f func(key string, doc value.Value)) {
	members := d.object(of, name)

	d.in(path.Key(name), func() {
		for key := range members.Keys() {
			doc := d.object(members, key)
			d.in(path.Key(key), func() { f(key, doc) })
		}
	})
}

// eachElem runs f for each element of an array of objects.
func (d *document) eachElem(of value.Value, name string, f func(i int, doc value.Value)) {
	list := d.member(of, name, value.KindArray)

	d.in(path.Key(name), func() {
		for i, doc := range list.Elems() {
			d.in(path.Index(i), func() {
				if !doc.IsNull() && doc.Kind() != value.KindObject {
					d.wrong("expected object, found " + doc.Kind().String())
					doc = value.Null()
				}
				f(i, doc)
			})
		}
	})
}
