package main

import (
	"math"
	"strings"
	"unicode"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// mostExact is the largest number up to which all whole numbers are doubles.
const mostExact = 1 << 53

// tame makes of a generated value one that programs may have: texts are printable, numbers have
// an integer or a short fraction, and assets are texts, so that nothing is downloaded or read.
func tame(v value.Value) value.Value {
	return tamed(v).WithMarksOf(v)
}

func tamed(v value.Value) value.Value {
	if text, ok := v.AsString(); ok {
		return value.String(tameText(text))
	}
	if n, ok := v.AsNumber(); ok {
		return value.Number(tameNumber(n))
	}
	switch v.Kind() { //nolint:exhaustive // the others stay
	case value.KindAsset:
		a, _ := v.AsAsset()
		text, _ := a.Text()
		return value.TextAsset(tameText(text))
	case value.KindArchive:
		a, err := value.LiteralArchive(value.Field("a.txt", value.TextAsset("x")))
		if err == nil {
			return a
		}
	case value.KindArray:
		var all []value.Value
		for _, e := range v.Elems() {
			all = append(all, tame(e))
		}
		return value.Array(all...)
	case value.KindObject:
		all := map[string]value.Value{}
		for k, m := range v.Members() {
			if k = tameText(k); k != "" {
				all[k] = tame(m)
			}
		}
		return value.ObjectFromMap(all)
	}
	return v
}

func tameText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if _, err := codec.Append(nil, value.Object(value.Field("x", value.String(text))), codec.Options{}); err != nil {
		return "x" // reserved for an unknown
	}
	return text
}

func tameNumber(n float64) float64 {
	if math.IsNaN(n) || math.Abs(n) > mostExact {
		return mostExact
	}
	const thousandths = 1000
	return math.Trunc(n*thousandths) / thousandths
}
