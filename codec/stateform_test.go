package codec_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"
)

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
		_, err := codec.DecodeJSON([]byte(`{"a":[`+row.text+`]}`), codec.Options{Form: codec.FormState})
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
		_, fromBytes := codec.DecodeStruct(data, codec.Options{})
		_, fromMessage := codec.FromStruct(&message, codec.Options{})
		for _, err := range []error{fromBytes, fromMessage} {
			if !errors.Is(err, codec.ErrSignature) {
				t.Errorf("%s: %v", text, err)
			}
		}
		if _, err := codec.DecodeJSON([]byte(`{"a":`+text+`}`), codec.Options{}); err != nil {
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
		"DecodeJSON":   func() (value.Value, error) { return codec.DecodeJSON([]byte(text), codec.Options{}) },
		"DecodeStruct": func() (value.Value, error) { return codec.DecodeStruct(data, codec.Options{}) },
		"FromStruct":   func() (value.Value, error) { return codec.FromStruct(&message, codec.Options{}) },
	} {
		if v, err := read(); err != nil || !v.Identical(want) {
			t.Errorf("%s: %#v, %v", name, v, err)
		}
	}
	if v := decode(t, text, codec.Options{Form: codec.FormState}); !v.Field("a").Identical(str(anyBool)) {
		t.Errorf("in state form: %#v", v.Field("a"))
	}
}

// stated is what a state file keeps of a value: no hints and no dependencies.
func stated(v value.Value) value.Value {
	out := v.DropSecret().DropDependencies()
	switch v.Kind() {
	case value.KindArray:
		var elems []value.Value
		for _, e := range out.Elems() {
			elems = append(elems, stated(e))
		}
		out = value.Array(elems...)
	case value.KindObject:
		var members []value.Member
		for k, e := range out.Members() {
			members = append(members, member(k, stated(e)))
		}
		out = value.Object(members...)
	case value.KindUnknown:
		out = value.Unknown()
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindSealed:
	}
	if v.OwnSecret() {
		out = value.Secret(out)
	}
	return out
}

// Law 13 in state form: what is written reads back Identical, but for hints; and
// writing fails for dependencies and what the sealed form refuses.
func TestStateFormRoundTrip(t *testing.T) {
	state := codec.Options{Form: codec.FormState}
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "v")
		if _, err := codec.EncodeJSON(v, state); err == nil && v.ContainsDependencies() {
			t.Fatal("dependencies were dropped")
		}
		want := stated(v)
		text, err := codec.EncodeJSON(want, state)
		if err != nil {
			if !errors.Is(err, codec.ErrSealed) && !unwritable(want, codec.Options{}) {
				t.Fatal(err)
			}
			return
		}
		if back, err := codec.DecodeJSON(text, state); err != nil || !back.Identical(want) {
			t.Fatalf("%s\nread as %#v, %v\nwritten as %#v", text, back, err, want)
		}
	})
}
