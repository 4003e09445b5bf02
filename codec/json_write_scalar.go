package codec

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

func (w *jsonWriter) key(name string) *trouble {
	out, ok := appendQuoted(w.out, name)
	if !ok {
		return &trouble{ErrUTF8, "name in UTF-8", ""}
	}
	out = append(out, ':')
	w.out = out
	return nil
}

// leaf writes a value without its marks that is neither array nor object.
func (w *jsonWriter) leaf(v value.Value) *trouble {
	switch v.Kind() {
	case value.KindNull:
		w.out = append(w.out, "null"...)
	case value.KindBool:
		b, _ := v.AsBool()
		w.out = strconv.AppendBool(w.out, b)
	case value.KindNumber:
		f, _ := v.AsNumber()
		return w.number(f)
	case value.KindString:
		s, _ := v.AsString()
		return w.string(s)
	case value.KindUnknown:
		hint, _ := v.Hint()
		if w.opts.Form == FormState {
			hint = value.KindString
		}
		w.out, _ = appendQuoted(w.out, sentinel(hint))
	case value.KindArchive:
		if a, _ := v.AsArchive(); a.Source() == value.SourceLiteral {
			return w.literal(a)
		}
		return w.signed(v)
	case value.KindAsset, value.KindResourceReference:
		return w.signed(v)

	case value.KindSealed:
		s, _ := v.AsSealed()
		return w.sealed(s)
	case value.KindArray, value.KindObject:
	}

	return nil
}

func (w *jsonWriter) number(f float64) *trouble {
	if !w.isMessage && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return w.float(f)
	}
	w.out = appendNumber(w.out, f)
	return nil
}

// float writes NaN or an infinity, by its bits.
func (w *jsonWriter) float(f float64) *trouble {
	if w.opts.Form != FormState {
		return &trouble{ErrNumber, "finite number", "NaN or an infinity"}
	}

	w.begin(sigFloat)
	w.out = append(w.out, `,"value":"`...)
	w.out = fmt.Appendf(w.out, "%016x", math.Float64bits(f))
	w.out = append(w.out, `"}`...)
	return w.need(3)
}

// appendNumber writes the shortest decimal that reads back as f; with an
// exponent only where plain digits would be long.
func appendNumber(out []byte, f float64) []byte {
	const short = 1e15 // below it, every integer is its own shortest decimal
	if n := int64(f); float64(n) == f && n > -short && n < short && n != 0 {
		return strconv.AppendInt(out, n, 10)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(out, f, 'e', -1, 64)
	}

	return strconv.AppendFloat(out, f, 'f', -1, 64)
}

// string writes a string of the user's, as a byte string if it has to be.
func (w *jsonWriter) string(s string) *trouble {
	if len(s) != sentinelLength || !w.isUnknown(s) {
		if out, ok := appendQuoted(w.out, s); ok {
			w.out = out
			return nil
		}
	}
	if w.opts.ByteStrings != Keep {
		return w.text(s)
	}

	w.begin(sigByteString)
	w.out = append(w.out, `,"value":"`...)
	w.out = base64.StdEncoding.AppendEncode(w.out, []byte(s))
	w.out = append(w.out, `"}`...)
	return w.need(3)
}

// isUnknown reports whether a reader of the text takes a string for an unknown.
func (w *jsonWriter) isUnknown(s string) bool {
	_, is := unknownIn(w.opts.Form == FormState, s)
	return is
}

// text writes a string that must not become a byte string.
func (w *jsonWriter) text(s string) *trouble {
	if w.isUnknown(s) {
		return &trouble{ErrSentinel, "", ""}
	}
	out, ok := appendQuoted(w.out, s)
	if !ok {
		return &trouble{ErrUTF8, "", ""}
	}

	w.out = out
	return nil
}

// begin writes the beginning of an object with a signature.
func (w *jsonWriter) begin(sig string) {
	w.out = append(w.out, `{"`+SignatureKey+`":"`...)
	w.out = append(w.out, sig...)
	w.out = append(w.out, '"')
}

// field writes a field after others.
func (w *jsonWriter) field(name, text string) *trouble {
	w.out = append(w.out, `,"`...)
	w.out = append(w.out, name...)
	w.out = append(w.out, `":`...)
	return w.text(text)
}

// signed writes an object with a signature that has nothing but texts.
func (w *jsonWriter) signed(v value.Value) *trouble {
	s := signedBy(v)
	w.begin(s.sig)
	for _, f := range s.fields[:s.n] {
		if t := w.field(f.name, f.text); t != nil {
			return t
		}
	}

	w.out = append(w.out, '}')
	return w.need(3)
}

func (w *jsonWriter) sealed(s value.Sealed) *trouble {
	switch {
	case w.isMessage:
		return &trouble{ErrSealed, "a decrypted secret", ""}
	case w.opts.Form != FormSealed && w.opts.Form != FormState:
		return &trouble{ErrSealed, "a form with sealed secrets, or a decrypted secret", ""}
	case w.layer > 0:
		return &trouble{ErrSealed, "a decrypted secret, since it is inside another", ""}
	case w.opts.Form == FormState && s.Ciphertext == "":
		return &trouble{ErrSealed, "ciphertext", "none"}
	}

	w.begin(sigSecret)
	if t := w.field("ciphertext", s.Ciphertext); t != nil {
		return t
	}
	w.out = append(w.out, '}')
	return w.need(3)
}

// appendQuoted writes a text as a JSON string; false, and nothing of it that
// counts, if it is not UTF-8.
func appendQuoted(out []byte, s string) ([]byte, bool) {
	n, ascii := jsonscan.Plain(s)
	if n == len(s) && (ascii || utf8.ValidString(s)) { // as most are
		return append(append(append(out, '"'), s...), '"'), true
	}
	if !utf8.ValidString(s) {
		return out, false
	}

	out = append(out, '"')
	for n < len(s) {
		out = appendEscaped(append(out, s[:n]...), s[n])
		s = s[n+1:]
		n, _ = jsonscan.Plain(s)
	}
	return append(append(out, s...), '"'), true
}

// appendEscaped writes the escape for a byte that needs one.
func appendEscaped(out []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\b':
		return append(out, `\b`...)
	case '\f':
		return append(out, `\f`...)
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	}

	return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
