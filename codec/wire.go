package codec

// NOTE: signature.go reads what is named here. Writers are json_write.go, proto_write_scalar.go
// and structpb_write.go; codec/state writes the texts of secrets by itself (encode.go).

import "github.com/propalg/propalg/value"

// SignatureKey is the member name that marks an object as a value of a kind that JSON
// lacks. Objects of users cannot have such a member: writers refuse it, and readers treat
// the object as such a value.
const SignatureKey = "4dabf18193072939515e22adb298388d"

// The signatures, as the wire has them.
const (
	sigSecret     = "1b47061264138c4ac30d75fd1eb44270"
	sigAsset      = "c44067f5952c0a294b673a41bacd8c17"
	sigArchive    = "0def7320c3a5731c473e5ecbe6d01bc7"
	sigReference  = "5cf8f73096256a8f31e491e813e4eb8e"
	sigOutput     = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
	sigByteString = "803fd3297a5875dc03ca845dda5d2a98"
)

// sigFloat marks NaN or an infinity, in state files only.
const sigFloat = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c"

// Every sentinel has sentinelLength bytes.
const sentinelLength = 36

// sentinelHint returns the hint of the unknown that a string means, and false for every
// other string.
func sentinelHint(s string) (value.Kind, bool) {
	if len(s) != sentinelLength {
		return 0, false
	}
	switch s {
	case "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7":
		return value.KindBool, true
	case "3eeb2bf0-c639-47a8-9e75-3b44932eb421":
		return value.KindNumber, true
	case "04da6b54-80e4-46f7-96ec-b56ff0331ba9":
		return value.KindString, true
	case "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2":
		return value.KindArray, true
	case "030794c1-ac77-496b-92df-f27374a8bd58":
		return value.KindAsset, true
	case "e48ece36-62e2-4504-bad9-02848725956a":
		return value.KindArchive, true
	case "dd056dcd-154b-4c76-9bd3-c8f88648b5ff":
		return value.KindObject, true
	}

	return 0, false
}

// unknownIn returns the hint of the unknown that a string in a text means, and false for
// every other string. State files have one sentinel.
func unknownIn(isState bool, s string) (value.Kind, bool) {
	hint, ok := sentinelHint(s)
	return hint, ok && (!isState || hint == value.KindString)
}

// isSentinel reports whether a string means an unknown.
func isSentinel(s string) bool {
	_, ok := sentinelHint(s)
	return ok
}

// sentinel returns the string that means an unknown with a hint.
func sentinel(hint value.Kind) string {
	switch hint {
	case value.KindBool:
		return "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"
	case value.KindNumber:
		return "3eeb2bf0-c639-47a8-9e75-3b44932eb421"
	case value.KindArray:
		return "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"
	case value.KindAsset:
		return "030794c1-ac77-496b-92df-f27374a8bd58"
	case value.KindArchive:
		return "e48ece36-62e2-4504-bad9-02848725956a"
	case value.KindObject:
		return "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"
	case value.KindNull, value.KindString, value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}

	return "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
}
