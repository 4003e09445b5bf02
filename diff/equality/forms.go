package equality

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// FoldCase is a [Rule].Form for texts that are equal whatever the case of their letters,
// as for [strings.EqualFold]. In JSON it does so for names and strings, before a rule with
// [JSONText] at the same place or after it. Put that rule first if letters may be escaped,
// as in "\u0041".
func FoldCase(v value.Value) value.Value { return ofText(v, folded) }

// TrimSpace is a [Rule].Form for texts whose white space at either end does not count, as
// for [strings.TrimSpace].
func TrimSpace(v value.Value) value.Value { return ofText(v, strings.TrimSpace) }

// BoolText is a [Rule].Form for bools that may be written as the text true or false, in
// any case.
func BoolText(v value.Value) value.Value {
	s, _ := v.AsString()
	switch {
	case strings.EqualFold(s, "true"):
		return value.Bool(true).WithMarksOf(v)
	case strings.EqualFold(s, "false"):
		return value.Bool(false).WithMarksOf(v)
	}

	return v
}

// NumberText is a [Rule].Form for numbers that may be written as a text with a number as
// JSON has it: "1", "1.0" and "10e-1" are 1. Texts are compared as exact decimals of any
// size. A number is compared as the shortest decimal that reads back as that number.
func NumberText(v value.Value) value.Value {
	if f, ok := v.AsNumber(); ok && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return value.String(decimal(strconv.FormatFloat(f, 'e', -1, 64))).WithMarksOf(v)
	}

	return ofText(v, func(s string) string {
		if end, _, fault := jsonscan.Number(s, 0); fault != nil || end != len(s) {
			return s
		}
		return decimal(s)
	})
}

// JSONText is a [Rule].Form for texts that hold JSON: white space, the order of members,
// escapes and the spelling of numbers, as for [NumberText], do not count. A text that is
// not JSON, has duplicate member names, or is nested deeper than about 300 levels is
// equal only to itself.
func JSONText(v value.Value) value.Value { return ofText(v, canonicalJSON) }

func ofText(v value.Value, form func(string) string) value.Value {
	s, ok := v.AsString()
	if !ok {
		return v
	}
	if f := form(s); f != s {
		return value.String(f).WithMarksOf(v)
	}

	return v
}

// folded returns a text with each letter as one of those that differ from it only in case:
// the small one of ASCII, so that JSON stays JSON, or else the least. Bytes that are not
// UTF-8 stay.
func folded(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || small(r) != r }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			b.WriteByte(s[i])
		} else {
			b.WriteRune(small(least(r)))
		}
		i += size
	}

	return b.String()
}

func small(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func least(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}

// decimal returns the canonical text of a number in JSON's grammar, which is one itself:
// digits without zeros at either end, and an exponent. A number whose exponent does not
// fit an int32 stays as it is written.
func decimal(s string) string {
	mantissa, exponent := s, int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		e, err := strconv.ParseInt(s[i+1:], 10, 32)
		if err != nil && strings.Trim(mantissa, "-0.") != "" {
			return s
		}

		exponent = e
	}
	mantissa, minus := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(short) - len(fraction))
	switch {
	case short == "":
		return "0"
	case minus:
		short = "-" + short
	}
	return short + "e" + strconv.FormatInt(exponent, 10)
}

// deepest is the limit of a jsonscan.Skipper: two for a level of arrays, three for one of
// objects. At each level what is in it is sorted, and so copied.
const deepest = 1000

// canonicalJSON returns the canonical form of a JSON text, which is one itself, and any
// other text as it is.
func canonicalJSON(s string) string {
	begin := jsonscan.Space(s, 0)
	if begin == len(s) {
		return s
	}

	end, fault := (&jsonscan.Skipper{Limit: deepest, Names: true}).Skip(s, begin)
	if fault != nil || jsonscan.Space(s, end) != len(s) {
		return s
	}
	c := canon{Decoder: jsonscan.Decoder{Text: s}}
	t, _ := c.Next()
	return string(c.append(nil, t))
}

type canon struct{ jsonscan.Decoder }

// append adds the value that begins with a token.
func (c *canon) append(b []byte, t jsonscan.Token) []byte {
	switch t.Kind {
	case jsonscan.KindObject:
		return c.object(b)
	case jsonscan.KindArray:
		return c.array(b)
	case jsonscan.KindString:
		return appendQuoted(b, c.Unquoted(t))
	case jsonscan.KindNumber:
		return append(b, decimal(c.Text[t.From:t.To])...)
	case jsonscan.KindLiteral, jsonscan.KindName, jsonscan.KindEnd:
	}

	return append(b, c.Text[t.From:t.To]...)
}

func (c *canon) array(b []byte) []byte {
	b = append(b, '[')
	for first := true; ; first = false {
		t, _ := c.Next()
		if t.Kind == jsonscan.Kind(']') || t.Kind == jsonscan.KindEnd {
			return append(b, ']')
		}
		if !first {
			b = append(b, ',')
		}
		b = c.append(b, t)
	}
}

// object adds an object with its members in the order of their names. Names that differ in
// case are beside each other, so that the order is the same for folded ones.
func (c *canon) object(b []byte) []byte {
	type member struct{ name, folded, text string }
	var members []member
	for {
		t, _ := c.Next()
		if t.Kind != jsonscan.KindName {
			break
		}
		name := c.Unquoted(t)
		t, _ = c.Next()
		members = append(members, member{name, folded(name), string(c.append(nil, t))})
	}
	slices.SortFunc(members, func(m, n member) int {
		return cmp.Or(strings.Compare(m.folded, n.folded), strings.Compare(m.name, n.name))
	})

	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, m.name), ':')
		b = append(b, m.text...)
	}
	return append(b, '}')
}

func appendQuoted(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return append(b, s...) // a string has a JSON text
	}
	return append(b, text...)
}
