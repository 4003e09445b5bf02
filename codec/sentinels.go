package codec

import "github.com/propalg/propalg/value"

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
