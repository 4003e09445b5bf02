package state_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
	"pgregory.net/rapid"
)

// words trip over something, but can all be written.
func words() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{
		"", "a", "value", "ciphertext", "plaintext", "__a", `"`, `\`, "0", `","`, "\x00", "\u2028",
		`{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"0"}`,
		`4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"0`,
	}), rapid.StringMatching(`[a-z"\\é]{0,8}`))
}

func values(levels int) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		var v value.Value
		kind := rapid.IntRange(0, 9).Draw(t, "kind")
		if levels == 0 {
			kind %= 7
		}
		switch kind {
		case 0:
			v = value.Null()
		case 1:
			v = value.Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			v = value.Number(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 0.1, 1e21, math.Inf(1), math.Inf(-1), math.NaN()}).Draw(t, "number"))
		case 3:
			v = value.String(words().Draw(t, "text"))
		case 4:
			v = value.Unknown()
		case 5:
			v = value.Sealed{Ciphertext: "c" + words().Draw(t, "cipher")}.Value()
		case 6:
			v = value.TextAsset(words().Draw(t, "asset"))
		case 7:
			v = value.Array(rapid.SliceOfN(values(levels-1), 0, 3).Draw(t, "elems")...)
		default:
			v = value.ObjectFromMap(rapid.MapOfN(words(), values(levels-1), 0, 3).Draw(t, "members"))
		}
		marks := rapid.IntRange(0, 9).Draw(t, "marks")
		if marks < 2 {
			v = v.WithDependencies("u2", words().Draw(t, "urn"))
		}
		if marks > 0 && marks < 5 {
			v = value.Secret(v)
		}
		return v
	})
}

// Law 13 for the forms of state files: as plaintext, what is read is Identical;
// encrypted, what is read and opened is, with one call each way.
func TestEncodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bags := rapid.SliceOfN(values(4), 1, 3).Draw(t, "bags")
		for i := range bags {
			if bags[i].ContainsDependencies() {
				_, err := state.EncodeBags(bags[i:i+1], nil, codec.Options{})
				if !errors.Is(err, codec.ErrPolicy) && !errors.Is(err, codec.ErrSealed) {
					t.Fatalf("with dependencies: %v", err)
				}
				bags[i], _ = codec.ApplyPolicies(bags[i], codec.Options{Outputs: codec.Lower})
			}
			if sealsInside(bags[i], false) {
				if _, err := state.EncodeBags(bags[i:i+1], nil, codec.Options{}); !errors.Is(err, codec.ErrSealed) {
					t.Fatalf("sealed inside a secret: %v", err)
				}
				bags[i] = value.Null()
			}
		}
		roundTrip(t, bags)
	})
}

// sealsInside reports whether a secret holds a sealed one.
func sealsInside(v value.Value, inside bool) bool {
	if v.Kind() == value.KindSealed {
		return inside
	}
	inside = inside || v.OwnSecret()
	for _, c := range v.Members() {
		if sealsInside(c, inside) {
			return true
		}
	}
	for _, c := range v.Elems() {
		if sealsInside(c, inside) {
			return true
		}
	}
	return false
}

func roundTrip(t rapid.TB, bags []value.Value) {
	plain, err := state.EncodeBags(bags, nil, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := knowing()
	for _, bag := range bags { // what is sealed stays so
		for c := range bag.Walk() {
			if s, ok := c.Value().AsSealed(); ok {
				v.known[s.Ciphertext] = "7"
			}
		}
	}
	encrypted, err := state.EncodeBags(bags, v, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.encrypts) > 1 {
		t.Fatalf("%d calls", len(v.encrypts))
	}
	for i, bag := range bags {
		got, err := codec.DecodeJSONValue(plain[i], codec.Options{Form: codec.FormState})
		if err != nil || !got.Identical(bag) {
			t.Fatalf("%s\nread as %#v, %v\nwritten as %#v", plain[i], got, err, bag)
		}
		if strings.Contains(string(encrypted[i]), `"plaintext":"`) && !strings.Contains(fmt.Sprint(bag), "plaintext") {
			t.Fatalf("not encrypted: %s", encrypted[i])
		}
		sealed, err := codec.DecodeJSONValue(encrypted[i], codec.Options{Form: codec.FormState})
		if err != nil {
			t.Fatal(err)
		}
		v.decrypts = nil
		both, err := state.DecryptBags([]value.Value{sealed, bag}, &v2{v}, codec.Options{})
		if err != nil || !both[0].Identical(both[1]) {
			t.Fatalf("%s\nopened as %#v, %v", encrypted[i], both, err)
		}
	}
}

// v2 decrypts what the vault encrypted, and everything else to 7.
type v2 struct{ *vault }

func (v *v2) Decrypt(cs []string) ([]string, error) {
	plain := make([]string, len(cs))
	for i, c := range cs {
		got, err := v.vault.Decrypt([]string{c})
		if plain[i] = "7"; err == nil && strings.HasPrefix(c, "v1:") {
			plain[i] = got[0]
		}
	}
	return plain, nil
}

func TestEncodeTexts(t *testing.T) {
	s := value.String("x")
	obj := func(v value.Value) value.Value { return value.Object(value.Member{Key: "k", Value: v}) }
	sig := `{` + asSecret
	for _, row := range []struct {
		at        string
		v         value.Value
		plain     string
		encrypted string
		contents  []string
	}{
		{here(), value.Null(), `null`, `null`, nil},
		{here(), obj(s), `{"k":"x"}`, `{"k":"x"}`, nil},
		{here(), obj(value.Secret(s)), `{"k":` + sig + `,"plaintext":"\"x\""}}`, `{"k":` + sig + `,"ciphertext":"v1:0"}}`, []string{`"x"`}},
		{here(), obj(value.Sealed{Ciphertext: "c\"\\"}.Value()), `{"k":` + sig + `,"ciphertext":"c\"\\"}}`, `{"k":` + sig + `,"ciphertext":"c\"\\"}}`, nil},
		{
			here(), value.Array(value.Secret(value.Null()), value.Sealed{Ciphertext: "0"}.Value(), value.Secret(value.Number(1))),
			`[` + sig + `,"plaintext":"null"},` + sig + `,"ciphertext":"0"},` + sig + `,"plaintext":"1"}]`,
			`[` + sig + `,"ciphertext":"v1:0"},` + sig + `,"ciphertext":"0"},` + sig + `,"ciphertext":"v1:1"}]`,
			[]string{"null", "1"},
		},
		{
			here(), value.Secret(obj(value.Secret(value.Bool(true)))),
			sig + `,"plaintext":"{\"k\":{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",\"plaintext\":\"true\"}}"}`,
			sig + `,"ciphertext":"v1:0"}`,
			[]string{`{"k":{` + asSecret + `,"plaintext":"true"}}`},
		},
	} {
		plain, err := state.EncodeBags([]value.Value{row.v}, nil, codec.Options{})
		if err != nil || string(plain[0]) != row.plain {
			t.Errorf("%s: got  %s, %v\nwant %s", row.at, plain, err, row.plain)
		}
		v := knowing()
		encrypted, err := state.EncodeBags([]value.Value{row.v}, v, codec.Options{})
		if err != nil || string(encrypted[0]) != row.encrypted || !slices.Equal(v.plain, row.contents) {
			t.Errorf("%s: got  %s, %v, of %q\nwant %s", row.at, encrypted, err, v.plain, row.encrypted)
		}
	}
}

// What was handed out of a secret is secret, also as a whole bag.
func TestHandedOut(t *testing.T) {
	sealed := value.Sealed{Ciphertext: "c"}.Value()
	outer := value.Secret(value.Object(value.Member{Key: "k", Value: value.Array(value.String("xyzzy"), sealed)}))
	v := knowing("c", `true`)
	texts, err := state.EncodeBags([]value.Value{value.Secret(value.Array(outer.Field("k").Elem(0))).Elem(0), outer.Field("k").Elem(0)}, v, codec.Options{})
	if err != nil || strings.Contains(string(texts[0])+string(texts[1]), "xyzzy") || len(v.plain) != 2 {
		t.Errorf("%s, %v", texts, err)
	}
	opened, err := state.DecryptBags([]value.Value{outer.Field("k")}, v, codec.Options{})
	want := value.Secret(value.Array(value.String("xyzzy"), value.Secret(value.Bool(true))))
	if err != nil || !opened[0].Identical(want) {
		t.Errorf("%#v, %v", opened, err)
	}
}

// Each secret around others doubles the backslashes, so that there is a limit on how
// many may be around one another.
func TestEncodeManyLayers(t *testing.T) {
	v := value.String(`"\`)
	for layers := 1; layers <= 12; layers++ {
		v = value.Secret(value.Array(v))
		if layers <= 8 {
			roundTrip(t, []value.Value{v})
			continue
		}
		_, err := state.EncodeBags([]value.Value{v}, nil, codec.Options{})
		if !errors.Is(err, codec.ErrDepth) || !strings.Contains(err.Error(), "[secret]: nested beyond the limit: expected fewer nested secrets") {
			t.Errorf("%d layers: %v", layers, err)
		}
	}
}

func TestEncodeFails(t *testing.T) {
	secret := value.Secret(value.Object(value.Member{Key: "xyzzy", Value: value.Array(value.String("\xff"))}))
	under := func(v value.Value) value.Value {
		return value.Object(value.Member{Key: "a", Value: value.Array(value.Secret(value.Null()), v)})
	}
	for _, row := range []struct {
		at   string
		v    value.Value
		e    state.Encrypter
		o    codec.Options
		err  error
		text string
	}{
		{here(), under(secret), nil, codec.Options{ByteStrings: codec.Reject}, codec.ErrUTF8, "state: bag 0: codec: encode json: a[1][secret]: not UTF-8"},
		{here(), under(value.Secret(value.String("\xff"))), nil, codec.Options{ByteStrings: codec.Reject}, codec.ErrUTF8, "state: bag 0: codec: encode json: a[1]: not UTF-8"},
		{here(), under(value.String("\xff")), nil, codec.Options{ByteStrings: codec.Reject}, codec.ErrUTF8, "state: bag 0: codec: encode json: a[1]: not UTF-8"},
		{here(), under(value.Sealed{Ciphertext: "\xff"}.Value()), nil, codec.Options{}, codec.ErrUTF8, "state: bag 0: codec: encode json: a[1]: not UTF-8"},
		{here(), under(value.Sealed{Ciphertext: "04da6b54-80e4-46f7-96ec-b56ff0331ba9"}.Value()), nil, codec.Options{}, codec.ErrSentinel, "state: bag 0: codec: encode json: a[1]: text is reserved for an unknown"},
		{here(), under(value.Null()), nil, codec.Options{Secrets: codec.Reject}, codec.ErrPolicy, "state: bag 0: codec: encode json: a[0]: rejected by policy: found secret"},
		{here(), under(value.Sealed{}.Value()), nil, codec.Options{Secrets: codec.Lower}, codec.ErrSealed, "state: bag 0: codec: encode json: a[1]: sealed secret"},
		{here(), value.Secret(under(value.Sealed{Ciphertext: "c"}.Value())), nil, codec.Options{}, codec.ErrSealed, "state: bag 0: codec: encode json: [secret]: sealed secret: expected a decrypted secret, since it is inside another"},
		{here(), under(value.Null().WithDependencies("u")), nil, codec.Options{}, codec.ErrPolicy, "state: bag 0: codec: encode json: a[1]: rejected by policy: expected a value without dependencies (state files have none; outputs can be lowered), found output"},
		{here(), value.Secret(under(value.Null().WithDependencies("u"))), nil, codec.Options{}, codec.ErrPolicy, "state: bag 0: codec: encode json: [secret]: rejected by policy: expected a value without dependencies (state files have none; outputs can be lowered)"},
		{here(), under(value.Sealed{}.Value()), nil, codec.Options{}, codec.ErrSealed, "state: bag 0: codec: encode json: a[1]: sealed secret: expected ciphertext, found none"},
		{here(), under(value.Null()), odd{texts: []string{""}}, codec.Options{}, state.ErrEncrypt, "state: bag 0: cannot encrypt: empty ciphertext"},
		{here(), under(value.Null()), odd{}, codec.Options{}, state.ErrEncrypt, "state: cannot encrypt: expected 1 results, found 0"},
		{here(), under(value.Null()), odd{err: errUnknown}, codec.Options{}, errUnknown, `state: cannot encrypt: "message authentication failed\nby a second line"`},
		{here(), under(value.Null()), odd{texts: []string{"\xff"}}, codec.Options{}, codec.ErrUTF8, "state: bag 0: codec: encode json: not UTF-8"},
		{here(), under(value.Null()), nil, codec.Options{Form: 77}, codec.ErrOptions, "state: codec: decode json: invalid options: found an invalid form"},
	} {
		texts, err := state.EncodeBags([]value.Value{row.v}, row.e, row.o)
		if texts != nil || !errors.Is(err, row.err) || err.Error() != row.text {
			t.Errorf("%s: got  %v\nwant %s", row.at, err, row.text)
		}
	}
}

// What is written within a limit is read within it, and what is not would not be.
func TestEncodeDepth(t *testing.T) {
	for n := range 16 {
		inner := value.Null()
		if n%2 == 1 {
			inner = value.Array()
		}
		for range n / 2 {
			inner = value.Array(inner)
		}
		for _, v := range []value.Value{value.Secret(inner), value.Array(value.Secret(inner)), value.Secret(value.Array(value.Secret(inner)))} {
			text, err := state.EncodeBags([]value.Value{v}, nil, codec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for depth := 1; depth < 40; depth++ {
				o := codec.Options{Depth: depth}
				_, want := codec.DecodeJSONValue(text[0], o)
				if _, err := state.EncodeBags([]value.Value{v}, nil, o); (err == nil) != (want == nil) || (err != nil && !errors.Is(err, codec.ErrDepth)) {
					t.Errorf("%#v, limit %d: writing %v, reading %v", v, depth, err, want)
				}
			}
		}
	}
}

func TestEncodePolicies(t *testing.T) {
	v := value.Object(
		value.Member{Key: "__i", Value: value.Secret(value.String("i"))}, value.Member{Key: "n", Value: value.Null()},
		value.Member{Key: "s", Value: value.Secret(value.Object(value.Member{Key: "__j", Value: value.Null()}, value.Member{Key: "u", Value: value.Unknown()}))},
		value.Member{Key: "u", Value: value.Secret(value.Unknown())},
	)
	texts, err := state.EncodeBags([]value.Value{v}, nil, codec.Options{Internal: codec.Lower, Nulls: codec.Lower, Unknowns: codec.Lower})
	if want := `{"s":{` + asSecret + `,"plaintext":"{}"}}`; err != nil || string(texts[0]) != want {
		t.Errorf("got %s, %v", texts, err)
	}
	if texts, err = state.EncodeBags([]value.Value{v}, nil, codec.Options{Secrets: codec.Lower, Unknowns: codec.Lower}); err != nil || string(texts[0]) != `{"__i":"i","n":null,"s":{"__j":null}}` {
		t.Errorf("got %s, %v", texts, err)
	}
}

// Real bags are the same after encoding and decoding.
func TestEncodeRealBags(t *testing.T) {
	secret := 0
	kit.ReadRows(t, "bags.jsonl", func(_ int, row struct{ Bag json.RawMessage }) {
		bag, err := codec.DecodeJSONValue(row.Bag, codec.Options{RoundNumbers: true})
		if err == nil && bag.ContainsSecret() {
			secret++
			roundTrip(t, []value.Value{bag})
		}
	})
	if secret == 0 {
		t.Error("no bags with secrets")
	}
}
