package codec_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// TestPlaintextIsNoJSON: the error for a plaintext that is not JSON says that it has to be,
// and the same whatever the plaintext is: what a scanner expected would give away the
// letter before it.
func TestPlaintextIsNoJSON(t *testing.T) {
	const begin, sign = `{"pw":{"plaintext":`, `,"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"}}`

	var of []string

	for _, plain := range []string{"mypassword", "tru", "fals", "notjson", "-", "1.", "7e", "'a'", "", " ", `{"a":tru}`, `{"a"`, `[1`, "\"a\x01\"", `"\q"`, `"\u12x"`, `"a`, `1 2`} {
		text, err := codec.AppendJSONValue(nil, value.String(plain), codec.Options{})
		if err != nil {
			t.Fatal(err)
		}

		_, err = codec.DecodeJSON(begin+string(text)+sign, codec.Options{Form: codec.FormState})
		if !errors.Is(err, codec.ErrSyntax) {
			t.Errorf("%q: %v", plain, err)
			continue
		}

		of = append(of, strings.Replace(err.Error(), "[secret]", "", 1)) // that it is inside may be said

		bag, err := structpb.NewStruct(map[string]any{"pw": map[string]any{codec.SignatureKey: "1b47061264138c4ac30d75fd1eb44270", "plaintext": plain}})
		if err != nil {
			t.Fatal(err)
		}

		wire, err := proto.Marshal(bag)
		if err != nil {
			t.Fatal(err)
		}

		_, err = codec.Decode(wire, codec.Options{})
		if !errors.Is(err, codec.ErrSyntax) {
			t.Errorf("%q: as bytes: %v", plain, err)

			continue
		}

		if _, why, _ := strings.Cut(err.Error(), ": syntax"); !strings.HasSuffix(of[0], ": syntax"+why) {
			t.Errorf("%q: as bytes: %v", plain, err)
		}
	}

	if of = slices.Compact(of); len(of) != 1 || !strings.Contains(of[0], "expected a plaintext in JSON") {
		t.Errorf("%q", of)
	}

	of = nil

	for _, contents := range []string{"mypassword", "tru", "notjson", "-", "1.", `{"a":fals`, `"\q"`, `"a`} {
		_, err := codec.DecodeJSON(`{"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":`+contents+`}}`, codec.Options{})

		var e *codec.Error
		if !errors.As(err, &e) || !errors.Is(err, codec.ErrSyntax) {
			t.Errorf("%q: %v", contents, err)
			continue
		}

		of = append(of, e.Want+e.Found)
	}

	if of = slices.Compact(of); len(of) != 1 {
		t.Errorf("%q", of)
	}
}
