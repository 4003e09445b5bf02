package probe

import (
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/value"
)

// Encode returns the JSON text of a value with all plaintext in it, with what cannot be
// written left out; "null" when nothing helps.
func Encode(v value.Value) string {
	for _, o := range []codec.Options{
		{Form: codec.FormSealed},
		{Form: codec.FormSealed, Outputs: codec.Lower, Assets: codec.Lower, References: codec.Lower},
	} {
		if text, err := codec.AppendJSONValue(nil, v, o); err == nil {
			return string(text)
		}
	}

	return "null"
}

// Damaged returns a text and what is left of it after accidents: cut, bytes that
// do not belong there, numbers that nothing holds. A long text has few.
func Damaged(text string) []string {
	const long, accidents = 1 << 14, 6
	all := []string{text, text + "x", text + text, text[:len(text)/2], `{"a":` + text}
	if len(text) > long {
		return all
	}

	for i := range accidents {
		at := outsideSignature(text, len(text)*i/accidents)
		all = append(all, text[:at], text[:at]+"\xff"+text[at:], text[:at]+`\q`+text[at:], text[:at]+`"`+text[at:], text[:at]+"}"+text[at:])
	}
	at := strings.LastIndex(text, `":"`) + len(`":"`)
	for _, number := range []string{"9007199254740993", "1e999", "01"} {
		all = append(all, text[:at-1]+number+","+text[at-1:], strings.ReplaceAll(text, `:1`, ":"+number), strings.ReplaceAll(text, "null", number))
	}
	return append(all, strings.ReplaceAll(text, sample.SignatureSecret, sample.SignatureAsset), strings.ReplaceAll(text, sample.SignatureAsset, sample.SignatureReference),
		strings.ReplaceAll(text, `"value"`, `"plaintext"`), strings.ReplaceAll(text, `"text"`, `"assets"`), strings.ReplaceAll(text, `"urn"`, `"id"`))
}

// outsideSignature is at, or the place after the quotes of the signature key that
// it is inside of: an object with another key is not a secret any more, and what it
// shows is not a leak.
func outsideSignature(text string, at int) int {
	from := max(0, at-len(sample.SignatureKey))
	if i := strings.Index(text[from:min(len(text), at+len(sample.SignatureKey))], sample.SignatureKey); i >= 0 {
		return min(len(text), from+i+len(sample.SignatureKey)+len(`"`))
	}
	return at
}
