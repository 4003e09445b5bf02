package codec_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// What an error says of its place is cut at an output that a later field makes
// secret, or that may become so where the text breaks off.
func TestErrorsAreCutAtLateSecrets(t *testing.T) {
	const output = `"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4"`
	for _, text := range []string{
		`{"p":{` + output + `,"value":{"CANARY":1e999},"secret":true}}`,
		`{"p":{"value":{"CANARY":1e999},"secret":true,` + output + `}}`,
		`{"p":{` + output + `,"value":{"CANARY":nonsense},"secret":true}}`,
		`{"p":{` + output + `,"value":{"CANARY":`,
		`{"p":{` + output + `,"value":{"CANARY":[1,1e999]},"\u0073ecret":true}}`,
	} {
		_, err := codec.DecodeJSONValue([]byte(text), codec.Options{})
		if err == nil || strings.Contains(err.Error(), "CANARY") || !strings.Contains(err.Error(), "p[secret]") {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err := codec.DecodeJSONValue([]byte(`{"p":{`+output+`,"value":{"open":1e999},"secret":false}}`), codec.Options{})
	if err == nil || !strings.Contains(err.Error(), "p.open") {
		t.Errorf("an output that is not secret: %v", err)
	}
}

// A signature that is itself a secret, or has dependencies, is malformed: taking
// it would lose the mark.
func TestMarkedSignature(t *testing.T) {
	const k = `"4dabf18193072939515e22adb298388d":`
	for _, sig := range []string{
		`{` + k + `"1b47061264138c4ac30d75fd1eb44270","value":"c44067f5952c0a294b673a41bacd8c17"}`,
		`{` + k + `"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":"c44067f5952c0a294b673a41bacd8c17","dependencies":["urn:x"]}`,
	} {
		_, err := codec.DecodeJSONValue([]byte(`{"a":{`+k+sig+`,"text":"t"}}`), codec.Options{})
		if !errors.Is(err, codec.ErrSignature) {
			t.Errorf("%s as signature: %v", sig, err)
		}
	}
}

const canary = "xyzzyhunter2"

// Errors below a secret show the path down to the outermost secret and no more,
// wherever the signature stands; RevealPath knows the rest.
func TestErrorsBelowSecrets(t *testing.T) {
	for _, row := range []struct {
		at    string
		text  string
		shown string
		whole path.Path
	}{
		{here(), `{"p":{` + asSecret + `,"value":{"xyzzyhunter2":1e400}}}`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"xyzzyhunter2":1e400},` + asSecret + `}}`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"xyzzyhunter2":[0,1e400]},"u":[{}],"\u0034` + sigKey[1:] + `":"\u0031b47061264138c4ac30d75fd1eb44270"}}`, "p[secret]", path.MustParse("p.xyzzyhunter2[1]")},
		{here(), `{"p":{` + asSecret + `,"value":1e400}}`, "p", path.MustParse("p")},
		{here(), `{"p":[{` + asSecret + `,"value":{"xyzzyhunter2":{` + asSecret + `,"value":[1e400]}}}]}`, "p[0][secret]", path.MustParse("p[0].xyzzyhunter2[0]")},
		{here(), `{"p":{` + asOutput + `,"value":{"a":1e400}}}`, "p.a", path.MustParse("p.a")},
		{here(), `{"p":{"value":{"a":1e400},` + asOutput + `}}`, "p.a", path.MustParse("p.a")},
		{here(), `{"p":{"value":{"xyzzyhunter2":1e400},"secret":true,` + asOutput + `}}`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"a":1e400},"secret":false,` + asOutput + `}}`, "p.a", path.MustParse("p.a")},
		{here(), `{"p":{"value":{"a":1e400},"u":[{"v":[[]]}],` + asOutput + `}}`, "p.a", path.MustParse("p.a")},
		{here(), `{"p":{"value":{"a":1e400},"secret":true}}`, "p.value.a", path.MustParse("p.value.a")},
		{here(), `{"p":{` + asSecret + `,"plaintext":"{\"xyzzyhunter2\":[1e400]}"}}`, "p[secret]", path.MustParse("p.xyzzyhunter2[0]")},
		{here(), `{"p":{"plaintext":"{\"xyzzyhunter2\":[1e400]}",` + asSecret + `}}`, "p[secret]", path.MustParse("p.xyzzyhunter2[0]")},
		{here(), `{"p":{"value":{"xyzzyhunter2":{` + asSecret + `,"plaintext":"[1e400]"}},` + asSecret + `}}`, "p[secret]", path.MustParse("p.xyzzyhunter2[0]")},
		{here(), `{"p":{` + asSecret + `,"value":{"xyzzyhunter2":{"` + sigKey + `":"xyzzyhunter2"}}}}`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{` + asSecret + `,"value":{"xyzzyhunter2":1,"xyzzyhunter2":2}}}`, "p", path.MustParse("p")},
		// The text ends, or breaks where a signature may follow: nobody can tell
		// that it is no secret.
		{here(), `{"p":{"value":{"xyzzyhunter2":tru`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"xyzzyhunter2":tru},` + asSecret + `}}`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"xyzzyhunter2":tru},"\u0034"}}`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"xyzzyhunter2":1e400},"q":tru`, "p[secret]", path.MustParse("p.xyzzyhunter2")},
		{here(), `{"p":{"value":{"a":tru},"b":2}}`, "p.value.a", path.MustParse("p.value.a")},
		{here(), `{"p":{"value":{"a":1e400},"b":tru}}`, "p.value.a", path.MustParse("p.value.a")},
	} {
		_, err := codec.DecodeJSONValue([]byte(row.text), codec.Options{})
		e := failure(t, err)
		if e.At.String() != row.shown || e.At.RevealPath() != row.whole {
			t.Errorf("%s: %s: got %q, whole %q: %v", row.at, row.text, e.At, e.At.RevealPath(), err)
		}
		for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v %q", err, err, err, err), e.Want, e.Found} {
			if strings.Contains(text, canary) {
				t.Errorf("%s: %s: shows the canary: %s", row.at, row.text, text)
			}
		}
	}
}

// Nested too deeply below a secret whose signature comes later.
func TestDepthErrorBelowSecret(t *testing.T) {
	text := `{"p":{"value":{"xyzzyhunter2":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `},` + asSecret + `}}`
	_, err := codec.DecodeJSONValue([]byte(text), codec.Options{Depth: 20})
	if e := failure(t, err); !errors.Is(err, codec.ErrDepth) || e.At.String() != "p[secret]" {
		t.Errorf("got %v", err)
	}
	text = `{"p":{"value":{"a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `},` + asOutput + `}}`
	_, err = codec.DecodeJSONValue([]byte(text), codec.Options{Depth: 12})
	if e := failure(t, err); !errors.Is(err, codec.ErrDepth) || e.At.String() != "p.a[0]" {
		t.Errorf("got %v", err)
	}
}

// Writing and lowering cut paths as reading does.
func TestEncodeErrorsBelowSecrets(t *testing.T) {
	inner := object(member(canary, value.Array(str("\xff"))))
	for _, v := range []value.Value{
		object(member("p", value.Secret(inner))),
		object(member("p", value.Secret(object(member(canary, value.Secret(inner)))))),
		object(member("p", value.Secret(inner).WithDependencies(urnA))),
		value.Secret(object(member("p", inner))).Field("p"), // secret by where it comes from
	} {
		for _, o := range []codec.Options{{ByteStrings: codec.Reject}, {ByteStrings: codec.Reject, Nulls: codec.Lower}} {
			_, err := codec.AppendJSONValue(nil, v, o)
			e := failure(t, err)
			if !errors.Is(err, codec.ErrUTF8) || !e.At.Redacted() || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), canary) {
				t.Errorf("got %v", err)
			}
		}
	}
	_, err := codec.AppendJSONValue(nil, object(member("p", value.Secret(object(member(canary, value.Unknown()))))), codec.Options{Unknowns: codec.Reject})
	if e := failure(t, err); e.At.String() != "p[secret]" || e.At.RevealPath() != path.MustParse("p."+canary) {
		t.Errorf("got %v", err)
	}
}

func TestRounding(t *testing.T) {
	text := `{"a":[1,9007199254740993],
		"b":{"value":{"k":1e400},` + asSecret + `},
		"c":{` + asSecret + `,"plaintext":"{\"k\":[{\"value\":-1e-400,\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\"}]}"},
		"d":{"value":{"k":9007199254740993.0},` + asOutput + `},
		"e":{"secret":true,"value":0.1000000000000000055511151231257827,` + asOutput + `},
		"f":{"value":9007199254740993}}`
	var report codec.Report
	v := decode(t, text, codec.Options{RoundNumbers: true, Report: &report})
	if f, _ := v.Field("a").Elem(1).AsNumber(); f != 9007199254740992 {
		t.Errorf("a[1] is %v", f)
	}
	want := []struct {
		shown, whole string
		secret       bool
		text         string
	}{
		{"a[1]", "a[1]", false, "9007199254740993"},
		{"b[secret]", "b.k", true, "1e400"},
		{"c[secret]", "c.k[0]", true, "-1e-400"},
		{"d.k", "d.k", false, "9007199254740993.0"},
		{"e", "e", true, "0.1000000000000000055511151231257827"},
		{"f.value", "f.value", false, "9007199254740993"},
	}
	if len(report.Rounded) != len(want) || report.More != 0 {
		t.Fatalf("%d rounded, %d more", len(report.Rounded), report.More)
	}
	for i, r := range report.Rounded {
		w := want[i]
		if r.At.String() != w.shown || r.At.RevealPath() != path.MustParse(w.whole) || r.Secret != w.secret || r.RevealText() != w.text {
			t.Errorf("%d: got %q (%q), secret %v, %q", i, r.At, r.At.RevealPath(), r.Secret, r.RevealText())
		}
		if at, ok := v.At(r.At.RevealPath()); !ok || at.Kind() != value.KindNumber || at.IsSecret() != r.Secret {
			t.Errorf("%d: the path leads to %v, %v", i, at, ok)
		}
		if shown := fmt.Sprintf("%v %+v %#v", r, r, report); strings.Contains(shown, w.text) {
			t.Errorf("%d: printing shows the number: %s", i, shown)
		}
	}
}

// A refused text reports nothing; a hostile one cannot make the report outgrow it.
func TestRoundingBounds(t *testing.T) {
	var report codec.Report
	o := codec.Options{RoundNumbers: true, Report: &report}
	if _, err := codec.DecodeJSONValue([]byte(`[1e400,`), o); err == nil || len(report.Rounded) != 0 {
		t.Errorf("%v, and %d rounded", err, len(report.Rounded))
	}
	const n = 100_000
	decode(t, "["+strings.Repeat("1e400,", n)+"1]", o)
	if len(report.Rounded)+report.More != n || len(report.Rounded) != 1<<16 {
		t.Errorf("%d rounded, %d more", len(report.Rounded), report.More)
	}
	decode(t, "["+strings.Repeat("1e400,", n)+"1]", o)
	if len(report.Rounded)+report.More != 2*n {
		t.Errorf("second text: %d rounded, %d more", len(report.Rounded), report.More)
	}
	long := codec.Report{}
	o.Report = &long
	decode(t, `{"`+strings.Repeat("k", 1<<20)+`":[`+strings.Repeat("1e400,", n)+"1]}", o)
	if len(long.Rounded) > 20 || len(long.Rounded)+long.More != n {
		t.Errorf("long paths: %d rounded, %d more", len(long.Rounded), long.More)
	}
}

// A text in the place of a signature may be a secret, in whatever form it has.
func TestUnknownSignaturesBelowSecretsAreHidden(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	signed := `{"` + sigKey + `":"` + secret + `"}`
	plaintext := func(of string) string { return `{` + asSecret + `,"plaintext":` + strconv.Quote(of) + `}` }
	decoders := map[string]func(text string) error{
		"json": func(text string) error {
			_, err := codec.DecodeJSONValue([]byte(text), codec.Options{})
			return err
		},
		"struct": func(text string) error {
			m := new(structpb.Struct)
			if err := protojson.Unmarshal([]byte(text), m); err != nil {
				t.Fatal(err)
			}
			_, err := codec.FromMessage(m, codec.Options{})
			return err
		},
		"protobuf": func(text string) error {
			m := new(structpb.Struct)
			if err := protojson.Unmarshal([]byte(text), m); err != nil {
				t.Fatal(err)
			}
			wire, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			_, err = codec.Decode(wire, codec.Options{})
			return err
		},
	}
	for name, decode := range decoders {
		for _, text := range []string{
			`{` + asSecret + `,"value":` + signed + `}`,
			`{` + asOutput + `,"secret":true,"value":` + signed + `}`,
			plaintext(signed), plaintext(`{"a":[` + signed + `]}`), plaintext(plaintext(signed)),
			`{` + asOutput + `,"value":` + plaintext(signed) + `}`,
		} {
			err := decode(`{"p":` + text + `}`)
			if e := failure(t, err); strings.Contains(fmt.Sprintf("%v %+v", err, *e), secret) {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}
		if err := decode(`{"p":` + signed + `}`); !strings.Contains(err.Error(), secret) {
			t.Errorf("%s: in the clear it says nothing: %v", name, err)
		}
	}
}
