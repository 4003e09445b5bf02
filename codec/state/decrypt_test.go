package state_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// Law 16: one call for a document, each ciphertext once, whatever the number of
// resources, and none without ciphertext.
func TestOneCallPerDocument(t *testing.T) {
	var resources []string
	v := knowing()
	for i := range 100 {
		c := fmt.Sprintf("c%d", i%40)
		v.known[c] = fmt.Sprintf(`"plain %d"`, i%40)
		resources = append(resources, withInputs(`{"a":[1,`+cipher(c)+`],"b":{"c":`+cipher("all")+`}}`))
	}
	v.known["all"] = `{"k":[true]}`
	sealed := parse(t, export(resources...))
	f, err := sealed.Decrypt(v)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.decrypts) != 1 || len(v.decrypts[0]) != 41 {
		t.Fatalf("%d calls, %d ciphertexts in the first", len(v.decrypts), len(v.decrypts[0]))
	}
	for i, r := range all(t, f) {
		want := value.Object(
			value.Member{Key: "a", Value: value.Array(value.Number(1), value.Secret(value.String(fmt.Sprintf("plain %d", i%40))))},
			value.Member{Key: "b", Value: value.Object(value.Member{Key: "c", Value: value.Secret(value.Object(value.Member{Key: "k", Value: value.Array(value.Bool(true))}))})},
		)
		if !r.Inputs.Identical(want) {
			t.Fatalf("resource %d: %v", i, r.Inputs)
		}
	}
	if _, ok := all(t, sealed)[0].Inputs.Field("a").Elem(1).AsSealed(); !ok {
		t.Error("the file itself was opened")
	}
	if again, err := f.Decrypt(v); err != nil || len(v.decrypts) != 1 || !all(t, again)[0].Inputs.Identical(all(t, f)[0].Inputs) {
		t.Errorf("opening again: %v, %d calls", err, len(v.decrypts))
	}
	if _, err := parse(t, export(resource)).Decrypt(v); err != nil || len(v.decrypts) != 1 {
		t.Errorf("a file without secrets: %v, %d calls", err, len(v.decrypts))
	}
	if _, err := parse(t, export(resource)).Decrypt(nil); err != nil {
		t.Errorf("a file without secrets, and no decrypter: %v", err)
	}
}

// What is in place of the ciphertext has its place's marks, and is what the same
// plaintext would be in a file.
func TestOpenMeansPlaintext(t *testing.T) {
	for _, row := range []struct{ at, plain string }{
		{here(), `null`},
		{here(), ` "x" `},
		{here(), `""`},
		{here(), `-0`},
		{here(), `[]`},
		{here(), `{"b":1,"a":[{"c":null}]}`},
		{here(), `{` + asSecret + `,"value":"twice"}`},
		{here(), `[{` + asSecret + `,"value":"twice"}]`},
		{here(), `[{` + asSecret + `,"plaintext":"[1]"}]`},
		{here(), `{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":[1],"dependencies":["` + urnA + `"]}`},
		{here(), `"04da6b54-80e4-46f7-96ec-b56ff0331ba9"`},
		{here(), `{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":"t"}`},
		{here(), `{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","path":"p"}`},
		{here(), `{"__a":1,"b":` + cipher("[null]") + `,"c":{` + asReference + `,"urn":"` + urnA + `"}}`},
	} {
		for _, around := range []string{
			`{"a":%s}`, `{"__a":%s}`, `{"a":{"b":[1,%s,{"c":2}]},"z":{` + asSecret + `,"value":[{"y":1}]}}`, `{"a":{` + asSecret + `,"value":[1,%s]}}`,
			`{"a":{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":%s,"dependencies":["u1","u2"]}}`,
		} {
			for mix := range 1 << 7 {
				o := mixed(mix)
				quoted, err := codec.AppendJSONValue(nil, value.String(row.plain), codec.Options{})
				if err != nil {
					t.Fatal(err)
				}
				want, wantErr := codec.DecodeJSON(fmt.Sprintf(around, `{`+asSecret+`,"plaintext":`+string(quoted)+`}`), o)
				file, err := state.Parse(export(withInputs(fmt.Sprintf(around, cipher("c")))), state.Options{Codec: o})
				if err != nil {
					t.Fatal(err)
				}
				file, err = file.Decrypt(knowing("c", row.plain))
				if (err == nil) != (wantErr == nil) {
					t.Errorf("%s: %s: %+v: got %v, want %v", row.at, around, o, err, wantErr)
				} else if err == nil && !all(t, file)[0].Inputs.Identical(want) {
					t.Errorf("%s: %s: %+v: got %#v, want %#v", row.at, around, o, all(t, file)[0].Inputs, want)
				}
			}
		}
	}
}

// mixed lowers what the bits of a number say.
func mixed(bits int) codec.Options {
	policy := func(bit int) codec.Policy {
		if bits>>bit&1 == 1 {
			return codec.Lower
		}
		return codec.Keep
	}
	return codec.Options{
		Form: codec.FormState, Unknowns: policy(0), Secrets: policy(1), Outputs: policy(2), Assets: policy(3), References: policy(4),
		Nulls: policy(5), Internal: policy(6),
	}
}

// nested is a plaintext with so many secrets around one another, each with its text
// in clear, escaped so that a layer adds to the text instead of doubling it.
func nested(layers int, contents string) string {
	short := strings.NewReplacer(`\`, `\u005c`, `"`, `\u0022`)
	for range layers {
		contents = `["` + strings.Repeat("x", 9) + `",{` + asSecret + `,"ciphertext":"` + short.Replace(contents) + `"}]`
	}
	return contents
}

// Secrets around one another are read to a bound: each plaintext is a text of its own
// in memory, so that without it the memory grows by the square of the layers.
func TestHostilePlaintexts(t *testing.T) {
	text := export(withInputs(`{"x":` + cipher("c") + `}`))
	for layers := range 12 { // the plaintext itself is one
		_, err := parse(t, text).Decrypt(knowing("c", nested(layers, `1`)))
		if (layers < 8 && err != nil) || (layers >= 8 && !errors.Is(err, codec.ErrDepth)) {
			t.Errorf("%d layers: %v", layers, err)
		}
	}
	for _, row := range []struct{ at, plain string }{
		{here(), nested(200, `1`)},
		{here(), `[` + strings.Repeat(nested(30, `1`)+`,`, 50) + `1]`},
		{here(), strings.Repeat("[", 1e6)},
	} {
		shown := export(withInputs(`{"x":{` + asSecret + `,"plaintext":` + quoted(t, row.plain) + `}}`))
		for name, read := range map[string]func() error{
			"opened": func() error {
				_, err := parse(t, text).Decrypt(knowing("c", row.plain))
				return err
			},
			"shown": func() (err error) {
				for _, err = range parse(t, shown).Resources() {
				}
				return err
			},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read()
			runtime.ReadMemStats(&after)
			if !errors.Is(err, codec.ErrDepth) {
				t.Errorf("%s: %s: %v", row.at, name, err)
			}
			if most := uint64(40*len(row.plain) + 1<<20); !race.Enabled && after.TotalAlloc-before.TotalAlloc > most {
				t.Errorf("%s: %s: %d bytes allocated for %d", row.at, name, after.TotalAlloc-before.TotalAlloc, len(row.plain))
			}
		}
	}
}

func TestOpenFails(t *testing.T) {
	const text = `{"a":{"b":[0,{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"c"}]}}`
	for _, row := range []struct {
		at   string
		d    state.Decrypter
		err  error
		want string
	}{
		{here(), nil, state.ErrDecrypt, "state: cannot decrypt: expected a decrypter, found none"},
		{here(), odd{err: errUnknown}, errUnknown, `state: cannot decrypt: "message authentication failed\nby a second line"`},
		{here(), odd{err: errUnknown}, state.ErrDecrypt, `state: cannot decrypt: "message authentication failed\nby a second line"`},
		{here(), odd{texts: []string{`1`}, err: errUnknown}, state.ErrDecrypt, `state: cannot decrypt: "message authentication failed\nby a second line"`},
		{here(), odd{}, state.ErrDecrypt, "state: cannot decrypt: expected 1 results, found 0"},
		{here(), odd{texts: []string{"1", "2"}}, state.ErrDecrypt, "state: cannot decrypt: expected 1 results, found 2"},
		{here(), knowing("c", "xyzzy"), codec.ErrSyntax, "syntax error: expected a plaintext in JSON"},
		{here(), knowing("c", "true-xyzzy"), codec.ErrSyntax, "syntax error: expected a plaintext in JSON"},
		{here(), knowing("c", "tru"), codec.ErrSyntax, "syntax error: expected a plaintext in JSON"},
		{here(), knowing("c", ""), codec.ErrSyntax, "syntax error: expected a plaintext in JSON"},
		{here(), knowing("c", "\"xyzzy\xff\""), codec.ErrUTF8, "not UTF-8"},
		{here(), knowing("c", `{"xyzzy":1,"xyzzy":2}`), codec.ErrDuplicate, "duplicate member name"},
		{here(), knowing("c", `{"xyzzy":[1e400]}`), codec.ErrNumber, "number cannot be held exactly"},
		{here(), knowing("c", `{`+asSecret+`,"masked":true}`), codec.ErrMasked, "secret contents were masked"},
	} {
		f, err := parse(t, export(resource, withInputs(text))).Decrypt(row.d)
		var e *state.Error
		if f != nil || !errors.As(err, &e) || !errors.Is(err, row.err) || !strings.Contains(err.Error(), row.want) || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%s: %v", row.at, err)
			continue
		}
		if strings.Contains(fmt.Sprintf("%v %+v %#v", err, e, errors.Unwrap(e)), "xyzzy") {
			t.Errorf("%s: plaintext in %v", row.at, err)
		}
		if e.Field == "inputs" && (e.Resources != 1 || !strings.Contains(err.Error(), "a.b[1]")) {
			t.Errorf("%s: no place: %v", row.at, err)
		}
	}
}

// Below a secret the path stops there, and so does that of what is in a layer.
func TestOpenFailsBelowSecret(t *testing.T) {
	for _, row := range []struct{ at, bag string }{
		{here(), `{"a":{"b":{` + asSecret + `,"value":{"xyzzy":[` + cipher("c") + `]}}}}`},
		{here(), `{"a":{"b":` + cipher("outer") + `}}`},
	} {
		_, err := parse(t, export(withInputs(row.bag))).Decrypt(knowing("outer", `{"xyzzy":[`+cipher(`{"xyzzy":[1,1e400]}`)+`]}`, "c", `{"xyzzy":[1,1e400]}`))
		if err == nil || !strings.Contains(err.Error(), "inputs: codec: decode json: a.b[secret]: number") {
			t.Errorf("%s: %v", row.at, err)
		}
	}
}

// The depth of a plaintext counts on from its place, and the limit is the one
// that plaintext in the text has.
func TestOpenDepth(t *testing.T) {
	for n := range 12 {
		plain := strings.Repeat("[", n) + strings.Repeat("]", n)
		if n == 0 {
			plain = "1"
		}
		for depth := 1; depth < 40; depth++ {
			for _, around := range []string{
				`{"a":%s}`, `{"a":[%s]}`, `{"a":{` + asSecret + `,"value":[%s]}}`,
				`{"a":{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":%s,"dependencies":["u1","u2"]}}`,
			} {
				o := codec.Options{Depth: depth}
				_, want := codec.DecodeJSON(fmt.Sprintf(around, `{`+asSecret+`,"plaintext":"`+plain+`"}`), o)
				bag, err := codec.DecodeJSON(fmt.Sprintf(around, cipher("c")), o)
				if err == nil {
					_, err = state.DecryptBags([]value.Value{bag}, knowing("c", plain), o)
				}
				if (err == nil) != (want == nil) || (err != nil && !errors.Is(err, codec.ErrDepth)) {
					t.Errorf("%d levels in %s, limit %d: got %v, want %v", n, around, depth, err, want)
				}
			}
		}
	}
}

func TestOpenRounded(t *testing.T) {
	o := state.Options{Codec: codec.Options{RoundNumbers: true}}
	f, err := state.Parse(export(withInputs(`{"x":9007199254740993,"y":[`+cipher("c")+`]}`)), o)
	if err == nil {
		f, err = f.Decrypt(knowing("c", `{"k":9007199254740995}`))
	}
	if err != nil {
		t.Fatal(err)
	}
	got := all(t, f)[0].InputsReport.Rounded
	if len(got) != 2 || got[1].At.String() != "y[0][secret]" || !got[1].Secret || got[1].RevealText() != "9007199254740995" {
		t.Errorf("rounded: %v", got)
	}
	if k, _ := got[1].At.RevealPath().Last(); fmt.Sprint(k) == "" || got[1].At.RevealPath().String() != "y[0].k" {
		t.Errorf("at %v", got[1].At.RevealPath())
	}
}

// DecryptBags leaves what it was given, and says in which bag something is wrong.
func TestOpenBags(t *testing.T) {
	sealed := value.Sealed{Ciphertext: "c", Provider: "p"}.Value()
	bags := []value.Value{value.Null(), sealed, value.Array(sealed, value.Secret(value.Object(value.Member{Key: "k", Value: value.Number(1)})))}
	v := knowing("c", `"x"`)
	got, err := state.DecryptBags(bags, v, codec.Options{})
	if err != nil || len(v.decrypts) != 1 {
		t.Fatalf("%v, %d calls", err, len(v.decrypts))
	}
	x := value.Secret(value.String("x"))
	for i, want := range []value.Value{value.Null(), x, value.Array(x, value.Secret(value.Object(value.Member{Key: "k", Value: value.Number(1)})))} {
		if !got[i].Identical(want) {
			t.Errorf("bag %d: %#v", i, got[i])
		}
	}
	if !bags[1].Identical(sealed) {
		t.Error("the bags were changed")
	}
	_, err = state.DecryptBags(bags, knowing("c", `}`), codec.Options{})
	if want := "state: bag 1: codec: decode json: syntax error: expected a plaintext in JSON, where a string has quotes of its own"; fmt.Sprint(err) != want {
		t.Errorf("got %v", err)
	}
	if _, err = state.DecryptBags(bags, v, codec.Options{Depth: -1}); !errors.Is(err, codec.ErrOptions) {
		t.Errorf("got %v", err)
	}
	if got, err := state.DecryptBags(nil, nil, codec.Options{}); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v", err)
	}
}

type onePlaintext string

func (p onePlaintext) Decrypt(ciphertexts []string) ([]string, error) {
	plain := make([]string, len(ciphertexts))
	for i := range plain {
		plain[i] = string(p)
	}
	return plain, nil
}

// A text in the place of a signature, in what a decrypter returns, may be a secret.
func TestUnknownSignaturesInPlaintextsAreHidden(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	sealed := value.Object(value.Member{Key: "p", Value: value.Sealed{Ciphertext: "c"}.Value()})
	for _, plain := range []string{
		`{"` + codec.SignatureKey + `":"` + secret + `"}`, `{"a":[{"` + codec.SignatureKey + `":"` + secret + `"}]}`,
	} {
		_, err := state.DecryptBags([]value.Value{sealed}, onePlaintext(plain), codec.Options{})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
			t.Errorf("%s: %v", plain, err)
		}
	}
}
