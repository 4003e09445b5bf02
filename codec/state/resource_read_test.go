package state_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

const (
	anyNumber   = "3eeb2bf0-c639-47a8-9e75-3b44932eb421"
	anyText     = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
	asFloat     = `"4dabf18193072939515e22adb298388d":"8ad145fe-0d11-4827-bfd7-1abcbf086f5c"`
	asReference = `"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e"`
)

// member is an object of one member.
func member(key string, v value.Value) value.Value {
	return value.Object(value.Member{Key: key, Value: v})
}

// Engines encrypt the outermost secret only: within its plaintext, an inner one has
// its JSON in clear as `ciphertext`, or as `plaintext` where secrets were shown.
// None of these is decrypted.
func TestSecretsInsideSecrets(t *testing.T) {
	inner := cipher(`{"pin":` + cipher(`1234`) + `}`)
	for _, row := range []struct {
		at, plain string
		want      value.Value
	}{
		{here(), `{"pw":` + cipher(`"hunter2"`) + `}`, member("pw", value.Secret(value.String("hunter2")))},
		{here(), `[` + cipher(`"hunter2"`) + `,` + cipher(`null`) + `]`, value.Array(value.Secret(value.String("hunter2")), value.Secret(value.Null()))},
		{here(), cipher(`"hunter2"`), value.String("hunter2")},
		{here(), `{"a":` + inner + `}`, member("a", value.Secret(member("pin", value.Secret(value.Number(1234)))))},
		{here(), `{"a":{` + asSecret + `,"plaintext":"[true]"}}`, member("a", value.Secret(value.Array(value.Bool(true))))},
		{here(), `{"a":` + cipher(`{"b":{`+asSecret+`,"plaintext":"[true]"}}`) + `}`, member("a", value.Secret(member("b", value.Secret(value.Array(value.Bool(true))))))},
	} {
		want := member("x", value.Secret(row.want))
		v := knowing("c", row.plain)
		file, err := parse(t, export(withInputs(`{"x":`+cipher("c")+`}`))).Decrypt(v)
		if err != nil {
			t.Errorf("%s: %v", row.at, err)
			continue
		}
		if got := all(t, file)[0].Inputs; !got.Identical(want) || len(v.decrypts) != 1 || len(v.decrypts[0]) != 1 {
			t.Errorf("%s: opened by calls %q", row.at, v.decrypts)
		}
		shown := withInputs(`{"x":{` + asSecret + `,"plaintext":` + quoted(t, row.plain) + `}}`)
		if got := all(t, parse(t, export(shown)))[0].Inputs; !got.Identical(want) {
			t.Errorf("%s: shown, it is read as something else", row.at)
		}
	}
}

// What is wrong inside is an error of the place of the outermost secret, and has
// nothing of a plaintext in it; nor has a Decrypter.
func TestBrokenSecretsInsideSecrets(t *testing.T) {
	for _, row := range []struct {
		at, plain string
		err       error
	}{
		{here(), `{"pw":` + cipher(`xyzzy`) + `}`, codec.ErrSyntax},
		{here(), `{"pw":` + cipher(``) + `}`, codec.ErrSyntax},
		{here(), `{"xyzzy":` + cipher(`{"xyzzy":1e400}`) + `}`, codec.ErrNumber},
		{here(), `{"xyzzy":` + cipher(`{"xyzzy":1,"xyzzy":2}`) + `}`, codec.ErrDuplicate},
		{here(), `{"pw":{` + asSecret + `,"ciphertext":"1","plaintext":"1"}}`, codec.ErrSignature},
	} {
		v := knowing("c", row.plain)
		_, err := parse(t, export(withInputs(`{"x":`+cipher("c")+`}`))).Decrypt(v)
		if !errors.Is(err, row.err) || strings.Contains(fmt.Sprintf("%v %+v", err, errors.Unwrap(err)), "xyzzy") {
			t.Errorf("%s: %v", row.at, err)
		}
		if len(v.decrypts) != 1 {
			t.Errorf("%s: calls %q", row.at, v.decrypts)
		}
	}
}

// forms are values and their texts in state files; the first is what is written.
func forms() []struct {
	at    string
	v     value.Value
	texts []string
} {
	float := func(bits string) string { return `{` + asFloat + `,"value":"` + bits + `"}` }
	reference := func(id string) string { return `{` + asReference + id + `,"urn":"` + urnA + `"}` }
	ref := value.ResourceReference{URN: urnA}
	known, unknown := ref, ref
	known.ID, unknown.ID = value.KnownID("i-1"), value.UnknownID()
	return []struct {
		at    string
		v     value.Value
		texts []string
	}{
		{here(), value.Number(math.Inf(1)), []string{float("7ff0000000000000"), float("7FF0000000000000"), float("00007ff0000000000000")}},
		{here(), value.Number(math.Inf(-1)), []string{float("fff0000000000000")}},
		{here(), value.Number(math.NaN()), []string{float("7ff8000000000001")}},
		{here(), value.Number(1), []string{`1`, float("3ff0000000000000")}},
		{here(), value.Number(0), []string{`0`, float("0")}},
		{here(), ref.Value(), []string{reference(``), reference(`,"id":{"V":null}`), reference(`,"id":{}`)}},
		{here(), known.Value(), []string{reference(`,"id":"i-1"`), reference(`,"id":{"V":"i-1"}`)}},
		{here(), unknown.Value(), []string{reference(`,"id":""`), reference(`,"id":{"V":{}}`), reference(`,"id":{"V":{"Element":{"V":""}}}`), reference(`,"id":{"V":""}`), reference(`,"id":"` + anyText + `"`)}},
		{here(), value.Unknown(), []string{`"` + anyText + `"`}},
		{here(), value.Secret(value.Unknown()), []string{`{` + asSecret + `,"plaintext":"\"` + anyText + `\""}`}},
		{here(), value.String(anyNumber), []string{`"` + anyNumber + `"`}},
		{here(), value.String(anyText), []string{`{"4dabf18193072939515e22adb298388d":"803fd3297a5875dc03ca845dda5d2a98","value":"MDRkYTZiNTQtODBlNC00NmY3LTk2ZWMtYjU2ZmYwMzMxYmE5"}`}},
		{here(), value.TextAsset(anyNumber), []string{`{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":"` + anyNumber + `"}`}},
	}
}

// What only state files have is read there and in the plaintexts of their secrets,
// and written as engines read it.
func TestFormsOfEngines(t *testing.T) {
	for _, row := range forms() {
		for i, text := range row.texts {
			bag := `{"a":` + text + `,"s":{` + asSecret + `,"plaintext":` + quoted(t, `[`+text+`]`) + `},"t":` + cipher("c") + `}`
			want := value.Object(
				value.Member{Key: "a", Value: row.v}, value.Member{Key: "s", Value: value.Secret(value.Array(row.v))},
				value.Member{Key: "t", Value: value.Secret(value.Array(row.v))},
			)
			sealed, err := state.Parse(export(withInputs(bag)), state.Options{})
			if err == nil {
				sealed, err = sealed.Decrypt(knowing("c", `[`+text+`]`))
			}
			if err != nil {
				t.Errorf("%s: %d: %v", row.at, i, err)
				continue
			}
			for r, err := range sealed.Resources() {
				if err != nil || !r.Inputs.Identical(want) {
					t.Errorf("%s: %d: read as something else, %v", row.at, i, err)
				}
			}
		}
		written, err := state.EncodeBags([]value.Value{row.v, value.Secret(value.Array(row.v))}, nil, codec.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.at, err)
			continue
		}
		if want := `{` + asSecret + `,"plaintext":` + quoted(t, `[`+row.texts[0]+`]`) + `}`; row.v.Kind() != value.KindAsset && (string(written[0]) != row.texts[0] || string(written[1]) != want) {
			t.Errorf("%s: written as %s and %s", row.at, written[0], written[1])
		}
	}
	texts, err := state.EncodeBags([]value.Value{value.UnknownOf(value.KindNumber), value.Secret(value.Array(value.UnknownOf(value.KindObject)))}, nil, codec.Options{})
	if err != nil || string(texts[0]) != `"`+anyText+`"` || !strings.Contains(string(texts[1]), anyText) {
		t.Errorf("unknowns of other hints: %s, %v", texts, err)
	}
}
