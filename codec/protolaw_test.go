package codec_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

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

// Law 13 for bytes and messages: what is written reads back as it was, whatever
// way it goes, and bytes and messages are the same to protobuf-go.
func TestLawLosslessBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, o := objects().Draw(t, "v"), codec.Options{}
		out, err := codec.AppendStruct([]byte("kept"), v, o)
		m, mErr := codec.ToStruct(v, o)
		if (err == nil) != (mErr == nil) || reason(err) != reason(mErr) {
			t.Fatalf("as bytes %v, as message %v", err, mErr)
		}
		if err != nil {
			if string(out) != "kept" || m != nil {
				t.Fatalf("failed, and left %q and %v", out, m)
			}
			return
		}
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil || "kept"+string(want) != string(out) {
			t.Fatalf("%x, and by way of the message %x, %v", out, want, err)
		}
		back, err := codec.DecodeStruct(want, o)
		settled := value.Array(v).Elem(0) // an inherited mark is written as its own
		if err != nil || !back.Identical(settled) {
			t.Fatalf("read back differently: %v", err)
		}
		if back, err = codec.FromStruct(m, o); err != nil || !back.Identical(settled) {
			t.Fatalf("read back differently from the message: %v", err)
		}
		agree(t, want, o)
	})
}

// Every kind goes as a Value.
func TestLawLosslessValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, o := values(2).Draw(t, "v"), codec.Options{}
		out, err := codec.AppendValue(nil, v, o)
		m, mErr := codec.ToValue(v, o)
		if reason(err) != reason(mErr) {
			t.Fatalf("as bytes %v, as message %v", err, mErr)
		}
		if err != nil {
			return
		}
		again := new(structpb.Value)
		if err := proto.Unmarshal(out, again); err != nil || !proto.Equal(m, again) {
			t.Fatalf("protobuf-go reads %v and has %v: %v", again, m, err)
		}
		for _, read := range []func() (value.Value, error){
			func() (value.Value, error) { return codec.DecodeValue(out, o) },
			func() (value.Value, error) { return codec.FromValue(m, o) },
		} {
			if back, err := read(); err != nil || !back.Identical(v) {
				t.Fatalf("read back differently: %v", err)
			}
		}
	})
}

// One set of rules: bytes, messages and text are written and refused alike, and
// what the policies leave is the same.
func TestLawOneCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, o := objects().Draw(t, "v"), policies().Draw(t, "o")
		text, textErr := codec.EncodeJSON(v, o)
		out, err := codec.AppendStruct(nil, v, o)
		if errors.Is(textErr, codec.ErrNumber) {
			return // the one thing that bytes can say and text cannot
		}
		if (err == nil) != (textErr == nil) {
			t.Fatalf("as bytes %v, as text %v", err, textErr)
		}
		if err != nil {
			return
		}
		m, mErr := codec.ToStruct(v, o)
		same := new(structpb.Struct)
		if err := protojson.Unmarshal(text, same); err != nil || mErr != nil || !proto.Equal(m, same) {
			t.Fatalf("%s is the message %v: %v, %v", text, m, err, mErr)
		}
		fromText, textErr := codec.DecodeJSON(text, o)
		back, err := codec.DecodeStruct(out, o)
		if reason(err) != reason(textErr) || !back.Identical(fromText) {
			t.Fatalf("%s is read differently as bytes: %v, %v", text, err, textErr)
		}
	})
	rapid.Check(t, func(t *rapid.T) { // and read alike
		v, o := objects().Draw(t, "v"), policies().Draw(t, "o")
		text, err := codec.EncodeJSON(v, codec.Options{Depth: noLimit})
		if err != nil {
			return
		}
		out, err := codec.AppendStruct(nil, v, codec.Options{Depth: noLimit})
		if err != nil {
			t.Fatal(err)
		}
		fromText, textErr := codec.DecodeJSONBag(text, o)
		back, err := codec.DecodeStruct(out, o)
		if (err == nil) != (textErr == nil) || !back.Identical(fromText) || !errors.Is(err, codec.ErrDepth) && reason(err) != reason(textErr) {
			t.Fatalf("%s is read differently as bytes: %v, %v", text, err, textErr)
		}
		agree(t, out, o)
	})
}

// What goes with a signature is the same, field by field, in text and in messages.
func TestSignedFields(t *testing.T) {
	ofNone, _ := value.TextAsset("").Hash()
	nothing := []string{"", hash, ofNone}
	var vs []value.Value
	for _, h := range nothing {
		for _, text := range []string{"", "x"} {
			vs = append(vs, value.TextAsset(text).WithHash(h).Value(), value.FileAsset(text).WithHash(h).Value(), value.URIAsset(text).WithHash(h).Value(), value.ElidedAsset(h).Value(),
				value.FileArchive(text).WithHash(h).Value(), value.URIArchive(text).WithHash(h).Value(), value.ElidedArchive(h).Value(),
				literal(t).WithHash(h).Value(), literal(t, member("f", value.TextAsset(text).WithHash(h).Value())).WithHash(h).Value(),
				value.ResourceReference{URN: text, ID: value.KnownID(h)}.Value(), value.ResourceReference{URN: h, Name: text, Type: h, PackageVersion: text}.Value())
		}
	}
	vs = append(vs, str("\xff"), str(anyString), value.Unknown(), value.Secret(value.Null()), value.Secret(num(1)).WithDependencies("v", "u"), value.Unknown().WithDependencies("u"))
	for i, v := range vs {
		text, err := codec.EncodeJSON(v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := codec.ToValue(v, codec.Options{})
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
		out, err := codec.AppendStruct(dst, v, o)
		if !errors.Is(err, codec.ErrOptions) || string(out) != "before" {
			t.Errorf("%+v: %q, %v", o, out, err)
		}
		if _, err := codec.ToStruct(v, o); !errors.Is(err, codec.ErrOptions) {
			t.Errorf("%+v: to a message: %v", o, err)
		}
		if o.Form != codec.FormWire {
			continue
		}
		if _, err := codec.DecodeStruct(nil, o); !errors.Is(err, codec.ErrOptions) {
			t.Errorf("%+v: decode: %v", o, err)
		}
		if _, err := codec.FromStruct(nil, o); !errors.Is(err, codec.ErrOptions) {
			t.Errorf("%+v: from a message: %v", o, err)
		}
	}
}
