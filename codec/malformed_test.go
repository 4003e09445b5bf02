package codec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
)

func TestDecodeMalformedText(t *testing.T) {
	for _, row := range []struct {
		at     string
		text   string
		err    error
		path   string
		offset int
	}{
		{here(), "", codec.ErrSyntax, "", 0},
		{here(), " \n\t", codec.ErrSyntax, "", 3},
		{here(), "\x7fELF\x02\x01", codec.ErrSyntax, "", 0},
		{here(), "\xef\xbb\xbf{}", codec.ErrSyntax, "", 0},
		{here(), "{} x", codec.ErrSyntax, "", 3},
		{here(), "{}{}", codec.ErrSyntax, "", 2},
		{here(), "nul", codec.ErrSyntax, "", 3},
		{here(), "[1,]", codec.ErrSyntax, "[1]", 3},
		{here(), "[1 2]", codec.ErrSyntax, "", 3},
		{here(), `{"a":}`, codec.ErrSyntax, "a", 5},
		{here(), `{"a":1,}`, codec.ErrSyntax, "", 7},
		{here(), `{"a":1 "b"}`, codec.ErrSyntax, "", 7},
		{here(), `{"a":[{"b":1},{"c" 2}]}`, codec.ErrSyntax, "a[1]", 19},
		{here(), `{"a":[{"b":1},{"c":tru}]}`, codec.ErrSyntax, "a[1].c", 22},
		{here(), `{"a":[01]}`, codec.ErrSyntax, "a", 7},
		{here(), `{"a":1.}`, codec.ErrSyntax, "a", 7},
		{here(), `{"a":-}`, codec.ErrSyntax, "a", 6},
		{here(), `{"a":1e}`, codec.ErrSyntax, "a", 7},
		{here(), `{"a":NaN}`, codec.ErrSyntax, "a", 5},
		{here(), "{\"a\":\"x\ny\"}", codec.ErrSyntax, "a", 7},
		{here(), `{"a":"x\q"}`, codec.ErrSyntax, "a", 8},
		{here(), `{"a":"x`, codec.ErrSyntax, "a", 7},
		{here(), `{"a":"\u00"}`, codec.ErrSyntax, "a", 10},
		{here(), "{\"a\":\"x\xffy\"}", codec.ErrUTF8, "a", 7},
		{here(), "{\"a\xff\":1}", codec.ErrUTF8, "", 3},
		{here(), `{"a":["\ud800"]}`, codec.ErrUTF8, "a[0]", 7},
		{here(), `{"a":["\udc00\ud800"]}`, codec.ErrUTF8, "a[0]", 7},
		{here(), `{"\ud83d":1}`, codec.ErrUTF8, "", 2},
		{here(), `{"a":1,"b":{"c":1,"d":2,"c":3}}`, codec.ErrDuplicate, "b", 24},
		{here(), `{"a":1,"\u0061":2}`, codec.ErrDuplicate, "", 7},
		{here(), `{"a":[9007199254740993]}`, codec.ErrNumber, "a[0]", 6},
		{here(), `{"a":{"b":-1e400}}`, codec.ErrNumber, "a.b", 10},
		{here(), `1e-400`, codec.ErrNumber, "", 0},
		{here(), `[0,0.1000000000000000055511151231257827]`, codec.ErrNumber, "[1]", 3},
		{here(), `1e999999999`, codec.ErrNumber, "", 0},
		{here(), `{"a b":{"\n":tru}}`, codec.ErrSyntax, "[\"a b\"][\"\n\"]", 16},
	} {
		v, err := codec.DecodeJSON([]byte(row.text), codec.Options{})
		e := failure(t, err)
		if !errors.Is(err, row.err) || e.Offset != row.offset || e.At.String() != row.path {
			t.Errorf("%s: %q: got %v (path %q, offset %d)", row.at, row.text, err, e.At, e.Offset)
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
		{here(), "{\"a\\nb\":tru}", `codec: decode json: "[\"a\nb\"]": offset 11: syntax error: expected true, found '}'`},
		{here(), `{"a":{` + asSecret + `,"masked":true}}`, `codec: decode json: a: offset 5: secret was masked when this was written: expected its contents (write the text again, with secrets shown)`},
		{here(), `{"a":{"` + sigKey + `":"no such"}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected known signature, found signature "no such"`},
		{here(), `{"a":{` + asSecret + `}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected one of value, ciphertext, plaintext, found none`},
		{here(), `[1]`, `codec: decode json: offset 0: wrong kind: expected object, found array`},
	} {
		_, err := codec.DecodeJSONBag([]byte(row.text), codec.Options{})
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
		found string
	}{
		{here(), `{"` + sigKey + `":"0000"}`, codec.ErrSignature, `signature "0000"`},
		{here(), `{"` + sigKey + `":"` + strings.Repeat("x", 100) + `"}`, codec.ErrSignature, `signature "` + strings.Repeat("x", 40) + `"...`},
		{here(), `{"` + sigKey + `":5}`, codec.ErrSignature, "number"},
		{here(), `{"` + sigKey + `":null}`, codec.ErrSignature, "null"},
		{here(), `{"` + sigKey + `":"` + anyString + `"}`, codec.ErrSignature, "unknown"},
		{here(), `{` + asSecret + `}`, codec.ErrSignature, "none"},
		{here(), `{` + asSecret + `,"value":1,"ciphertext":"c"}`, codec.ErrSignature, "value and ciphertext"},
		{here(), `{` + asSecret + `,"plaintext":"1","ciphertext":"c"}`, codec.ErrSignature, "ciphertext and plaintext"},
		{here(), `{` + asSecret + `,"ciphertext":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asSecret + `,"ciphertext":null}`, codec.ErrSignature, "null"},
		{here(), `{` + asSecret + `,"plaintext":{}}`, codec.ErrSignature, "object"},
		{here(), `{` + asSecret + `,"plaintext":"` + anyString + `"}`, codec.ErrSignature, "unknown"},
		{here(), `{` + asSecret + `,"masked":false}`, codec.ErrSignature, "bool"},
		{here(), `{` + asSecret + `,"masked":true}`, codec.ErrMasked, ""},
		{here(), `{` + asSecret + `,"masked":true,"value":1}`, codec.ErrMasked, ""},
		{here(), `{` + asAsset + `,"text":"t","path":"p"}`, codec.ErrSignature, "text and path"},
		{here(), `{` + asAsset + `,"path":"p","uri":"u"}`, codec.ErrSignature, "path and uri"},
		{here(), `{` + asAsset + `,"text":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asAsset + `,"text":"` + anyString + `"}`, codec.ErrSignature, "unknown"},
		{here(), `{` + asAsset + `,"text":` + secretly(`"t"`) + `}`, codec.ErrSignature, "secret string"},
		{here(), `{` + asAsset + `,"path":null}`, codec.ErrSignature, "null"},
		{here(), `{` + asAsset + `,"hash":[]}`, codec.ErrSignature, "array"},
		{here(), `{` + asArchive + `,"assets":[]}`, codec.ErrSignature, "array"},
		{here(), `{` + asArchive + `,"assets":null}`, codec.ErrSignature, "null"},
		{here(), `{` + asArchive + `,"assets":{"x":1}}`, codec.ErrSignature, "number"},
		{here(), `{` + asArchive + `,"assets":{"x":` + secretly(`{`+asAsset+`}`) + `}}`, codec.ErrSignature, "secret asset"},
		{here(), `{` + asArchive + `,"assets":` + secretly(`{}`) + `}`, codec.ErrSignature, "secret object"},
		{here(), `{` + asArchive + `,"assets":{"x":{` + asAsset + `}},"path":"p"}`, codec.ErrSignature, "assets and path"},
		{here(), `{` + asArchive + `,"uri":"u","path":"p"}`, codec.ErrSignature, "path and uri"},
		{here(), `{` + asArchive + `,"hash":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asReference + `}`, codec.ErrSignature, "none"},
		{here(), `{` + asReference + `,"urn":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asReference + `,"urn":"` + anyString + `"}`, codec.ErrSignature, "unknown"},
		{here(), `{` + asReference + `,"urn":"u","id":null}`, codec.ErrSignature, "null"},
		{here(), `{` + asReference + `,"urn":"u","id":` + secretly(`"i"`) + `}`, codec.ErrSignature, "secret string"},
		{here(), `{` + asReference + `,"urn":"u","packageVersion":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asReference + `,"urn":"u","name":[]}`, codec.ErrSignature, "array"},
		{here(), `{` + asReference + `,"urn":"u","type":{}}`, codec.ErrSignature, "object"},
		{here(), `{` + asOutput + `,"secret":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asOutput + `,"dependencies":"u"}`, codec.ErrSignature, "string"},
		{here(), `{` + asOutput + `,"dependencies":[1]}`, codec.ErrSignature, "number"},
		{here(), `{` + asOutput + `,"dependencies":["` + anyString + `"]}`, codec.ErrSignature, "unknown"},
		{here(), `{` + asOutput + `,"dependencies":[` + secretly(`"u"`) + `]}`, codec.ErrSignature, "secret string"},
		{here(), `{` + asByteString + `}`, codec.ErrSignature, "none"},
		{here(), `{` + asByteString + `,"value":1}`, codec.ErrSignature, "number"},
		{here(), `{` + asByteString + `,"value":"!"}`, codec.ErrSignature, "another text"},
		{here(), `{` + asByteString + `,"value":"/w"}`, codec.ErrSignature, "another text"},
	} {
		_, err := codec.DecodeJSON([]byte(`{"a":`+row.text+`}`), codec.Options{})
		e := failure(t, err)
		if !errors.Is(err, row.err) || e.Offset != 5 || e.At.String() != "a" || e.Found != row.found {
			t.Errorf("%s: %s: got %v", row.at, row.text, err)
		}
	}
}
