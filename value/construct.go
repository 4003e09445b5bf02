package value

// NOTE: A value that leaves a secret container gets its mark here (handOut), and one that
// is put into a container loses or keeps it here (settleBelow). Reading by path does the
// former in access.go (inherits); a diff does the latter by NotInherited of
// internal/difftree.

import "math/bits"

// Null returns the null value, which is also the zero Value.
func Null() Value { return Value{} }

// Bool returns a boolean.
func Bool(b bool) Value {
	v := Value{meta: meta{kind: KindBool}}
	if b {
		v.num = 1
	}
	return v
}

// Number returns a number. Every float64 is allowed, including NaN and the infinities.
// All NaNs are the same value; the sign of zero is kept.
func Number(f float64) Value { return makeNumber(f) }

// Int returns an integer as a number. If no float64 is exactly i, as for some integers
// beyond ±2^53, the error is an [*Error] that wraps [ErrInexact].
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](i T) (Value, error) {
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}

	const mantissa = 53 // bits
	if bits.Len64(magnitude)-bits.TrailingZeros64(magnitude) > mantissa {
		return Value{}, &Error{Op: "number", err: ErrInexact}
	}
	return makeNumber(float64(i)), nil
}

// String returns a string, which may hold any bytes. Whether those that are not UTF-8 can
// be written depends on the codec. The result shares the memory of s.
func String(s string) Value { return makeString(s) }

// Array returns an array of the given elements. The slice is copied. It panics if the
// array is nested deeper than [MaxDepth].
func Array(elems ...Value) Value {
	own := make([]Value, len(elems))
	for i, e := range elems {
		own[i] = e.settle()
	}
	return makeArray(own)
}

// Object returns an object of the given members, in any order. If two members have the
// same key, the later one is used. The slice is copied. It panics if the object is nested
// deeper than [MaxDepth].
func Object(members ...Member) Value {
	own := make([]Member, len(members))
	for i, m := range members {
		own[i] = Member{m.Key, m.Value.settle()}
	}
	own = sortMembers(own)
	return makeObject(own)
}

// Field returns a member for [Object].
func Field(name string, v Value) Member { return Member{Key: name, Value: v} }

// ObjectFromMap returns an object with the members of a map. It panics if the object is
// nested deeper than [MaxDepth].
func ObjectFromMap(m map[string]Value) Value {
	own := make([]Member, 0, len(m))
	for k, v := range m {
		own = append(own, Member{k, v.settle()})
	}
	own = sortMembers(own)
	return makeObject(own)
}

// Unknown returns an unknown with the hint string, which is the default on the wire.
func Unknown() Value {
	return Value{meta: meta{kind: KindUnknown, hint: KindString, facts: deepUnknown}}
}

// UnknownOf returns an unknown with a hint of the kind that it is expected to have.
//
// The hint is bool, number, string, array, object, asset or archive; any other hint
// gives [Unknown]. Equality ignores the hint.
func UnknownOf(hint Kind) Value {
	v := Unknown()
	switch hint {
	case KindBool, KindNumber, KindString, KindArray, KindObject, KindAsset, KindArchive:
		v.hint = hint
	case KindNull, KindResourceReference, KindUnknown, KindSealed:
	}
	return v
}
