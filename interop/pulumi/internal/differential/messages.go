package differential

import (
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/fuzz"
)

// Messages draws bytes that are a Struct, or were one: one of some bags, or a message whose
// names and texts mean something to a signature. Often they are damaged, or two are merged.
func Messages(bags [][]byte) *rapid.Generator[[]byte] {
	drawn := rapid.Custom(func(t *rapid.T) []byte {
		m := &structpb.Struct{Fields: drawFields(t, 3)}
		data, err := (proto.MarshalOptions{Deterministic: true}).Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return data
	})
	whole := drawn
	if len(bags) > 0 {
		whole = rapid.OneOf(rapid.SampledFrom(bags), drawn)
	}
	merged := rapid.Custom(func(t *rapid.T) []byte {
		return slices.Concat(whole.Draw(t, "first"), whole.Draw(t, "second"))
	})
	return rapid.OneOf(drawn, fuzz.Damaged(whole), fuzz.Damaged(merged))
}

func drawFields(t *rapid.T, depth int) map[string]*structpb.Value {
	names := []string{
		"value", "secret", "dependencies", "ciphertext", "plaintext", "masked", "urn", "id", "packageVersion", "name", "type", "hash",
		"text", "path", "uri", "assets", "a", "", "__x",
	}
	name := rapid.OneOf(rapid.SampledFrom(names[:6]), rapid.SampledFrom(names))
	fields := map[string]*structpb.Value{}
	for range rapid.IntRange(0, 4).Draw(t, "fields") {
		fields[name.Draw(t, "name")] = drawMessage(t, depth)
	}
	if rapid.Bool().Draw(t, "signed") {
		fields[codec.SignatureKey] = structpb.NewStringValue(rapid.SampledFrom(signatures()).Draw(t, "signature"))
	}
	return fields
}

func drawMessage(t *rapid.T, depth int) *structpb.Value {
	kind := rapid.IntRange(0, 23).Draw(t, "kind")
	if depth == 0 {
		kind %= 10
	}
	switch kind {
	case 0:
		return &structpb.Value{}
	case 1:
		return structpb.NewNullValue()
	case 2:
		return structpb.NewBoolValue(rapid.Bool().Draw(t, "bool"))
	case 3:
		return structpb.NewNumberValue(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 0.1, 1e300, math.Inf(1), math.NaN(), 9007199254740993}).Draw(t, "number"))
	case 4, 5, 6, 7, 8, 9:
		return structpb.NewStringValue(rapid.SampledFrom(texts()).Draw(t, "text"))
	case 10, 11, 12:
		list := &structpb.ListValue{}
		for range rapid.IntRange(0, 2).Draw(t, "elements") {
			list.Values = append(list.Values, drawMessage(t, depth-1))
		}
		return structpb.NewListValue(list)
	}
	return structpb.NewStructValue(&structpb.Struct{Fields: drawFields(t, depth-1)})
}

func signatures() []string {
	return []string{sigSecret, sigAsset, sigArchive, sigOutput, "5cf8f73096256a8f31e491e813e4eb8e", "803fd3297a5875dc03ca845dda5d2a98", "x"}
}

// texts are texts that mean something in an object with a signature, or nothing.
func texts() []string {
	return append(signatures(),
		"", "ü€😀", "/w==", "////", "aGVsbG8=", "not base64", "\x00", strings.Repeat("long ", 40), codec.SignatureKey,
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "abc",
		"urn:pulumi:dev::proj::pkg:mod:Type::name", "urn:pulumi:dev::proj::pkg:mod:Par$pkg:mod:Type::na::me", "urn:pulumi:a::b::c::d", "urn:pulumi:::",
		"1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "3eeb2bf0-c639-47a8-9e75-3b44932eb421", "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
		"6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", "030794c1-ac77-496b-92df-f27374a8bd58", "e48ece36-62e2-4504-bad9-02848725956a",
		"dd056dcd-154b-4c76-9bd3-c8f88648b5ff", `{"a":1}`, `"quoted"`,
	)
}
