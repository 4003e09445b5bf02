package patch

import (
	"encoding/hex"
	"slices"

	"github.com/propalg/propalg/value"
)

// fingerprintLength is the length of a SHA-256 in hex.
const fingerprintLength = 64

// Fingerprint returns a hash of a value that discloses nothing of its secrets: the
// [value.Value.Digest], in hex, of v with the contents of every secret replaced by the
// same placeholder. Values that differ only in the contents of secrets, or in whether
// these are plain, sealed or unknown, have the same fingerprint. It takes linear time.
func Fingerprint(v value.Value) string {
	digest := blank(v).Digest()
	return hex.EncodeToString(digest[:])
}

// blank returns v with a placeholder in every secret.
func blank(v value.Value) value.Value {
	var build value.Builder
	return blankWith(&build, v)
}

func blankWith(build *value.Builder, v value.Value) value.Value {
	if v.IsSecret() {
		return remark(v, value.Secret(value.Null()))
	}
	if !v.ContainsSecret() {
		return v
	}

	switch v.Kind() { //nolint:exhaustive // no other kind contains values
	case value.KindArray:
		for _, elem := range v.Elems() {
			build.Push(blankWith(build, elem))
		}
		return remark(v, build.Array(v.Len()))
	case value.KindObject:
		for key, member := range v.Members() {
			build.PushMember(key, blankWith(build, member))
		}
		made, _, _ := build.Object(v.Len())
		return remark(v, made)
	}
	return v
}

// remark returns v with the dependencies of another value.
func remark(from, v value.Value) value.Value {
	if !from.HasDependencies() {
		return v
	}
	return v.WithDependencies(slices.Collect(from.Dependencies())...)
}
