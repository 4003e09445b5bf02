// Package hostile has texts and numbers that parsers, printers and writers often get wrong.
package hostile

import (
	"math"
	"strings"

	"github.com/propalg/propalg/internal/test/sample"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// LongKey is how many bytes the longest of [Strings] has.
const LongKey = 64 << 10

// Strings returns strings that parsers, printers and writers often get wrong.
//
// The simple ones are first; the last has 64 KiB. Every one of them is valid as a
// string, as a key and as a step of a path.
func Strings() []string {
	return append(ShortStrings(), strings.Repeat("k", LongKey))
}

// ShortStrings is [Strings] without the long one.
func ShortStrings() []string {
	texts := []string{
		"", "*", `\`, `"`, "\x00", "\n", "\r\n", "\t", " ", ".", "[", "]", "[]", "[*]", `["*"]`,
		"a.b", "a[0]", `["a"]`, `a["b`, `x\`, `x.\`, `x[\`, `\"`, `"\`, `tags.C:\`, "..", "a..b", ".a", "a.",
		"0", "00", "-1", "+1", "1e3", "2147483648", "9223372036854775808", "NaN", "null", "true",
		"\xff", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\u2028", "\u2029", "\ufeff", "\u202e", "\U0001f600", "e\u0301",
		"\x1b[31m", "\x7f", "\u0085", "%s%n", "${a}", "<b>&amp;", "\\u0000", "[secret]", "[unknown]",
		"__proto__", "__defaults", "__internal", "__meta", "#initerror", "constructor",
		"urn:pulumi:", "urn:pulumi:s::p::t::n", "::", ":::",
		"value", "secret", "plaintext", "ciphertext", "dependencies", "id", "hash",
		sample.SignatureKey, sample.SignatureSecret, sample.SignatureOutput, sample.SignatureByteString,
	}

	return append(texts, sample.Sentinels()...)
}

// Numbers returns numbers that rapid's generators rarely draw.
//
// Among them are NaN, infinities, -0, and the limits of exact integers and of the
// range. The simple ones are first.
func Numbers() []float64 {
	const exact = 1 << 53 // beyond it some integers are missing

	return []float64{
		0, 1, -1, math.Copysign(0, -1), 0.1, exact - 1, exact, exact + 2, -exact, -exact - 2,
		1 << 31, 1<<31 - 1, 1 << 62, 1 << 63, -(1 << 63), 1 << 64, 1e15, 1e21, 1e23, 1e-7,
		math.SmallestNonzeroFloat64, 2.2250738585072014e-308, math.MaxFloat64, -math.MaxFloat64,
		math.Nextafter(1, 2), math.Pi, math.Inf(1), math.Inf(-1), math.NaN(),
		math.Float64frombits(0x7ff8000000000001), math.Float64frombits(0xfff0000000000001),
	}
}

// Indexes returns indexes, most of them out of the range of any array.
func Indexes() []int {
	return []int{
		0, 1, 2, -1, path.MaxIndex, path.MaxIndex - 1, math.MinInt, math.MaxInt,
		math.MaxInt / 2, math.MaxInt32, math.MinInt32, 50_000_000,
	}
}

// NumberTexts returns JSON numbers that careless decoders change.
//
// Among them are 2^53+1, -0, and numbers that are rounded or out of range.
func NumberTexts() []string {
	return []string{
		"0", "-0", "-0.0", "0e9", "1.0", "1e0", "0.1", "1e23", "9007199254740992", "9007199254740993",
		"-9007199254740993", "9007199254740994", "9007199254740993.0", "90071992547409930e-1",
		"18446744073709551615", "18446744073709551616", "9223372036854775807", "1e308", "1.7976931348623157e308",
		"1.7976931348623159e308", "1e309", "-1e309", "1e-400", "5e-324", "4.9e-324", "2.4703282292062327e-324",
		"0.1000000000000000055511151231257827", "0.30000000000000004", "1e+2", "1E2", "1e999999999", "1e-999999999",
		"123456789012345678901234567890", "0.0000000000000000000000000000001", "1" + strings.Repeat("0", 400),
		"0." + strings.Repeat("3", 400), "100000000000000000000000", "1e22",
	}
}

// Texts returns texts for parsers of JSON: broken, cut, repeated, too deep.
//
// All are short except those of the given depth, which have a few bytes per level.
func Texts(depth int) []string {
	key := `"` + sample.SignatureKey + `"`

	return []string{
		"", " ", "null", "{}", "[]", `""`, "tru", "nulll", "{", "}", "[", `{"a"`, `{"a":`, `{"a":1,}`, "[1,]", "[,1]", "01", "+1",
		".5", "1.", "1e", "- 1", "NaN", "Infinity", "'a'", `"a`, `"\`, `"\u12`, `"\ud800"`, `"\udc00\ud800"`, `"\ud83d\ude00"`,
		"\"\xff\"", "\"\x00\"", "\"\n\"", "\ufeff{}", "{} {}", "{}x", "/**/{}", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"":{"":{"":null}}}`,
		`{` + key + `:"` + sample.SignatureSecret + `","value":"x"}`, `{` + key + `:"` + sample.SignatureSecret + `"}`,
		`{` + key + `:"` + sample.SignatureSecret + `","ciphertext":"AAABAK"}`, `{` + key + `:"` + sample.SignatureSecret + `","plaintext":"\"x\""}`,
		`{` + key + `:"` + sample.SignatureSecret + `","plaintext":"{"}`, `{` + key + `:"` + sample.SignatureSecret + `","masked":true}`,
		`{` + key + `:"` + sample.SignatureOutput + `","secret":true,"dependencies":["b","a","a"]}`, `{` + key + `:"` + sample.SignatureOutput + `","secret":1}`,
		`{` + key + `:"` + sample.SignatureAsset + `","text":"a","path":"b"}`, `{` + key + `:"` + sample.SignatureAsset + `","hash":"00"}`, `{` + key + `:"` + sample.SignatureAsset + `"}`,
		`{` + key + `:"` + sample.SignatureArchive + `","assets":{"a":1}}`, `{` + key + `:"` + sample.SignatureArchive + `","hash":"00"}`,
		`{` + key + `:"` + sample.SignatureReference + `","urn":"u","id":""}`, `{` + key + `:"` + sample.SignatureReference + `"}`,
		`{` + key + `:"` + sample.SignatureByteString + `","value":"/w=="}`, `{` + key + `:"` + sample.SignatureByteString + `","value":"%"}`,
		`{` + key + `:"ffffffffffffffffffffffffffffffff"}`, `{` + key + `:7}`, `"` + sample.SentinelNumber + `"`,
		strings.Repeat("[", depth), strings.Repeat(`{"a":`, depth), strings.Repeat("[", depth) + strings.Repeat("]", depth), strings.Repeat(`[{"a":`, depth/2),
	}
}

// Deep returns leaf nested in depth containers, arrays and objects in turn.
//
// The innermost container is an array; each object has the one key "k". Deep panics if the
// result is nested deeper than [value.MaxDepth].
func Deep(depth int, leaf value.Value) value.Value {
	v := leaf
	for i := range depth {
		if i%2 == 0 {
			v = value.Array(v)
		} else {
			v = value.Object(value.Member{Key: "k", Value: v})
		}
	}

	return v
}
