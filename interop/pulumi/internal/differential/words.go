package differential

import (
	"math"
	"math/rand/v2"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
)

// word is a name that means something to a signature, or nothing.
func word(rng *rand.Rand) string {
	all := [...]string{
		"value", "secret", "dependencies", "urn", "id", "packageVersion", "name", "type", "hash", "text", "path", "uri",
		"assets", "ciphertext", "plaintext", "masked", "a", "", "__x", codec.SignatureKey,
	}
	return all[rng.IntN(len(all))]
}

func signature(rng *rand.Rand) string {
	all := [...]string{
		sigSecret, sigAsset, sigArchive, sigOutput, "5cf8f73096256a8f31e491e813e4eb8e", "803fd3297a5875dc03ca845dda5d2a98",
		sigSecret, sigAsset, sigArchive, sigOutput, "5cf8f73096256a8f31e491e813e4eb8e", "803fd3297a5875dc03ca845dda5d2a98", "x",
	}
	return all[rng.IntN(len(all))]
}

// leaf is a small value: a scalar, a word that means something, or a container.
func leaf(rng *rand.Rand) *structpb.Value {
	switch rng.IntN(12) {
	case 0:
		return structpb.NewNullValue()
	case 1:
		return structpb.NewBoolValue(rng.IntN(2) == 0)
	case 2:
		all := [...]float64{0, math.Copysign(0, -1), 1, 0.1, 1e300, math.Inf(1), math.NaN(), 9007199254740993}
		return structpb.NewNumberValue(all[rng.IntN(len(all))])
	case 3:
		return structpb.NewListValue(&structpb.ListValue{})
	case 4:
		return structpb.NewStructValue(&structpb.Struct{})
	case 5:
		return structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{leaf(rng), leaf(rng)}})
	case 6:
		return wrap(rng, leaf(rng))
	}

	return structpb.NewStringValue(text(rng))
}

func text(rng *rand.Rand) string {
	all := [...]string{
		"", "x", "ü€😀", "/w==", "////", "aGVsbG8=", "not base64", "\x00", strings.Repeat("long ", 40), signature(rng), word(rng),
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "abc",
		"urn:pulumi:dev::proj::pkg:mod:Type::name", "urn:pulumi:dev::proj::pkg:mod:Par$pkg:mod:Type::na::me", "urn:pulumi:a::b::c::d", "urn:pulumi:::",
		"1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "3eeb2bf0-c639-47a8-9e75-3b44932eb421", "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
		"6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", "030794c1-ac77-496b-92df-f27374a8bd58", "e48ece36-62e2-4504-bad9-02848725956a",
		"dd056dcd-154b-4c76-9bd3-c8f88648b5ff", `{"a":1}`, `"quoted"`,
	}
	return all[rng.IntN(len(all))]
}
