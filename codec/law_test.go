package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// texts are strings that something could trip over.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "a", "value", "secret", "masked", "plaintext", "dependencies", "*", `\`, `"`, "\x00", "\n", "\xff", "é", "😀", "\u2028",
			"__proto__", "__a", sigKey, anyString, anyBool, "1b47061264138c4ac30d75fd1eb44270", strings.Repeat("k", 70), urnA, urnB,
		}),
		rapid.String(),
	)
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e21, 1e-7, math.MaxFloat64, 5e-324, 1 << 53, math.NaN(), math.Inf(1), math.Inf(-1)}),
		rapid.Float64(),
	)
}

func scalars() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		text := texts().Draw(t, "text")
		switch rapid.IntRange(0, 11).Draw(t, "kind") {
		case 0:
			return value.Null()
		case 1:
			return value.Bool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return num(numbers().Draw(t, "number"))
		case 3:
			return value.UnknownOf(value.Kind(rapid.IntRange(0, 10).Draw(t, "hint")))
		case 4:
			return value.Sealed{Ciphertext: text}.Value()
		case 5, 6:
			return blobs(2).Draw(t, "blob")
		case 7:
			r := value.ResourceReference{URN: text, Name: texts().Draw(t, "name"), Type: texts().Draw(t, "type")}
			switch rapid.IntRange(0, 2).Draw(t, "id") {
			case 0:
				r.ID = value.UnknownID()
			case 1:
				r.ID = value.KnownID(texts().Draw(t, "known"))
			}
			return r.Value()
		}
		return str(text)
	})
}

// blobs are assets and archives.
func blobs(levels int) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		text := texts().Draw(t, "text")
		hash := rapid.SampledFrom([]string{"", hash, ofNothing, "H"}).Draw(t, "hash")
		switch rapid.IntRange(0, 7).Draw(t, "source") {
		case 0:
			return value.FileAsset(text).WithHash(hash)
		case 1:
			return value.URIAsset(text).WithHash(hash)
		case 2:
			return value.TextAsset(text).WithHash(hash)
		case 3:
			return value.TextAsset("").WithHash(hash).DropContent()
		case 4:
			return value.FileArchive(text).WithHash(hash)
		case 5:
			return value.URIArchive(text).WithHash(hash)
		case 6:
			return value.FileArchive("").WithHash(hash).DropContent()
		}
		var entries []value.Member
		if levels > 0 {
			for name, v := range rapid.MapOfN(texts(), blobs(levels-1), 0, 3).Draw(t, "entries") {
				entries = append(entries, member(name, v))
			}
		}
		a, err := value.LiteralArchive(entries...)
		if err != nil {
			t.Fatal(err)
		}
		return a.WithHash(hash)
	})
}

func values(levels int) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		v := scalars().Draw(t, "scalar")
		if levels > 0 {
			switch rapid.IntRange(0, 3).Draw(t, "container") {
			case 0:
				v = value.Array(rapid.SliceOfN(values(levels-1), 0, 4).Draw(t, "elems")...)
			case 1, 2:
				v = value.ObjectFromMap(rapid.MapOfN(texts(), values(levels-1), 0, 4).Draw(t, "members"))
			}
		}
		marks := rapid.IntRange(0, 9).Draw(t, "marks")
		if marks < 2 {
			v = v.WithDependencies(rapid.SliceOfN(texts(), 0, 3).Draw(t, "urns")...)
		}
		if marks > 0 && marks < 4 {
			v = value.Secret(v)
		}
		return v
	})
}

// Law 13: reading what was written gives an Identical value, and so does writing
// it again the same text; what cannot be written is an error of a listed cause.
func TestRoundTrip(t *testing.T) {
	for _, v := range eachKind() {
		roundTrip(t, v)
		data, err := codec.AppendValue(nil, v, codec.Options{})
		if w, wrong := codec.DecodeValue(data, codec.Options{}); err != nil || wrong != nil || !w.Identical(v) {
			t.Errorf("%#v: %v, %v: the bytes were read as %#v", v, err, wrong, w)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "v")
		if _, err := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed}); err == nil { // whether it had to be is for TestRefusalsAreDue
			roundTrip(t, v)
		}
	})
}

// eachKind returns values of each kind, with each mark and each field, which a law draws
// too rarely.
func eachKind() []value.Value {
	r := value.ResourceReference{URN: urnA, ID: value.KnownID("i"), PackageVersion: "1.2.3", Name: "n", Type: "t"}
	component, later := r, r
	component.ID, later.ID = value.ID{}, value.UnknownID()
	literal, _ := value.LiteralArchive(member("a", value.URIAsset("u")), member("b", value.URIArchive("u")))
	all := []value.Value{
		value.Null(), value.Bool(false), value.Bool(true), str(""), str("\x00\xff"), str("é"), str(anyString),
		num(0), num(math.Copysign(0, -1)), num(0.1), num(-1e21), num(1e-7), num(5e-324), num(math.MaxFloat64), num(1<<53 + 2),
		r.Value(), component.Value(), later.Value(), value.ResourceReference{URN: urnA}.Value(),
		value.TextAsset("x"), value.FileAsset("x"), value.URIAsset("x"), value.TextAsset("").WithHash(hash).DropContent(),
		value.FileAsset("x").WithHash(hash), value.URIAsset("x").WithHash(hash),
		value.FileArchive("x"), value.URIArchive("x"), value.FileArchive("").WithHash(hash).DropContent(), literal,
		value.FileArchive("x").WithHash(hash), value.URIArchive("x").WithHash(hash), literal.WithHash(hash),
		value.Array(), value.Array(value.Null(), value.Array(num(1))), object(), object(member("", value.Null()), member("a", object())),
	}
	for hint := range value.KindObject + 1 {
		all = append(all, value.UnknownOf(hint))
	}
	for _, v := range slices.Clone(all) {
		all = append(all, value.Secret(v), v.WithDependencies(urnA, urnB), value.Secret(v).WithDependencies(urnA))
	}
	return all
}

// roundTrip writes a value that can be written as JSON, and reads that.
func roundTrip(t interface{ Fatalf(string, ...any) }, v value.Value) {
	o := codec.Options{Form: codec.FormSealed}
	text, err := codec.AppendJSONValue(nil, v, o)
	if err != nil || !json.Valid(text) {
		t.Fatalf("wrote no JSON: %s, %v", text, err)
	}
	w, err := codec.DecodeJSONValue(text, o)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !w.Identical(v) {
		t.Fatalf("%s was read as something else", text)
	}
	again, err := codec.AppendJSONValue(nil, w, o)
	if err != nil || !bytes.Equal(again, text) {
		t.Fatalf("%s\nwas written again as\n%s, %v", text, again, err)
	}
}

// Writing fails exactly when something in the value is on the list.
func TestRefusalsAreDue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		o := codec.Options{Form: codec.FormSealed}
		o.ByteStrings = rapid.SampledFrom([]codec.Policy{codec.Keep, codec.Reject}).Draw(t, "byte strings")
		_, err := codec.AppendJSONValue(nil, v, o)
		if due := unwritable(v, o); due != (err != nil) {
			t.Fatalf("error %v, due: %v", err, due)
		}
	})
}

// Lowering twice is lowering once, on either side.
func TestLoweringIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		o := codec.Options{Form: codec.FormSealed}
		for _, p := range []*codec.Policy{&o.Unknowns, &o.Secrets, &o.Outputs, &o.Assets, &o.References, &o.Nulls, &o.Internal} {
			*p = codec.Policy(rapid.IntRange(0, 1).Draw(t, "policy"))
		}
		once, err := codec.AppendJSONValue(nil, v, o)
		if err != nil {
			return
		}
		all := codec.Options{Form: codec.FormSealed}
		plain, err := codec.AppendJSONValue(nil, v, all)
		if err == nil {
			in, err := codec.DecodeJSONValue(plain, o)
			if err != nil {
				t.Fatalf("written, but not read: %v", err)
			}
			if out, err := codec.AppendJSONValue(nil, in, all); err != nil || !bytes.Equal(out, once) {
				t.Fatalf("lowered on the way in:  %s, %v\nlowered on the way out: %s", out, err, once)
			}
		}
		low, err := codec.DecodeJSONValue(once, o)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := codec.AppendJSONValue(nil, low, all); err != nil || !bytes.Equal(twice, once) {
			t.Fatalf("twice: %s, %v\nonce: %s", twice, err, once)
		}
	})
}

// Every real bag is read, and written so that it is read as the same.
func TestRealBags(t *testing.T) {
	rows := bags(t)
	if len(rows) != 7471 {
		t.Errorf("%d rows", len(rows))
	}
	o := codec.Options{Form: codec.FormSealed}
	for i, r := range rows {
		v, err := codec.DecodeJSON(r.Bag, codec.Options{})
		if err != nil {
			t.Errorf("row %d, %s: %v", i+1, r.Source, err)
			continue
		}
		text, err := codec.AppendJSONValue(nil, v, o)
		if err != nil {
			t.Errorf("row %d, %s: %v", i+1, r.Source, err)
			continue
		}
		if w := decode(t, string(text), o); !w.Identical(v) {
			t.Errorf("row %d, %s: read as something else", i+1, r.Source)
		}
		if !strings.Contains(string(r.Bag), sigKey) {
			var want, got any
			if json.Unmarshal(r.Bag, &want) != nil || json.Unmarshal(text, &got) != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("row %d, %s: a plain bag is written as another one", i+1, r.Source)
			}
		}
	}
}

// policies are any options that mean something to all forms.
func policies() *rapid.Generator[codec.Options] {
	return rapid.Custom(func(t *rapid.T) codec.Options {
		policy := rapid.SampledFrom([]codec.Policy{codec.Keep, codec.Keep, codec.Keep, codec.Lower, codec.Reject})
		return codec.Options{
			Unknowns: policy.Draw(t, "unknowns"), Secrets: policy.Draw(t, "secrets"), Outputs: policy.Draw(t, "outputs"), Assets: policy.Draw(t, "assets"),
			References: policy.Draw(t, "references"), Nulls: policy.Draw(t, "nulls"), Internal: policy.Draw(t, "internal"),
			ByteStrings: rapid.SampledFrom([]codec.Policy{codec.Keep, codec.Keep, codec.Reject}).Draw(t, "byte strings"),
			Depth:       rapid.SampledFrom([]int{0, 0, 0, 3, 7, 12, 100}).Draw(t, "depth"),
		}
	})
}

func objects() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		v := value.ObjectFromMap(rapid.MapOfN(texts(), values(3), 0, 4).Draw(t, "members"))
		switch rapid.IntRange(0, 9).Draw(t, "marks") {
		case 0:
			v = value.Secret(v)
		case 1:
			v = v.WithDependencies("u")
		case 2:
			v = value.Secret(object(member("of", v))).Field("of") // secret by where it comes from
		}
		return v
	})
}

// One set of rules: bytes, messages and text are written and refused alike, and
// what the policies leave is the same.
func TestLawOneCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, o := objects().Draw(t, "v"), policies().Draw(t, "o")
		text, textErr := codec.AppendJSONValue(nil, v, o)
		out, err := codec.Append(nil, v, o)
		if errors.Is(textErr, codec.ErrNumber) {
			return // the one thing that bytes can say and text cannot
		}
		if (err == nil) != (textErr == nil) {
			t.Fatalf("as bytes %v, as text %v", err, textErr)
		}
		if err != nil {
			return
		}
		m, mErr := codec.ToMessage(v, o)
		same := new(structpb.Struct)
		if err := protojson.Unmarshal(text, same); err != nil || mErr != nil || !proto.Equal(m, same) {
			t.Fatalf("%s is the message %v: %v, %v", text, m, err, mErr)
		}
		fromText, textErr := codec.DecodeJSONValue(text, o)
		back, err := codec.Decode(out, o)
		if reason(err) != reason(textErr) || !back.Identical(fromText) {
			t.Fatalf("%s is read differently as bytes: %v, %v", text, err, textErr)
		}
	})
	rapid.Check(t, func(t *rapid.T) { // and read alike
		v, o := objects().Draw(t, "v"), policies().Draw(t, "o")
		text, err := codec.AppendJSONValue(nil, v, codec.Options{Depth: noLimit})
		if err != nil {
			return
		}
		out, err := codec.Append(nil, v, codec.Options{Depth: noLimit})
		if err != nil {
			t.Fatal(err)
		}
		fromText, textErr := codec.DecodeJSON(text, o)
		back, err := codec.Decode(out, o)
		if (err == nil) != (textErr == nil) || !back.Identical(fromText) || (!errors.Is(err, codec.ErrDepth) && reason(err) != reason(textErr)) {
			t.Fatalf("%s is read differently as bytes: %v, %v", text, err, textErr)
		}
		agree(t, out, o)
	})
}

// What goes with a signature is the same, field by field, in text and in messages.
func TestSignedFields(t *testing.T) {
	empty, _ := value.TextAsset("").AsAsset()
	ofNone, _ := empty.Hash()
	nothing := []string{"", hash, ofNone}
	var vs []value.Value
	for _, h := range nothing {
		for _, text := range []string{"", "x"} {
			vs = append(vs, value.TextAsset(text).WithHash(h), value.FileAsset(text).WithHash(h), value.URIAsset(text).WithHash(h), value.TextAsset("").WithHash(h).DropContent(),
				value.FileArchive(text).WithHash(h), value.URIArchive(text).WithHash(h), value.FileArchive("").WithHash(h).DropContent(),
				literal(t).WithHash(h), literal(t, member("f", value.TextAsset(text).WithHash(h))).WithHash(h),
				value.ResourceReference{URN: text, ID: value.KnownID(h)}.Value(), value.ResourceReference{URN: h, Name: text, Type: h, PackageVersion: text}.Value())
		}
	}
	vs = append(vs, str("\xff"), str(anyString), value.Unknown(), value.Secret(value.Null()), value.Secret(num(1)).WithDependencies("v", "u"), value.Unknown().WithDependencies("u"))
	for i, v := range vs {
		text, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := codec.ToMessageValue(v, codec.Options{})
		same := new(structpb.Value)
		if jsonErr := protojson.Unmarshal(text, same); err != nil || jsonErr != nil || !proto.Equal(m, same) {
			t.Errorf("%d: %s is the message %v: %v", i, text, m, err)
		}
		data, err := codec.AppendValue(nil, v, codec.Options{})
		if want, _ := (proto.MarshalOptions{Deterministic: true}).Marshal(same); err != nil || !bytes.Equal(data, want) {
			t.Errorf("%d: %s is %x, not %x: %v", i, text, data, want, err)
		}
		if back, err := codec.DecodeValue(data, codec.Options{}); err != nil || !back.Identical(v) {
			t.Errorf("%d: %s is read as %v: %v", i, text, back, err)
		}
	}
}

// Options that mean nothing, or nothing for bytes.
func TestProtoOptions(t *testing.T) {
	v := object(member("a", num(1)))
	for _, o := range []codec.Options{{Depth: -1}, {Nulls: 9}, {ByteStrings: codec.Lower}, {Form: codec.FormMasked}, {Form: codec.FormSealed}, {Form: codec.FormState}} {
		dst := append(make([]byte, 0, 100), "before"...)
		out, err := codec.Append(dst, v, o)
		if !errors.Is(err, codec.ErrOptions) || string(out) != "before" {
			t.Errorf("%+v: %q, %v", o, out, err)
		}
		if _, err := codec.ToMessage(v, o); !errors.Is(err, codec.ErrOptions) {
			t.Errorf("%+v: to a message: %v", o, err)
		}
		if o.Form != codec.FormWire {
			continue
		}
		if _, err := codec.Decode(nil, o); !errors.Is(err, codec.ErrOptions) {
			t.Errorf("%+v: decode: %v", o, err)
		}
		if _, err := codec.FromMessage(nil, o); !errors.Is(err, codec.ErrOptions) {
			t.Errorf("%+v: from a message: %v", o, err)
		}
	}
}

func readCall(t *testing.T, name string, message map[string]json.RawMessage) int {
	t.Helper()
	n := 0
	for _, field := range []string{"inputs", "properties", "olds", "news", "oldInputs", "args", "return", "state", "object", "outputs"} {
		raw, ok := message[field]
		if !ok || raw[0] != '{' {
			continue
		}
		n++
		v, err := codec.DecodeJSON(raw, codec.Options{})
		if err != nil {
			t.Errorf("%s: %s: %v", name, field, err)
			continue
		}
		if w := decode(t, encode(t, v, codec.Options{}), codec.Options{}); !w.Identical(v) {
			t.Errorf("%s: %s: read as something else", name, field)
		}
	}
	return n
}
