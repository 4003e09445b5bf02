package codec_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

const ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// form is a value and its texts: the first is what is written, all are read as
// the value.
type form struct {
	at    string
	v     value.Value
	texts []string
}

func plainForms() []form {
	return []form{
		{here(), value.Null(), []string{`null`, ` null `}},
		{here(), value.Bool(true), []string{`true`}},
		{here(), num(-17), []string{`-17`, `-17.0`, `-1.7e1`, `-170E-1`}},
		{here(), num(1e21), []string{`1e+21`, `1000000000000000000000`}},
		{here(), num(1e-7), []string{`1e-07`, `0.0000001`}},
		{here(), num(123456789012), []string{`123456789012`}},
		{here(), str("a\"\\/\b\f\n\r\t\x01é\u2028<"), []string{`"a\"\\/\b\f\n\r\t\u0001é` + "\u2028" + `<"`, `"a\u0022\u005c\/\u0008\u000c\u000A\u000d\u0009\u0001\u00e9\u2028\u003c"`}},
		{here(), value.Array(), []string{`[]`, `[ ]`}},
		{here(), object(), []string{`{}`, "{\n}"}},
		{here(), object(member("b", num(1)), member("a", value.Array(num(2), value.Null()))), []string{`{"a":[2,null],"b":1}`, "{ \"b\" : 1 ,\t\"a\" : [ 2 ,\r\nnull ] }"}},

		{here(), value.Unknown(), []string{`"` + anyString + `"`, `"\u00304da6b54-80e4-46f7-96ec-b56ff0331ba9"`}},
		{here(), value.UnknownOf(value.KindBool), []string{`"` + anyBool + `"`}},
		{here(), value.UnknownOf(value.KindNumber), []string{`"3eeb2bf0-c639-47a8-9e75-3b44932eb421"`}},
		{here(), value.UnknownOf(value.KindArray), []string{`"6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"`}},
		{here(), value.UnknownOf(value.KindObject), []string{`"dd056dcd-154b-4c76-9bd3-c8f88648b5ff"`}},
		{here(), value.UnknownOf(value.KindAsset), []string{`"030794c1-ac77-496b-92df-f27374a8bd58"`}},
		{here(), value.UnknownOf(value.KindArchive), []string{`"e48ece36-62e2-4504-bad9-02848725956a"`}},
	}
}

func markForms() []form {
	return []form{
		{here(), value.Secret(num(1)), []string{
			`{` + asSecret + `,"value":1}`, `{"value":1,` + asSecret + `}`, `{` + asSecret + `,"plaintext":" 1 "}`,
			`{` + asSecret + `,"value":{` + asSecret + `,"value":1}}`, `{` + asSecret + `,"value":1,"more":[{}]}`,
			`{` + asOutput + `,"value":1,"secret":true}`, `{` + asOutput + `,"value":{` + asSecret + `,"value":1},"dependencies":[]}`,
		}},
		{here(), value.Secret(value.Null()), []string{`{` + asSecret + `,"value":null}`, `{` + asSecret + `,"plaintext":"null"}`}},
		{here(), value.Secret(value.Unknown()), []string{`{` + asSecret + `,"value":"` + anyString + `"}`, `{` + asOutput + `,"secret":true}`}},
		{here(), value.Secret(value.Array(value.Secret(str("s")))), []string{
			`{` + asSecret + `,"value":[{` + asSecret + `,"value":"s"}]}`,
			`{` + asSecret + `,"plaintext":"[{\"` + sigKey + `\":\"1b47061264138c4ac30d75fd1eb44270\",\"plaintext\":\"\\\"s\\\"\"}]"}`,
		}},
		{here(), value.Unknown().WithDependencies(urnA), []string{
			`{` + asOutput + `,"dependencies":["` + urnA + `"]}`,
			`{` + asOutput + `,"dependencies":["` + urnA + `","` + urnA + `"],"value":"` + anyBool + `","secret":false}`,
		}},
		{here(), value.Secret(str("x").WithDependencies(urnB, urnA)), []string{
			`{` + asOutput + `,"dependencies":["` + urnA + `","` + urnB + `"],"secret":true,"value":"x"}`,
			`{` + asSecret + `,"value":{` + asOutput + `,"dependencies":["` + urnB + `","` + urnA + `","` + urnB + `"],"value":"x"}}`,
			`{` + asOutput + `,"dependencies":["` + urnB + `"],"secret":true,"value":{` + asOutput + `,"dependencies":["` + urnA + `"],"value":"x"}}`,
		}},
		{here(), str("x"), []string{`"x"`, `{` + asOutput + `,"value":"x"}`}},
		{here(), value.Unknown(), []string{`"` + anyString + `"`, `{` + asOutput + `}`}},
		{here(), value.Null().WithDependencies("no urn"), []string{`{` + asOutput + `,"dependencies":["no urn"],"value":null}`}},
	}
}

func blobForms(t *testing.T) []form {
	t.Helper()
	return []form{
		{here(), value.TextAsset("hello"), []string{`{` + asAsset + `,"hash":"` + hash + `","text":"hello"}`, `{` + asAsset + `,"text":"hello","path":"","uri":""}`}},
		{here(), value.TextAsset(""), []string{`{` + asAsset + `,"hash":"` + ofNothing + `"}`, `{` + asAsset + `}`, `{` + asAsset + `,"text":""}`, `{` + asAsset + `,"text":"","path":""}`}},
		{here(), value.TextAsset("").WithHash(hash), []string{`{` + asAsset + `,"hash":"` + hash + `","text":""}`}},
		{here(), value.TextAsset("").WithHash(hash).DropContent(), []string{`{` + asAsset + `,"hash":"` + hash + `"}`, `{` + asAsset + `,"hash":"` + hash + `","text":"","path":"","uri":""}`}},
		{here(), value.FileAsset("p"), []string{`{` + asAsset + `,"path":"p"}`}},
		{here(), value.FileAsset(""), []string{`{` + asAsset + `,"path":""}`}},
		{here(), value.FileAsset("p").WithHash(hash), []string{`{` + asAsset + `,"hash":"` + hash + `","path":"p"}`, `{` + asAsset + `,"hash":"` + hash + `","path":"p","text":"","uri":"","x":1}`}},
		{here(), value.URIAsset("u"), []string{`{` + asAsset + `,"uri":"u"}`}},

		{here(), literal(t), []string{`{` + asArchive + `,"assets":{}}`, `{` + asArchive + `}`}},
		{here(), literal(t).WithHash(hash), []string{`{` + asArchive + `,"assets":{},"hash":"` + hash + `"}`, `{` + asArchive + `,"hash":"` + hash + `","assets":{},"path":""}`}},
		{here(), value.FileArchive("").WithHash(hash).DropContent(), []string{`{` + asArchive + `,"hash":"` + hash + `"}`, `{` + asArchive + `,"hash":"` + hash + `","path":"","uri":""}`}},
		{here(), value.FileArchive("p").WithHash(hash), []string{`{` + asArchive + `,"hash":"` + hash + `","path":"p"}`, `{` + asArchive + `,"hash":"` + hash + `","path":"p","assets":{},"__pulumiArchive":true}`}},
		{here(), value.URIArchive(""), []string{`{` + asArchive + `,"uri":""}`}},
		{
			here(),
			value.Array(literal(t, member("b", literal(t, member("", value.URIArchive("u")))), member("a", value.FileAsset("f"))).WithHash("H"), num(1)),
			[]string{`[{` + asArchive + `,"assets":{"a":{` + asAsset + `,"path":"f"},"b":{` + asArchive + `,"assets":{"":{` + asArchive + `,"uri":"u"}}}},"hash":"H"},1]`},
		},
		{here(), value.Secret(literal(t, member("a", value.FileAsset("f")))).WithDependencies("d"), []string{
			`{` + asOutput + `,"dependencies":["d"],"secret":true,"value":{` + asArchive + `,"assets":{"a":{` + asAsset + `,"path":"f"}}}}`,
		}},
	}
}

func otherForms() []form {
	ref := value.ResourceReference{URN: urnA}
	withID, unknownID := ref, ref
	withID.ID, unknownID.ID = value.KnownID("i"), value.UnknownID()
	full := value.ResourceReference{URN: urnA, ID: value.KnownID("i"), PackageVersion: "1.2.3", Name: "n", Type: "t:t:T"}
	return []form{
		{here(), ref.Value(), []string{`{` + asReference + `,"urn":"` + urnA + `"}`, `{` + asReference + `,"urn":"` + urnA + `","packageVersion":"","other":{}}`}},
		{here(), withID.Value(), []string{`{` + asReference + `,"id":"i","urn":"` + urnA + `"}`}},
		{here(), unknownID.Value(), []string{`{` + asReference + `,"id":"","urn":"` + urnA + `"}`, `{` + asReference + `,"id":"` + anyString + `","urn":"` + urnA + `"}`, `{` + asReference + `,"id":"` + anyBool + `","urn":"` + urnA + `"}`}},
		{here(), full.Value(), []string{`{` + asReference + `,"id":"i","name":"n","packageVersion":"1.2.3","type":"t:t:T","urn":"` + urnA + `"}`}},

		{here(), str("\xff\x00"), []string{`{` + asByteString + `,"value":"/wA="}`}},
		{here(), str(anyString), []string{`{` + asByteString + `,"value":"MDRkYTZiNTQtODBlNC00NmY3LTk2ZWMtYjU2ZmYwMzMxYmE5"}`}},
		{here(), str("utf8"), []string{`"utf8"`, `{` + asByteString + `,"value":"dXRmOA=="}`}},
	}
}

func TestForms(t *testing.T) {
	for _, row := range slices.Concat(plainForms(), markForms(), blobForms(t), otherForms()) {
		if got := encode(t, row.v, codec.Options{}); got != row.texts[0] {
			t.Errorf("%s: wrote %s\nwant %s", row.at, got, row.texts[0])
		}
		for _, text := range row.texts {
			if v := decode(t, text, codec.Options{}); !v.Identical(row.v) {
				t.Errorf("%s: %s was read as something else", row.at, text)
			}
		}
	}
}

func TestSealed(t *testing.T) {
	text := `{"a":{` + asSecret + `,"ciphertext":"v1:abc"}}`
	v := decode(t, text, codec.Options{Provider: "passphrase"})
	s, ok := v.Field("a").AsSealed()
	if !ok || s != (value.Sealed{Ciphertext: "v1:abc", Provider: "passphrase"}) || !v.Field("a").IsSecret() {
		t.Errorf("read as %+v, %v", s, ok)
	}
	if got := encode(t, v, codec.Options{Form: codec.FormSealed}); got != text {
		t.Errorf("wrote %s", got)
	}
	_, err := codec.AppendJSONValue(nil, v, codec.Options{})
	if e := failure(t, err); !errors.Is(e, codec.ErrSealed) || e.At.String() != "a" {
		t.Errorf("got %v", err)
	}
	marked := v.Field("a").WithDependencies("d")
	if got := decode(t, encode(t, marked, codec.Options{Form: codec.FormSealed}), codec.Options{Provider: "passphrase"}); !got.Identical(marked) {
		t.Error("a sealed secret with dependencies does not survive")
	}
}

func TestMasked(t *testing.T) {
	v := object(
		member("a", value.Secret(object(member("k", str("\xff"))))), member("b", value.Array(value.Sealed{Ciphertext: "c"}.Value())),
		member("c", value.Secret(value.Unknown()).WithDependencies("d")), member("d", num(1)),
	)
	o := codec.Options{Form: codec.FormMasked, ByteStrings: codec.Reject}
	masked := `{` + asSecret + `,"masked":true}`
	want := `{"a":` + masked + `,"b":[` + masked + `],"c":` + masked + `,"d":1}`
	if got := encode(t, v, o); got != want {
		t.Errorf("wrote %s\nwant %s", got, want)
	}
	if got := encode(t, value.Secret(v).Field("d"), o); got != masked {
		t.Errorf("wrote %s of a part of a secret", got)
	}
	if _, err := codec.AppendJSONValue(nil, value.Secret(num(1)), codec.Options{Form: codec.FormMasked, Depth: 2}); !errors.Is(err, codec.ErrDepth) {
		t.Errorf("beyond the limit: %v", err)
	}
	_, err := codec.DecodeJSONValue([]byte(want), codec.Options{})
	if e := failure(t, err); !errors.Is(e, codec.ErrMasked) || e.At.String() != "a" || e.Offset != 5 {
		t.Errorf("got %v", err)
	}
}

// What a handle has inherited is written, and redundant marks are kept.
func TestMarksAreWritten(t *testing.T) {
	inner := value.Secret(object(member("x", value.Secret(num(1))), member("y", num(2))))
	for _, v := range []value.Value{inner, object(member("o", inner)), inner.Field("x"), inner.Field("y"), value.Array(inner.Field("y"), inner)} {
		text := encode(t, v, codec.Options{})
		got := decode(t, text, codec.Options{})
		if !got.Identical(v) || got.IsSecret() != v.IsSecret() {
			t.Errorf("%s is not what was written", text)
		}
	}
}

func TestBagIsObject(t *testing.T) {
	bag, err := codec.DecodeJSON([]byte(`{`+asSecret+`,"value":{"a":1}}`), codec.Options{})
	if err != nil || !bag.IsSecret() || bag.Kind() != value.KindObject {
		t.Errorf("a secret bag: %v, %v", bag, err)
	}
	_, err = codec.DecodeJSON([]byte(" \n"+`{`+asSecret+`,"ciphertext":"c"}`), codec.Options{})
	if e := failure(t, err); !errors.Is(e, codec.ErrKind) || e.Offset != 2 {
		t.Errorf("a sealed bag: %v", err)
	}
}

// float is a number of a state file, by its bits.
func float(bits string) string {
	return `{"` + sigKey + `":"8ad145fe-0d11-4827-bfd7-1abcbf086f5c","value":` + bits + `}`
}

// What is malformed in the forms that only state files have is an error of its place.
func TestMalformedStateForms(t *testing.T) {
	id := func(id string) string { return `{` + asReference + `,"urn":"` + urnA + `","id":` + id + `}` }
	for _, row := range []struct{ at, text, want string }{
		{here(), float(`"7ff000000000000g"`), "expected 64 bits in hexadecimal digits as value, found another text"},
		{here(), float(`"17ff0000000000000"`), "expected 64 bits in hexadecimal digits as value, found another text"},
		{here(), float(`""`), "expected 64 bits in hexadecimal digits as value, found another text"},
		{here(), float(`1`), "expected string as value, found number"},
		{here(), `{"` + sigKey + `":"8ad145fe-0d11-4827-bfd7-1abcbf086f5c"}`, "expected value, found none"},
		{here(), id(`{"V":1}`), "expected string as id, found object"},
		{here(), id(`{"V":["i"]}`), "expected string as id, found object"},
		{here(), id(`{"V":"` + anyString + `"}`), "expected string as id, found object"},
		{here(), id(`{"V":{` + asSecret + `,"value":"i"}}`), "expected string as id, found object"},
		{here(), id(`{` + asSecret + `,"value":{"V":"i"}}`), "expected string as id, found secret object"},
		{here(), id(`null`), "expected string as id, found null"},
	} {
		_, err := codec.DecodeJSONValue([]byte(`{"a":[`+row.text+`]}`), codec.Options{Form: codec.FormState})
		if e := failure(t, err); !errors.Is(err, codec.ErrSignature) || e.At.String() != "a[0]" || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.at, err)
		}
	}
}

// On the wire these forms mean nothing, as for Pulumi's SDK.
func TestStateFormsInBytes(t *testing.T) {
	for _, text := range []string{float(`"7ff0000000000000"`), `{` + asReference + `,"urn":"` + urnA + `","id":{"V":"i"}}`} {
		var message structpb.Struct
		if err := message.UnmarshalJSON([]byte(`{"a":` + text + `}`)); err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(&message)
		if err != nil {
			t.Fatal(err)
		}
		_, fromBytes := codec.Decode(data, codec.Options{})
		_, fromMessage := codec.FromMessage(&message, codec.Options{})
		for _, err := range []error{fromBytes, fromMessage} {
			if !errors.Is(err, codec.ErrSignature) {
				t.Errorf("%s: %v", text, err)
			}
		}
		if _, err := codec.DecodeJSONValue([]byte(`{"a":`+text+`}`), codec.Options{}); err != nil {
			t.Errorf("%s as text: %v", text, err)
		}
	}
}

// A plaintext is in state form whatever the text around it is in, in every reader.
func TestPlaintextIsStateForm(t *testing.T) {
	plain := `["` + anyBool + `","` + anyString + `",` + float(`"7ff0000000000000"`) + `,{` + asSecret + `,"ciphertext":"[\"` + anyBool + `\"]"}]`
	text := `{"a":"` + anyBool + `","s":{` + asSecret + `,"plaintext":` + strconv.Quote(plain) + `}}`
	want := object(
		member("a", value.UnknownOf(value.KindBool)),
		member("s", value.Secret(value.Array(str(anyBool), value.Unknown(), num(math.Inf(1)), value.Secret(value.Array(str(anyBool)))))),
	)
	var message structpb.Struct
	if err := message.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	data, err := proto.Marshal(&message)
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (value.Value, error){
		"DecodeJSON":  func() (value.Value, error) { return codec.DecodeJSONValue([]byte(text), codec.Options{}) },
		"Decode":      func() (value.Value, error) { return codec.Decode(data, codec.Options{}) },
		"FromMessage": func() (value.Value, error) { return codec.FromMessage(&message, codec.Options{}) },
	} {
		if v, err := read(); err != nil || !v.Identical(want) {
			t.Errorf("%s: %#v, %v", name, v, err)
		}
	}
	if v := decode(t, text, codec.Options{Form: codec.FormState}); !v.Field("a").Identical(str(anyBool)) {
		t.Errorf("in state form: %#v", v.Field("a"))
	}
}

// Of several texts of another kind the first is reported.
func TestFirstWrongText(t *testing.T) {
	text := `{"` + codec.SignatureKey + `":"5cf8f73096256a8f31e491e813e4eb8e","urn":1,"name":true}`
	_, err := codec.DecodeJSONValue(text, codec.Options{})
	const want = "expected string as urn, found number"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
