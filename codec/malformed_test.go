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
		want   string
		found  string
	}{
		{here(), "", codec.ErrSyntax, "", 0, "value", "end of input"},
		{here(), " \n\t", codec.ErrSyntax, "", 3, "value", "end of input"},
		{here(), "\x7fELF\x02\x01", codec.ErrSyntax, "", 0, "value", "a control character"},
		{here(), "\xef\xbb\xbf{}", codec.ErrSyntax, "", 0, "value", "a byte outside ASCII"},
		{here(), "{} x", codec.ErrSyntax, "", 3, "end of input", "another character"},
		{here(), "{}{}", codec.ErrSyntax, "", 2, "end of input", "'{'"},
		{here(), "nul", codec.ErrSyntax, "", 3, "null", "end of input"},
		{here(), "[1,]", codec.ErrSyntax, "[1]", 3, "value", "']'"},
		{here(), "[1 2]", codec.ErrSyntax, "", 3, "',' or ']'", "a number"},
		{here(), `{"a":}`, codec.ErrSyntax, "a", 5, "value", "'}'"},
		{here(), `{"a":1,}`, codec.ErrSyntax, "", 7, "name in quotes", "'}'"},
		{here(), `{"a":1 "b"}`, codec.ErrSyntax, "", 7, "',' or '}'", `'"'`},
		{here(), `{"a":[{"b":1},{"c" 2}]}`, codec.ErrSyntax, "a[1]", 19, "':'", "a number"},
		{here(), `{"a":[{"b":1},{"c":tru}]}`, codec.ErrSyntax, "a[1].c", 22, "true", "'}'"},
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
		{here(), `{"a b":{"\n":tru}}`, codec.ErrSyntax, "[\"a b\"][\"\n\"]", 16, "true", "'}'"},
	} {
		v, err := codec.DecodeJSON([]byte(row.text), codec.Options{})
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
		{here(), "{\"a\\nb\":tru}", `codec: decode json: "[\"a\nb\"]": offset 11: syntax error: expected true, found '}'`},
		{here(), `{"a":{` + asSecret + `,"masked":true}}`, `codec: decode json: a: offset 5: secret contents were masked: expected its contents (write the text again, with secrets shown)`},
		{here(), `{"a":{"` + sigKey + `":"no such"}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected known signature, found text of 7 bytes as signature`},
		{here(), `{"a":{"` + sigKey + `":"0123456789abcdef0123456789abcdef"}}`, `codec: decode json: a: offset 5: malformed or reserved signature: expected known signature, found signature "0123456789abcdef0123456789abcdef"`},
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
		_, err := codec.DecodeJSON([]byte(`{"a":`+row.text+`}`), codec.Options{})
		e := failure(t, err)
		if !errors.Is(err, row.err) || e.Offset != 5 || e.At.String() != "a" || e.Want != row.want || e.Found != row.found || e.Op != "decode json" {
			t.Errorf("%s: %s: got %v", row.at, row.text, err)
		}
	}
}
