package codec_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
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

// What the fast path reads is what the slow one reads; what it gives up is for the
// slow one, so that there is one meaning and one error.
func TestJSONFastPath(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		text := jsonTexts().Draw(t, "text")
		o := codec.Options{
			Numbers: rapid.SampledFrom([]codec.Numbers{codec.RejectInexact, codec.RoundInexact}).Draw(t, "numbers"),
			Depth:   rapid.SampledFrom([]int{0, 4, 6, 9}).Draw(t, "depth"),
			Form:    rapid.SampledFrom([]codec.Form{codec.FormWire, codec.FormState}).Draw(t, "form"),
		}
		if sameJSON(t, text, o) {
			taken++
		}
	})
	t.Logf("%d texts by the fast path", taken)
	if taken == 0 {
		t.Error("the fast path was never taken")
	}
}

func sameJSON(t rapid.TB, text string, o codec.Options) (fast bool) {
	slow, slowErr := codec.DecodeJSONSlowly(text, o)
	v, ok := codec.DecodeJSONFast(text, o)
	if ok && (slowErr != nil || !v.Identical(slow)) {
		t.Fatalf("%q: the fast path has %#v, the other %#v, %v", text, v, slow, slowErr)
	}
	if !ok && slowErr == nil && strings.Count(text, "e400")+strings.Count(text, "993") == 0 {
		t.Fatalf("%q: the fast path gives up on %#v", text, slow)
	}
	var report codec.Report
	o.Report = &report
	both, err := codec.DecodeJSONText(text, o)
	if (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() || err == nil && !both.Identical(slow) {
		t.Fatalf("%q: %#v, %v; slowly %#v, %v", text, both, err, slow, slowErr)
	}
	if ok && len(report.Rounded) > 0 && o.Numbers == codec.RejectInexact {
		t.Fatalf("%q: rounded", text)
	}
	return ok
}

func FuzzJSONFastPath(f *testing.F) {
	for _, text := range fragments() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		slow, err := codec.DecodeJSONSlowly(text, codec.Options{})
		if v, ok := codec.DecodeJSONFast(text, codec.Options{}); ok != (err == nil) || ok && !v.Identical(slow) {
			t.Fatalf("%q: %#v, %t; slowly %#v, %v", text, v, ok, slow, err)
		}
	})
}

// Large and deep texts, and those whose strings end anywhere in the eight bytes that
// are looked at together.
func TestJSONFastPathEdges(t *testing.T) {
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
