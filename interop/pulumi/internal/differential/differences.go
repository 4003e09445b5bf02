package differential

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/codec"
)

// Difference is something in a message that we treat otherwise than the SDK on
// purpose; see docs/differences.md.
type Difference uint8

// The differences in what is accepted.
const (
	NoKind      Difference = iota // a Value with no kind: the SDK panics
	SecretForm                    // a secret with ciphertext, plaintext or masked
	OutputField                   // an output where a signature wants a string, bool, list or asset
	TwoSources                    // an asset or archive with several sources
)

// Set is a set of differences.
type Set uint8

// Has reports whether a difference is in the set.
func (s Set) Has(d Difference) bool { return s&(1<<d) != 0 }

// Any reports whether one of some is in the set.
func (s Set) Any(some ...Difference) bool {
	for _, d := range some {
		if s.Has(d) {
			return true
		}
	}
	return false
}

// Signatures.
const (
	sigSecret  = "1b47061264138c4ac30d75fd1eb44270"
	sigAsset   = "c44067f5952c0a294b673a41bacd8c17"
	sigArchive = "0def7320c3a5731c473e5ecbe6d01bc7"
	sigOutput  = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
)

// Differences finds the differences in a message, in acceptance.
func Differences(v *structpb.Value) Set {
	switch k := v.GetKind().(type) {
	case nil:
		return 1 << NoKind
	case *structpb.Value_ListValue:
		var s Set
		for _, e := range k.ListValue.GetValues() {
			s |= Differences(e)
		}
		return s
	case *structpb.Value_StructValue:
		fields := k.StructValue.GetFields()
		s := ofObject(fields)
		for _, m := range fields {
			s |= Differences(m)
		}
		return s
	}

	return 0
}

func ofObject(fields map[string]*structpb.Value) (s Set) {
	sig, isSigned := fields[codec.SignatureKey]
	if !isSigned {
		return 0
	}

	for name, m := range fields {
		if name == "value" && is(sig, sigSecret, sigOutput) {
			continue
		}
		if isOutput(m) {
			s |= 1 << OutputField
		}
		for _, e := range m.GetListValue().GetValues() {
			if isOutput(e) {
				s |= 1 << OutputField
			}
		}
		for _, e := range m.GetStructValue().GetFields() {
			if isOutput(e) {
				s |= 1 << OutputField
			}
		}
	}
	for _, name := range []string{"ciphertext", "plaintext", "masked"} {
		if _, there := fields[name]; there && is(sig, sigSecret) {
			s |= 1 << SecretForm
		}
	}

	sources := 0
	for _, name := range []string{"text", "path", "uri", "assets"} {
		m, there := fields[name]
		_, isText := m.GetKind().(*structpb.Value_StringValue)
		switch {
		case !there, name == "text" && !is(sig, sigAsset), name == "assets" && !is(sig, sigArchive):
		case isText && m.GetStringValue() == "" && name != "assets", name == "assets" && m.GetStructValue() != nil && len(m.GetStructValue().GetFields()) == 0:
		default:
			sources++
		}
	}

	if sources > 1 && is(sig, sigAsset, sigArchive) {
		s |= 1 << TwoSources
	}
	return s
}

// is reports whether a signature is, or may be, one of those listed. It may be any if it is
// not a plain string: a byte string is written as an object.
func is(sig *structpb.Value, some ...string) bool {
	text, isText := sig.GetKind().(*structpb.Value_StringValue)
	if !isText {
		return true
	}

	for _, one := range some {
		if text.StringValue == one {
			return true
		}
	}
	return false
}

func isOutput(v *structpb.Value) bool {
	sig, isSigned := v.GetStructValue().GetFields()[codec.SignatureKey]
	return isSigned && is(sig, sigOutput)
}
