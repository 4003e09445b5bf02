package value

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/veil"
)

// MarshalJSON returns JSON for display, for example in logs. It cannot be read back.
//
// A secret is the string "[secret]", an unknown "[unknown]"; NaN, infinities, assets,
// archives and references are the strings that [Value.String] shows. Invalid UTF-8 in
// strings becomes U+FFFD, and dependencies are left out. UnmarshalJSON refuses all
// JSON; package codec has a form that can be read back.
//
// The JSON is always valid, with printable characters only, and its keys are unique and
// in bytewise order: a key that is not UTF-8, or that begins with a quote or an
// ellipsis, is quoted as in Go. At most 1000 nested containers and 4 MiB are written;
// what is left out is counted by a last element "… 12 more", a last member "…": "12
// more", or at the end of a string. The error is always nil.
func (v Value) MarshalJSON() ([]byte, error) {
	p := newPrinter(styleJSON, jsonLimit, jsonLevels)
	p.value(&v)
	return p.dst, nil
}

func (p *printer) jsonValue(v *Value) {
	if v.facts&secretness != 0 {
		p.raw(`"` + veil.SecretText + `"`)
		return
	}

	switch v.kind {
	case KindNull, KindBool:
		p.textValue(v)
	case KindNumber:
		if !finite(v.number()) {
			p.jsonOther(v)
			return
		}
		p.textValue(v)
	case KindString:
		p.jsonQuoted(v.str())
	case KindArray:
		p.array(v, "[", "]")
	case KindObject:
		p.object(v, "{", "}")
	case KindAsset, KindArchive, KindResourceReference, KindUnknown, KindSealed:
		p.jsonOther(v)
	}
}

func finite(bits uint64) bool {
	const exponent = 0x7ff << 52
	return bits&exponent != exponent
}

// jsonOther writes the display text of a value that JSON cannot express, as a string.
func (p *printer) jsonOther(v *Value) {
	text := newPrinter(styleText, textLimit, textLevels)
	text.textValue(v)
	p.jsonQuoted(string(text.dst))
}

// jsonKey writes a key so that different keys stay different, and different from the
// note about what was left out. It returns false if the key does not fit.
func (p *printer) jsonKey(k string) bool {
	if len(k) > p.stop-len(p.dst) {
		return false
	}
	if !utf8.ValidString(k) || strings.HasPrefix(k, `"`) || strings.HasPrefix(k, "…") {
		k = strconv.Quote(k)
	}
	mark := len(p.dst)
	if !p.jsonQuoted(k) {
		p.dst = p.dst[:mark]
		return false
	}

	p.raw(":")
	return true
}

// jsonQuoted writes a string in JSON, with every character escaped that is not
// printable, and reports whether all of it fit.
func (p *printer) jsonQuoted(s string) bool {
	p.raw(`"`)

	i := 0
	for i < len(s) && len(p.dst) < p.stop {
		if n := p.plain(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		p.jsonRune(r)
		i += n
	}
	p.cut(len(s) - i)
	p.raw(`"`)
	return i == len(s)
}

func (p *printer) jsonRune(r rune) {
	switch {
	case r == '"' || r == '\\':
		p.dst = append(p.dst, '\\', byte(r))
	case r == '\n':
		p.raw(`\n`)
	case r == '\t':
		p.raw(`\t`)
	case r == '\r':
		p.raw(`\r`)

	case strconv.IsPrint(r):
		p.dst = utf8.AppendRune(p.dst, r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		p.jsonEscape(high)
		p.jsonEscape(low)
	default:
		p.jsonEscape(r)
	}
}

func (p *printer) jsonEscape(r rune) {
	const hex = "0123456789abcdef"
	p.dst = append(p.dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// MarshalJSON returns JSON for display: an object with one member. A member that was
// taken from a secret object is the string "[secret]", since its key is secret too.
func (m Member) MarshalJSON() ([]byte, error) {
	if m.Value.facts&inherited != 0 {
		return String(veil.SecretText).MarshalJSON()
	}
	return Object(m).MarshalJSON()
}

// UnmarshalJSON always returns an error, which points to codec.DecodeJSON.
func (*Value) UnmarshalJSON([]byte) error { return refuse.JSON("value.Value", "codec.DecodeJSON") }

// UnmarshalJSON always returns an error, which points to codec.DecodeJSON.
func (*Member) UnmarshalJSON([]byte) error { return refuse.JSON("value.Member", "codec.DecodeJSON") }
