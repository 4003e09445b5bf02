package codec_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"
)

// fragments are what texts are put together from: right, and nearly so.
func fragments() []string {
	return []string{
		`{`, `}`, `[`, `]`, `,`, `:`, ` `, "\n", `{}`, `[]`, `[ ]`, `{"a":`, `"b":`, `"\u0061":`, `"`, `"a"`, `"é"`, `"\n"`, `"\ud83d\ude00"`,
		`"\ud83d"`, "\"\xff\"", "\"\xc3", "\"\x01\"", `0`, `-0`, `01`, `1.5e3`, `1e400`, `9007199254740993`, `-`, `true`, `false`, `null`, `nul`,
		`"1234567"`, `"12345678"`, `"123456789"`, `"` + anyString + `"`, `"` + anyBool + `"`, `"` + sigKey + `":`,
		`"1b47061264138c4ac30d75fd1eb44270"`, `"d0e6a833031e9bbcd3f4e8bde6ca49a4"`, `"value":`, `"secret":`, `"dependencies":`, `"plaintext":`,
		`"ciphertext":`, `"8ad145fe-0d11-4827-bfd7-1abcbf086f5c"`, `"7ff0000000000000"`, `"5cf8f73096256a8f31e491e813e4eb8e"`, `"urn":"u"`, `"id":{"V":`, `"[1,{\"a\":1e400}]"`, `"{\"a\":"`,
		`{"` + sigKey + `":"1b47061264138c4ac30d75fd1eb44270","plaintext":"{\"a\":[\"\\u0062\"]}"}`,
		`{"` + sigKey + `":"1b47061264138c4ac30d75fd1eb44270","plaintext":"[{\"` + sigKey + `\":\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"[\\\"` + anyBool + `\\\"]\"}]"}`,
		`{"` + sigKey + `":"8ad145fe-0d11-4827-bfd7-1abcbf086f5c","value":"fff0000000000000"}`,
		`{"` + sigKey + `":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":1,"dependencies":["a","b"]}`,
		`{"a":1,"b":[1,2],"a":3}`, `{"b":1,"a":{"d":4,"c":"\\"}}`,
	}
}

// jsonTexts are texts of values, some of them damaged, and wild ones.
func jsonTexts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 2).Draw(t, "wild") == 0 {
			parts := rapid.SliceOfN(rapid.SampledFrom(fragments()), 1, 12).Draw(t, "parts")
			return strings.Join(parts, "")
		}
		v := values(3).Draw(t, "value")
		data, err := codec.EncodeJSON(v, codec.Options{Form: codec.FormSealed})
		if err != nil {
			return "[" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments()), 1, 3).Draw(t, "elements"), ",") + "]"
		}
		text := string(data)
		if rapid.Bool().Draw(t, "damaged") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			to := min(len(text), at+rapid.IntRange(0, 2).Draw(t, "cut"))
			text = text[:at] + rapid.SampledFrom(append(fragments(), "")).Draw(t, "put") + text[to:]
		}
		return text
	})
}

// sameJSON reads a text, and by way of encoding/json and structpb, which know nothing
// of places, tapes and words of eight bytes. It reports whether it was read.
func sameJSON(t rapid.TB, text string, o codec.Options) bool {
	v, err := codec.DecodeJSONText(text, o)
	plain, isJSON := accepts([]byte(text))
	if !isJSON {
		if err == nil {
			t.Fatalf("%q is not JSON: %#v", text, v)
		}
		return false
	}
	if errors.Is(err, codec.ErrSyntax) {
		t.Fatalf("%q is JSON: %v", text, err)
	}
	// What is only in texts: state form, plaintexts; and numbers that may not be rounded.
	if o.Form != codec.FormWire || strings.Contains(text, "text") || strings.Contains(text, "8ad145fe") || strings.Contains(text, `"V"`) {
		return err == nil
	}
	if errors.Is(err, codec.ErrDuplicate) || errors.Is(err, codec.ErrUTF8) || errors.Is(err, codec.ErrNumber) {
		return false
	}
	m, ok := asMessage(plain)
	if !ok { // a number is too large
		return err == nil
	}
	o.Depth = cmp.Or(o.Depth, codec.DefaultDepth) + 1 // a text has no Value around it
	want, wantErr := codec.FromValue(m, o)
	if (err == nil) != (wantErr == nil) || (err == nil && !v.Identical(want)) {
		t.Fatalf("%q: %#v, %v; as a message %#v, %v", text, v, err, want, wantErr)
	}
	return err == nil
}

// asMessage makes a message of what encoding/json has read.
func asMessage(plain any) (m *structpb.Value, ok bool) {
	switch plain := plain.(type) {
	case json.Number:
		f, err := plain.Float64()
		return structpb.NewNumberValue(f), err == nil
	case []any:
		list := &structpb.ListValue{}
		for _, e := range plain {
			m, ok := asMessage(e)
			if !ok {
				return nil, false
			}
			list.Values = append(list.Values, m)
		}
		return structpb.NewListValue(list), true
	case map[string]any:
		fields := map[string]*structpb.Value{}
		for key, e := range plain {
			m, ok := asMessage(e)
			if !ok {
				return nil, false
			}
			fields[key] = m
		}
		return structpb.NewStructValue(&structpb.Struct{Fields: fields}), true
	}
	m, err := structpb.NewValue(plain)
	return m, err == nil
}

// What is read of a text is what is read of the same message.
func TestJSONAgainstMessages(t *testing.T) {
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		text := jsonTexts().Draw(t, "text")
		o := codec.Options{
			Numbers: rapid.SampledFrom([]codec.Numbers{codec.RejectInexact, codec.RoundInexact}).Draw(t, "numbers"),
			Depth:   rapid.SampledFrom([]int{0, 4, 6, 9}).Draw(t, "depth"),
			Form:    rapid.SampledFrom([]codec.Form{codec.FormWire, codec.FormState}).Draw(t, "form"),
		}
		if sameJSON(t, text, o) {
			read++
		}
	})
	if read == 0 {
		t.Error("no text was read")
	}
}

func FuzzJSONAgainstMessages(f *testing.F) {
	for _, text := range fragments() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameJSON(t, text, codec.Options{}) })
}

// Large and deep texts, and those whose strings end anywhere in the eight bytes that
// are looked at together.
func TestJSONEdges(t *testing.T) {
	many := "[" + strings.Repeat(`{"b":"`+strings.Repeat("x", 100)+`\t","a":[1,-2.5e-3,true,null]},`, 20_000) + "0]"
	texts := []string{
		many, strings.Repeat("[", 4999) + strings.Repeat("]", 4999), strings.Repeat("[", 1e5), strings.Repeat(`{"a":`, 1e5),
		"", " ", `{"a":1} x`, " [1 , 2 ]\n", `{"a" :1 , "b":2}`, `[1,]`, `{"a":1,}`, `{,}`, `{"a"}`, `"a`, `{"a":1}}`,
	}
	for n := range 20 {
		pad := strings.Repeat("p", n)
		for _, c := range []string{"", `\"`, `\\`, `\u00e9`, "é", "\x1f", "\x7f", "\xff", `\ud800`} {
			texts = append(texts, `["`+pad+c+`"]`, `{"`+c+pad+`":"`+pad+c+pad+`"}`)
		}
	}
	for _, text := range texts {
		sameJSON(t, text, codec.Options{})
	}
}

// What is written for a text is what encoding/json reads as that text, however it
// lies in the eight bytes that are looked at together.
func TestJSONQuoting(t *testing.T) {
	for before := range 10 {
		for after := range 10 {
			for c := range 256 {
				text := strings.Repeat("a", before) + string([]byte{byte(c)}) + "é" + strings.Repeat("b", after)
				out, err := codec.EncodeJSON(value.String(text), codec.Options{ByteStrings: codec.Reject})
				if valid := utf8.ValidString(text); (err == nil) != valid {
					t.Fatalf("%q: %v", text, err)
				} else if !valid {
					continue
				}
				var back string
				if err := json.Unmarshal(out, &back); err != nil || back != text {
					t.Fatalf("%q is written as %s", text, out)
				}
			}
		}
	}
}

// The stack of a writer is kept for the next value, and nothing of the last one.
func TestWriterLetsGo(t *testing.T) {
	bad := value.Array(value.Array(value.Secret(value.Array(value.String("\xff"), value.Null()))))
	good := value.Array(value.Array(value.Array(value.Array())), value.TextAsset("a").Value())
	for _, v := range []value.Value{bad, good} {
		if n := codec.KeptByWriter(v, codec.Options{ByteStrings: codec.Reject}); n != 0 {
			t.Errorf("%d places hold something of %v", n, v)
		}
	}
}
