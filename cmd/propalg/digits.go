package main

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// digitsMark begins a text that stands for a number. It is no UTF-8, so no text
// of a file begins with it.
const digitsMark = "\xff\xfe"

// withDigits is a value with a text of all its digits in place of every number
// that was rounded, marks aside: what compares it tells apart what the files do.
// Only what leads to such numbers is made anew, without recursion.
func withDigits(v value.Value, r *codec.Report) value.Value {
	if len(r.Rounded) == 0 {
		return v
	}
	root := &digits{}
	for _, each := range r.Rounded {
		at := root
		for step := range each.At.RevealPath().Steps() {
			at = at.enter(step)
		}
		text := each.RevealText()
		at.text = &text
	}
	list := []redone{{from: root, v: v}}
	for i := 0; i < len(list); i++ {
		for step, below := range list[i].from.below {
			if part, ok := partOf(list[i].v, step); ok {
				list = append(list, redone{from: below, v: part, up: i, step: step})
			}
		}
	}
	for i := len(list) - 1; i > 0; i-- {
		up := &list[list[i].up]
		if up.parts == nil {
			up.parts = map[path.Step]value.Value{}
		}
		up.parts[list[i].step] = list[i].whole()
	}
	return list[0].whole()
}

// digits are the rounded numbers at and below a place.
type digits struct {
	text  *string
	below map[path.Step]*digits
}

func (d *digits) enter(s path.Step) *digits {
	if d.below == nil {
		d.below = map[path.Step]*digits{}
	}
	if d.below[s] == nil {
		d.below[s] = &digits{}
	}
	return d.below[s]
}

// redone is a value that is made anew.
type redone struct {
	from  *digits
	v     value.Value
	up    int // the index of the one that it is in
	step  path.Step
	parts map[path.Step]value.Value // those that are made anew
}

// whole is the new value, when all parts are.
func (r *redone) whole() value.Value {
	v := r.v
	switch {
	case r.from.text != nil && v.Kind() == value.KindNumber:
		v = value.String(digitsMark + *r.from.text)
	case v.Kind() == value.KindObject && r.parts != nil:
		members := make([]value.Member, 0, v.Len())
		for key, part := range v.Members() {
			if made, ok := r.parts[path.Key(key)]; ok {
				part = made
			}
			members = append(members, value.Member{Key: key, Value: part})
		}
		v = value.Object(members...)
	case v.Kind() == value.KindArray && r.parts != nil:
		elems := make([]value.Value, 0, v.Len())
		for i, part := range v.Elems() {
			if made, ok := r.parts[path.Index(i)]; ok {
				part = made
			}
			elems = append(elems, part)
		}
		v = value.Array(elems...)
	default:
		return v
	}
	v = v.WithDependencies(slices.Collect(r.v.Dependencies())...)
	if r.v.OwnSecret() {
		v = value.Secret(v)
	}
	return v
}

// partOf is the member or element that a step leads to.
func partOf(v value.Value, s path.Step) (value.Value, bool) {
	if key, ok := s.Key(); ok {
		return v.Lookup(key)
	}
	if i, ok := s.Index(); ok && v.Kind() == value.KindArray && i < v.Len() {
		return v.Elem(i), true
	}
	return value.Value{}, false
}

// digitsOf are the digits that stand for a number, if they do.
func digitsOf(v value.Value) (text string, ok bool) {
	if text, ok = v.AsString(); !ok {
		return "", false
	}
	return strings.CutPrefix(text, digitsMark)
}
