package main

import (
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
func withDigits(v value.Value, r *codec.Report) value.Value {
	texts := map[path.Path]string{}

	var rounded []path.Pattern

	for _, each := range r.Rounded {
		at := each.At.RevealPath()
		texts[at] = each.RevealText()
		rounded = append(rounded, at.Pattern())
	}

	made, err := value.Update(v, path.NewSet(rounded...), func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() != value.KindNumber {
			return c.Value(), nil
		}

		return value.String(digitsMark + texts[c.Path()]), nil
	})
	if err != nil {
		return v // a text in place of a number is always possible
	}

	return made
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
