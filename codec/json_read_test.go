package codec_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
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
		data, err := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed})
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
	v, err := codec.DecodeJSONValue(text, o)
	plain, isJSON := accepts([]byte(text))
	if !isJSON {
		if err == nil {
			t.Fatalf("%q is not JSON: %#v", text, v)
		}
		return false
	}
	unescaped, marshalErr := json.Marshal(plain)
	if marshalErr != nil {
		t.Fatal(marshalErr)
	}
	has := func(part string) bool { return strings.Contains(string(unescaped), part) }
	if errors.Is(err, codec.ErrSyntax) && !has(`text":`) { // in a plaintext
		t.Fatalf("%q is JSON: %v", text, err)
	}
	// What is only in texts: state form, plaintexts; and numbers that may not be rounded.
	if o.Form != codec.FormWire || has("text") || has("8ad145fe") || has(`"V"`) {
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
	want, wantErr := codec.FromMessageValue(m, o)
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
			RoundNumbers: rapid.Bool().Draw(t, "round"),
			Depth:        rapid.SampledFrom([]int{0, 4, 6, 9}).Draw(t, "depth"),
			Form:         rapid.SampledFrom([]codec.Form{codec.FormWire, codec.FormState}).Draw(t, "form"),
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

func TestDecodeMalformedText(t *testing.T) {
	for _, row := range []struct {
		at     string
		text   string
		err    error
		path   string
		offset int
		want   string
		found  string
	}{
		{here(), "", codec.ErrSyntax, "", 0, "value", "end of input"},
		{here(), " \n\t", codec.ErrSyntax, "", 3, "value", "end of input"},
		{here(), "\x7fELF\x02\x01", codec.ErrSyntax, "", 0, "value", "a control character"},
		{here(), "\xef\xbb\xbf{}", codec.ErrSyntax, "", 0, "value", "a byte outside ASCII"},
		{here(), "{} x", codec.ErrSyntax, "", 3, "end of input", "another character"},
		{here(), "{}{}", codec.ErrSyntax, "", 2, "end of input", "'{'"},
		{here(), "nul", codec.ErrSyntax, "", 3, "true, false or null", "end of input"},
		{here(), "[1,]", codec.ErrSyntax, "[1]", 3, "value", "']'"},
		{here(), "[1 2]", codec.ErrSyntax, "", 3, "',' or ']'", "a number"},
		{here(), `{"a":}`, codec.ErrSyntax, "a", 5, "value", "'}'"},
		{here(), `{"a":1,}`, codec.ErrSyntax, "", 7, "name in quotes", "'}'"},
		{here(), `{"a":1 "b"}`, codec.ErrSyntax, "", 7, "',' or '}'", `'"'`},
		{here(), `{"a":[{"b":1},{"c" 2}]}`, codec.ErrSyntax, "a[1]", 19, "':'", "a number"},
		{here(), `{"a":[{"b":1},{"c":tru}]}`, codec.ErrSyntax, "a[1].c", 22, "true, false or null", "'}'"},
		{here(), `{"a":[01]}`, codec.ErrSyntax, "a", 7, "',' or ']'", "a number"},
		{here(), `{"a":1.}`, codec.ErrSyntax, "a", 7, "digit", "'}'"},
		{here(), `{"a":-}`, codec.ErrSyntax, "a", 6, "digit", "'}'"},
		{here(), `{"a":1e}`, codec.ErrSyntax, "a", 7, "digit", "'}'"},
		{here(), `{"a":NaN}`, codec.ErrSyntax, "a", 5, "value", "another character"},
		{here(), "{\"a\":\"x\ny\"}", codec.ErrSyntax, "a", 7, "escaped control character", "white space"},
		{here(), `{"a":"x\q"}`, codec.ErrSyntax, "a", 8, "escape", "another character"},
		{here(), `{"a":"x`, codec.ErrSyntax, "a", 7, "end of string", "end of input"},
		{here(), `{"a":"\u00"}`, codec.ErrSyntax, "a", 10, "four hex digits", `'"'`},
		{here(), "{\"a\":\"x\xffy\"}", codec.ErrUTF8, "a", 7, "", ""},
		{here(), "{\"a\xff\":1}", codec.ErrUTF8, "", 3, "", ""},
		{here(), `{"a":["\ud800"]}`, codec.ErrUTF8, "a[0]", 7, "surrogate pair", "half of one"},
		{here(), `{"a":["\udc00\ud800"]}`, codec.ErrUTF8, "a[0]", 7, "surrogate pair", "half of one"},
		{here(), `{"\ud83d":1}`, codec.ErrUTF8, "", 2, "surrogate pair", "half of one"},
		{here(), `{"a":1,"b":{"c":1,"d":2,"c":3}}`, codec.ErrDuplicate, "b", 24, "", ""},
		{here(), `{"a":1,"\u0061":2}`, codec.ErrDuplicate, "", 7, "", ""},
		{here(), `{"a":[9007199254740993]}`, codec.ErrNumber, "a[0]", 6, "", ""},
		{here(), `{"a":{"b":-1e400}}`, codec.ErrNumber, "a.b", 10, "", ""},
		{here(), `1e-400`, codec.ErrNumber, "", 0, "", ""},
		{here(), `[0,0.1000000000000000055511151231257827]`, codec.ErrNumber, "[1]", 3, "", ""},
		{here(), `1e999999999`, codec.ErrNumber, "", 0, "", ""},
		{here(), `{"a b":{"\n":tru}}`, codec.ErrSyntax, "[\"a b\"][\"\n\"]", 16, "true, false or null", "'}'"},
	} {
		v, err := codec.DecodeJSONValue([]byte(row.text), codec.Options{})
		e := failure(t, err)
		if !errors.Is(err, row.err) || e.Offset != row.offset || e.At.String() != row.path || e.Want != row.want || e.Found != row.found {
			t.Errorf("%s: %q: got %v (path %q, offset %d, expected %q, found %q)", row.at, row.text, err, e.At, e.Offset, e.Want, e.Found)
		}
		if !v.IsNull() {
			t.Errorf("%s: %q: an error, and a value", row.at, row.text)
		}
	}
}

func TestErrorText(t *testing.T) {
	for _, row := range []struct{ at, text, want string }{
		{here(), `{"a":[1,2`, `codec: decode json: a: offset 9: syntax error: expected ',' or ']', found end of input`},
		{here(), `{"a":1e400}`, `codec: decode json: a: offset 5: number cannot be held exactly`},
		{here(), "{\"a\\nb\":tru}", `codec: decode json: "[\"a\nb\"]": offset 11: syntax error: expected true, false or null, found '}'`},
		{here(), `{"a":{` + asSecret + `,"masked":true}}`, `codec: decode json: a: offset 5: secret contents were masked: expected its contents (write the text again, with secrets shown)`},
		{here(), `{"a":{"` + sigKey + `":"no such"}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected known signature, found text of 7 bytes as signature`},
		{here(), `{"a":{"` + sigKey + `":"0123456789abcdef0123456789abcdef"}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected known signature, found signature "0123456789abcdef0123456789abcdef"`},
		{here(), `{"a":{` + asSecret + `}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected one of value, ciphertext, plaintext, found none`},
		{here(), `[1]`, `codec: decode json: offset 0: wrong kind: expected object, found array`},
	} {
		_, err := codec.DecodeJSON([]byte(row.text), codec.Options{})
		if failure(t, err).Error() != row.want {
			t.Errorf("%s: %s: got %s", row.at, row.text, err)
		}
	}
}

func TestZeroError(t *testing.T) {
	if e := (&codec.Error{}); e.Error() == "" || e.Unwrap() != nil {
		t.Errorf("the zero Error: %v", e)
	}
}

func TestDecodeMalformedSignature(t *testing.T) {
	secretly := func(v string) string { return `{` + asSecret + `,"value":` + v + `}` }
	for _, row := range []struct {
		at    string
		text  string // of the member a
		err   error
		want  string
		found string
	}{
		{here(), `{"` + sigKey + `":"0000"}`, codec.ErrSignature, "known signature", "text of 4 bytes as signature"},
		{here(), `{"` + sigKey + `":"` + strings.Repeat("x", 100) + `"}`, codec.ErrSignature, "known signature", "text of 100 bytes as signature"},
		{here(), `{"` + sigKey + `":"` + strings.Repeat("x", 32) + `"}`, codec.ErrSignature, "known signature", "text of 32 bytes as signature"},
		{here(), `{"` + sigKey + `":5}`, codec.ErrSignature, "string as signature", "number"},
		{here(), `{"` + sigKey + `":null}`, codec.ErrSignature, "string as signature", "null"},
		{here(), `{"` + sigKey + `":"` + anyString + `"}`, codec.ErrSignature, "string as signature", "unknown"},
		{here(), `{` + asSecret + `}`, codec.ErrSignature, "one of value, ciphertext, plaintext", "none"},
		{here(), `{` + asSecret + `,"value":1,"ciphertext":"c"}`, codec.ErrSignature, "one of value, ciphertext, plaintext", "value and ciphertext"},
		{here(), `{` + asSecret + `,"plaintext":"1","ciphertext":"c"}`, codec.ErrSignature, "one of value, ciphertext, plaintext", "ciphertext and plaintext"},
		{here(), `{` + asSecret + `,"ciphertext":1}`, codec.ErrSignature, "string as ciphertext", "number"},
		{here(), `{` + asSecret + `,"ciphertext":null}`, codec.ErrSignature, "string as ciphertext", "null"},
		{here(), `{` + asSecret + `,"plaintext":{}}`, codec.ErrSignature, "string as plaintext", "object"},
		{here(), `{` + asSecret + `,"plaintext":"` + anyString + `"}`, codec.ErrSignature, "string as plaintext", "unknown"},
		{here(), `{` + asSecret + `,"masked":false}`, codec.ErrSignature, "true as masked", "bool"},
		{here(), `{` + asSecret + `,"masked":true}`, codec.ErrMasked, "its contents (write the text again, with secrets shown)", ""},
		{here(), `{` + asSecret + `,"masked":true,"value":1}`, codec.ErrMasked, "its contents (write the text again, with secrets shown)", ""},
		{here(), `{` + asAsset + `,"text":"t","path":"p"}`, codec.ErrSignature, "one source", "text and path"},
		{here(), `{` + asAsset + `,"path":"p","uri":"u"}`, codec.ErrSignature, "one source", "path and uri"},
		{here(), `{` + asAsset + `,"text":1}`, codec.ErrSignature, "string as text", "number"},
		{here(), `{` + asAsset + `,"text":"` + anyString + `"}`, codec.ErrSignature, "string as text", "unknown"},
		{here(), `{` + asAsset + `,"text":` + secretly(`"t"`) + `}`, codec.ErrSignature, "string as text", "secret string"},
		{here(), `{` + asAsset + `,"path":null}`, codec.ErrSignature, "string as path", "null"},
		{here(), `{` + asAsset + `,"hash":[]}`, codec.ErrSignature, "string as hash", "array"},
		{here(), `{` + asArchive + `,"assets":[]}`, codec.ErrSignature, "object as assets", "array"},
		{here(), `{` + asArchive + `,"assets":null}`, codec.ErrSignature, "object as assets", "null"},
		{here(), `{` + asArchive + `,"assets":{"x":1}}`, codec.ErrSignature, "assets and archives in an archive", "number"},
		{here(), `{` + asArchive + `,"assets":{"x":` + secretly(`{`+asAsset+`}`) + `}}`, codec.ErrSignature, "assets and archives in an archive", "secret asset"},
		{here(), `{` + asArchive + `,"assets":` + secretly(`{}`) + `}`, codec.ErrSignature, "object as assets", "secret object"},
		{here(), `{` + asArchive + `,"assets":{"x":{` + asAsset + `}},"path":"p"}`, codec.ErrSignature, "one source", "assets and path"},
		{here(), `{` + asArchive + `,"uri":"u","path":"p"}`, codec.ErrSignature, "one source", "path and uri"},
		{here(), `{` + asArchive + `,"hash":1}`, codec.ErrSignature, "string as hash", "number"},
		{here(), `{` + asReference + `}`, codec.ErrSignature, "urn", "none"},
		{here(), `{` + asReference + `,"urn":1}`, codec.ErrSignature, "string as urn", "number"},
		{here(), `{` + asReference + `,"urn":"` + anyString + `"}`, codec.ErrSignature, "string as urn", "unknown"},
		{here(), `{` + asReference + `,"urn":"u","id":null}`, codec.ErrSignature, "string as id", "null"},
		{here(), `{` + asReference + `,"urn":"u","id":` + secretly(`"i"`) + `}`, codec.ErrSignature, "string as id", "secret string"},
		{here(), `{` + asReference + `,"urn":"u","packageVersion":1}`, codec.ErrSignature, "string as packageVersion", "number"},
		{here(), `{` + asReference + `,"urn":"u","name":[]}`, codec.ErrSignature, "string as name", "array"},
		{here(), `{` + asReference + `,"urn":"u","type":{}}`, codec.ErrSignature, "string as type", "object"},
		{here(), `{` + asOutput + `,"secret":1}`, codec.ErrSignature, "bool as secret", "number"},
		{here(), `{` + asOutput + `,"dependencies":"u"}`, codec.ErrSignature, "array as dependencies", "string"},
		{here(), `{` + asOutput + `,"dependencies":[1]}`, codec.ErrSignature, "strings as dependencies", "number"},
		{here(), `{` + asOutput + `,"dependencies":["` + anyString + `"]}`, codec.ErrSignature, "strings as dependencies", "unknown"},
		{here(), `{` + asOutput + `,"dependencies":[` + secretly(`"u"`) + `]}`, codec.ErrSignature, "strings as dependencies", "secret string"},
		{here(), `{` + asByteString + `}`, codec.ErrSignature, "value", "none"},
		{here(), `{` + asByteString + `,"value":1}`, codec.ErrSignature, "string as value", "number"},
		{here(), `{` + asByteString + `,"value":"!"}`, codec.ErrSignature, "base64 as value", "another text"},
		{here(), `{` + asByteString + `,"value":"/w"}`, codec.ErrSignature, "base64 as value", "another text"},
	} {
		_, err := codec.DecodeJSONValue([]byte(`{"a":`+row.text+`}`), codec.Options{})
		e := failure(t, err)
		if !errors.Is(err, row.err) || e.Offset != 5 || e.At.String() != "a" || e.Want != row.want || e.Found != row.found || e.Op != "decode json" {
			t.Errorf("%s: %s: got %v", row.at, row.text, err)
		}
	}
}

func decodeData(t *testing.T, data []byte) value.Value {
	t.Helper()
	v, err := codec.DecodeJSONValue(data, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

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
			text, _ = codec.AppendJSONValue(nil, values(3).Draw(t, "v"), codec.Options{Form: codec.FormSealed})
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
// twice, bytes that are not UTF-8, half surrogate pairs, signatures, nesting.
func TestAgainstEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mutated().Draw(t, "text")
		_, want := accepts(text)
		_, err := codec.DecodeJSONValue(text, codec.Options{RoundNumbers: true})
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
		v, err := codec.DecodeJSONValue(text, codec.Options{})
		if err != nil {
			return
		}
		out, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if err != nil {
			t.Fatalf("%q was read, and not written: %v", text, err)
		}
		var before, after any
		if json.Unmarshal(text, &before) != nil || json.Unmarshal(out, &after) != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q came out as %q", text, out)
		}
	})
}
