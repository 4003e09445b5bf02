package rpc

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
)

// appendObject appends a message's JSON form.
func appendObject(dst []byte, m Message, c call) ([]byte, error) {
	dst = append(dst, '{')
	open := len(dst)
	for i := 0; ; i++ {
		f := m.field(i)
		if f.slot == nil {
			break
		}
		if !f.slot.isSet() {
			continue
		}

		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), f.json...), '"', ':')

		err := contested(m, &f)
		if err == nil {
			dst, err = f.slot.appendJSON(dst, c)
		}
		if err != nil {
			return dst, inField(err, f.name)
		}
	}
	return append(dst, '}'), nil
}

// appendList appends a JSON array of n elements.
func appendList(dst []byte, n int, each func(dst []byte, i int) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}

		var err error
		if dst, err = each(dst, i); err != nil {
			return dst, inField(err, element(i))
		}
	}
	return append(dst, ']'), nil
}

// appendQuoted appends a JSON string.
func appendQuoted(dst []byte, s string) ([]byte, error) {
	const hex = "0123456789abcdef"

	dst = append(dst, '"')
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				return dst, fail(codec.ErrUTF8, -1)
			}
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b == '\n':
			dst = append(dst, '\\', 'n')
		case b < 0x20 || b == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		default:
			dst = append(dst, b)
		}

		i++
	}
	return append(dst, '"'), nil
}

// appendDouble appends a number in protobuf's JSON form: the shortest decimal, with an
// exponent where ECMAScript writes one, and strings for NaN and the infinities.
func appendDouble(dst []byte, f float64) []byte {
	size := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	case size != 0 && (size < 1e-6 || size >= 1e21):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}

	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// MarshalText returns the text of [PropertyDiffKind.String]. Package encoding/json uses
// it.
func (x PropertyDiffKind) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// MarshalText returns the text of [DiffChanges.String]. Package encoding/json uses it.
func (x DiffChanges) MarshalText() ([]byte, error) { return []byte(x.String()), nil }
