package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/propalg/propalg/codec"
	"pgregory.net/rapid"
)

// accepts is what encoding/json says of a text: one value, and nothing after it.
func accepts(text []byte) (plain any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&plain) != nil {
		return nil, false
	}
	_, err := d.Token()

	return plain, errors.Is(err, io.EOF)
}

// mutated draws a text that is JSON, or nearly.
func mutated() *rapid.Generator[[]byte] {
	pieces := []string{
		`{`, `}`, `[`, `]`, `,`, `:`, `"`, `\`, `"a"`, `"b":`, `null`, `true`, `false`, `0`, `-`, `1.5`, `e`, `E+`, `.`, ` `, "\n", "\t",
		`\u`, `\ud83d\ude00`, `\ud800`, "\x00", "\xff", "é", "/", `\n`, "'", "NaN", "\x0b", "\u00a0", "00",
	}
	return rapid.Custom(func(t *rapid.T) []byte {
		var text []byte
		if rapid.Bool().Draw(t, "from a value") {
			text, _ = codec.EncodeJSON(values(3).Draw(t, "v"), codec.Options{Form: codec.FormSealed})
		}
		for range rapid.IntRange(0, 4).Draw(t, "mutations") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0, 1:
				piece := rapid.SampledFrom(pieces).Draw(t, "piece")
				text = append(text[:at:at], append([]byte(piece), text[at:]...)...)
			case 2:
				end := min(len(text), at+rapid.IntRange(1, 5).Draw(t, "n"))
				text = append(text[:at:at], text[end:]...)
			default:
				text = text[:at]
			}
		}
		return text
	})
}

// What encoding/json refuses is refused. What it accepts is accepted, but for what this package is stricter about: names that stand
// twice, bytes that are no UTF-8, half surrogate pairs, signatures, nesting.
func TestAgainstEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mutated().Draw(t, "text")
		_, want := accepts(text)
		_, err := codec.DecodeJSON(text, codec.Options{Numbers: codec.RoundInexact})
		switch {
		case !want && err == nil:
			t.Fatalf("%q is no JSON: %v", text, err)
		case want && errors.Is(err, codec.ErrSyntax):
			t.Fatalf("%q is JSON: %v", text, err)
		}
		if err != nil {
			var e *codec.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("%q: %#v", text, err)
			}
		}
	})
}

// What a text without signatures means is what encoding/json makes of it.
func TestMeaningAgainstEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mutated().Draw(t, "text")
		if bytes.Contains(text, []byte(sigKey)) {
			return
		}
		v, err := codec.DecodeJSON(text, codec.Options{})
		if err != nil {
			return
		}
		out, err := codec.EncodeJSON(v, codec.Options{})
		if err != nil {
			t.Fatalf("%q was read, and not written: %v", text, err)
		}
		var before, after any
		if json.Unmarshal(text, &before) != nil || json.Unmarshal(out, &after) != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q came out as %q", text, out)
		}
	})
}
