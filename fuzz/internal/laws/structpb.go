package laws

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// wireBytes generates bytes that are a google.protobuf.Struct, or were one before
// they were changed, cut, doubled or joined with others. They shrink to none.
func wireBytes() *rapid.Generator[[]byte] {
	encoded := rapid.Custom(func(t *rapid.T) []byte {
		bag := value.Object(value.Member{Key: rapid.SampledFrom([]string{"a", "b", "value", sample.SignatureKey}).Draw(t, "key"), Value: fuzz.Values(fuzz.Options{}).Draw(t, "v")})
		data, err := codec.Append(nil, bag, codec.Options{})
		if err != nil { // it cannot be written
			m := &structpb.Struct{Fields: map[string]*structpb.Value{sample.SignatureKey: structpb.NewStringValue(rapid.SampledFrom(signatures()).Draw(t, "signature"))}}
			data, _ = proto.Marshal(m)
		}

		return data
	})
	pieces := []string{
		"", "\x00", "\x80", "\xff", "\x0a\x00", "\x12\x00", "\x0b\x0c", "\x7b\x08\x01\x7c", "\x20\x01", "\x08\x00", "\x1a\x01x", "\x2a\x00", "\x32\x00",
		"\x12\x02\x08\x00", "\xfa\x7f\x01x", "\x11\x00\x00\x00\x00\x00\x00\xf8\x7f", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", "\x0d1234",
	}
	merged := rapid.Custom(func(t *rapid.T) []byte {
		data := encoded.Draw(t, "encoded")
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			if rapid.Bool().Draw(t, "merged") {
				data = append(data, encoded.Draw(t, "other")...)
				continue
			}
			at := rapid.IntRange(0, len(data)).Draw(t, "at")
			data = slices.Insert(data, at, []byte(rapid.SampledFrom(pieces).Draw(t, "piece"))...)
		}
		return data
	})
	return rapid.OneOf(merged, fuzz.Damaged(merged))
}

// signatures lists allowed and other values of the signature key.
func signatures() []string {
	return []string{sample.SignatureSecret, sample.SignatureAsset, sample.SignatureArchive, sample.SignatureReference, sample.SignatureOutput, sample.SignatureByteString, "", "x"}
}

// Law15BytesWithoutStructpb is the law that any bytes are taken or refused as a
// google.protobuf.Struct as protobuf-go does, at every limit on depth, and mean
// what protobuf-go makes of them: as package codec reads that message, and, where
// it says nothing that JSON cannot, as a plain translation of it; but for a value
// of no kind, which is an error.
func Law15BytesWithoutStructpb(t *rapid.T) {
	data := wireBytes().Draw(t, "data")
	o := codec.Options{Depth: rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 12, 20}).Draw(t, "depth")}
	m := new(structpb.Struct)
	broken := proto.UnmarshalOptions{RecursionLimit: o.Depth}.Unmarshal(data, m)
	v, err := codec.Decode(data, o)
	Owned(t, data, o, codec.Decode)

	if broken != nil {
		if (!errors.Is(err, codec.ErrSyntax) && !errors.Is(err, codec.ErrUTF8) && !errors.Is(err, codec.ErrDepth)) || !v.Identical(value.Null()) {
			t.Fatalf("%x: protobuf-go says %v, we say %v", data, broken, err)
		}
		return
	}

	var e *codec.Error
	if err != nil && (!errors.As(err, &e) || e.Offset < -1 || e.Offset > len(data) || !v.Identical(value.Null())) {
		t.Fatalf("%x: %v, %#v", data, v, err)
	}
	if want, wantErr := codec.FromMessage(m, o); !sameFailure(err, wantErr) || !v.Identical(want) {
		t.Fatalf("%x: is %s, %v; by way of structpb %s, %v", data, fuzz.GoSource(v), err, fuzz.GoSource(want), wantErr)
	}
	want, speech := plainly(structpb.NewStructValue(m))
	switch {
	case speech == kindless && !errors.Is(err, codec.ErrKind):
		t.Fatalf("%x: has a value of no kind, and is %s, %v", data, fuzz.GoSource(v), err)
	case speech == plain && (err != nil || !v.Identical(want)):
		t.Fatalf("%x: is %s, %v, and says %s", data, fuzz.GoSource(v), err, fuzz.GoSource(want))
	}
}

// speech is what a message says: something that JSON can say too, something that
// only Pulumi understands, or nothing in one place.
type speech uint8

const (
	plain speech = iota
	signed
	kindless
)

// plainly translates a message, without a thought for speed. What it makes of one
// that is not plain is nothing.
func plainly(m *structpb.Value) (v value.Value, s speech) {
	switch kind := m.GetKind().(type) {
	case *structpb.Value_NullValue:
		return value.Null(), plain
	case *structpb.Value_BoolValue:
		return value.Bool(kind.BoolValue), plain
	case *structpb.Value_NumberValue:
		return value.Number(kind.NumberValue), plain
	case *structpb.Value_StringValue:
		if slices.Contains(sample.Sentinels(), kind.StringValue) {
			return value.Null(), signed
		}
		return value.String(kind.StringValue), plain

	case *structpb.Value_ListValue:
		var elements []value.Value
		for _, element := range kind.ListValue.GetValues() {
			v, inner := plainly(element)
			elements, s = append(elements, v), worse(s, inner)
		}
		return value.Array(elements...), s
	case *structpb.Value_StructValue:
		members := map[string]value.Value{}
		for key, member := range kind.StructValue.GetFields() {
			v, inner := plainly(member)
			members[key], s = v, worse(s, inner)
			if key == sample.SignatureKey {
				s = worse(s, signed)
			}
		}
		return value.ObjectFromMap(members), s
	}

	return value.Null(), kindless
}

// worse is what a message says of which two parts say something. A signature may
// hide what has no kind, or be wrong as well.
func worse(a, b speech) speech {
	if a == signed || b == signed {
		return signed
	}
	return max(a, b)
}
