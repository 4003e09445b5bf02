package differential

import (
	"encoding/hex"
	"math"
	"slices"

	"github.com/propalg/propalg/value"
)

// rebuild makes a value anew from the leaves up: edit is given every value
// without its marks, its parts edited already, and whether a container above is
// secret.
func rebuild(v value.Value, edit func(v value.Value, below bool) value.Value, key func(string) string) value.Value {
	return rebuilt(v, v.IsSecret(), false, edit, key)
}

func rebuilt(v value.Value, isSecret, below bool, edit func(value.Value, bool) value.Value, key func(string) string) value.Value {
	bare := v.DropSecret().DropDependencies()
	switch v.Kind() {
	case value.KindArray:
		var elems []value.Value
		for _, e := range v.Elems() {
			elems = append(elems, rebuilt(e, e.OwnSecret(), below || isSecret, edit, key))
		}
		bare = value.Array(elems...)
	case value.KindObject:
		var members []value.Member
		for k, m := range v.Members() {
			members = append(members, value.Member{Key: key(k), Value: rebuilt(m, m.OwnSecret(), below || isSecret, edit, key)})
		}
		bare = value.Object(members...)

	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	bare = edit(bare, below)
	if v.HasDependencies() {
		bare = bare.WithDependencies(slices.Collect(v.Dependencies())...)
	}
	if isSecret {
		bare = value.Secret(bare)
	}
	return bare
}

func sameKey(k string) string { return k }

// hintless is a value whose unknowns are expected to be strings, as the SDK's new
// model has them.
func hintless(v value.Value) value.Value {
	return rebuild(v, func(v value.Value, _ bool) value.Value {
		if v.IsUnknown() {
			return value.Unknown()
		}
		return v
	}, sameKey)
}

// tame is a value without what the SDK compares otherwise than we do, as
// docs/differences.md lists it: NaN, marks below a secret, assets without a hash,
// names, types and unknown IDs of references, hints, and keys so long that the
// SDK panics. Of what is left both must make the same.
func tame(v value.Value) value.Value {
	return redundant(rebuild(v, func(v value.Value, _ bool) value.Value {
		switch v.Kind() {
		case value.KindNumber:
			if n, _ := v.AsNumber(); math.IsNaN(n) {
				return value.Number(0)
			}
		case value.KindUnknown:
			return value.Unknown()
		case value.KindResourceReference:
			r, _ := v.AsResourceReference()
			r.Name, r.Type = "", ""
			if r.ID.IsUnknown() {
				r.ID = value.KnownID("?")
			}
			return r.Value()
		case value.KindAsset, value.KindArchive:
			return hashed(v)
		case value.KindNull, value.KindBool, value.KindString, value.KindArray, value.KindObject, value.KindSealed:
		}

		return v
	}, func(k string) string { return k[:min(len(k), longestKey)] }), false)
}

// hashed is an asset or archive with a hash: to compare one without, the SDK reads
// files and URIs, whatever they are.
func hashed(v value.Value) value.Value {
	if a, is := v.AsAsset(); is {
		if _, hasHash := a.Hash(); !hasHash {
			return a.WithHash(digest(v)).Value()
		}
	}
	if a, is := v.AsArchive(); is {
		if _, hasHash := a.Hash(); !hasHash {
			return a.WithHash(digest(v)).Value()
		}
	}

	return v
}

// unread is a value that the SDK can compare without reading anything.
func unread(v value.Value) value.Value {
	return rebuild(v, func(v value.Value, _ bool) value.Value { return hashed(v) }, sameKey)
}

const longestKey = 1<<14 - 1 // of a key in a path of the SDK's new model

func digest(v value.Value) string {
	d := v.Digest()
	return hex.EncodeToString(d[:])
}

// redundant drops secret marks below secrets.
func redundant(v value.Value, below bool) value.Value {
	isSecret := v.OwnSecret()
	bare := v.DropSecret().DropDependencies()
	switch v.Kind() {
	case value.KindArray:
		var elems []value.Value
		for _, e := range v.Elems() {
			elems = append(elems, redundant(e, below || isSecret))
		}
		bare = value.Array(elems...)
	case value.KindObject:
		var members []value.Member
		for k, m := range v.Members() {
			members = append(members, value.Member{Key: k, Value: redundant(m, below || isSecret)})
		}
		bare = value.Object(members...)

	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	bare = bare.WithDependencies(slices.Collect(v.Dependencies())...)
	if isSecret && !below {
		bare = value.Secret(bare)
	}
	return bare
}

// wild says why the SDK may compare a value otherwise: the name of a difference,
// or nothing.
func wild(v value.Value) string {
	for c := range v.Walk() {
		switch one := c.Value(); one.Kind() {
		case value.KindNumber:
			if n, _ := one.AsNumber(); math.IsNaN(n) {
				return "not-a-number"
			}
		case value.KindResourceReference:
			return "unknown-id-equals-all"
		case value.KindNull, value.KindBool, value.KindString, value.KindArray, value.KindObject, value.KindUnknown, value.KindSealed,
			value.KindAsset, value.KindArchive:
		}
	}

	if !redundant(v, false).Identical(v) {
		return "secret-in-a-secret"
	}
	return ""
}
