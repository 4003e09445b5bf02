package differential

import (
	"encoding/hex"
	"math"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// changed is a value in which every place is what f makes of it, with the marks it had.
func changed(v value.Value, f func(v value.Value) value.Value) value.Value {
	w, err := v.Transform(func(c *value.Cursor) (value.Value, error) { return f(c.Value()), nil })
	if err != nil {
		panic(err) // f makes nothing deeper
	}
	return w
}

// hintless is a value whose unknowns are expected to be strings, as the SDK's new
// model has them.
func hintless(v value.Value) value.Value {
	return changed(v, func(v value.Value) value.Value {
		if v.IsUnknown() {
			return value.Unknown()
		}
		return v
	})
}

// tame is a value without what the SDK compares otherwise than we do, as
// docs/differences.md lists it: NaN, marks below a secret, assets without a hash,
// names, types and unknown IDs of references, hints, and keys so long that the
// SDK panics. Of what is left both must make the same.
func tame(v value.Value) value.Value {
	return redundant(changed(v, func(v value.Value) value.Value {
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
		case value.KindObject:
			return shortKeys(v)
		case value.KindNull, value.KindBool, value.KindString, value.KindArray, value.KindSealed:
		}

		return v
	}))
}

// shortKeys is an object whose keys are as long as those of the SDK's new model may be.
func shortKeys(v value.Value) value.Value {
	for k := range v.Members() {
		if len(k) > longestKey {
			v, _ = v.WithField(k[:longestKey], v.Field(k))
			v, _ = v.Without(path.Of(path.Key(k)))
		}
	}
	return v
}

// hashed is an asset or archive with a hash: to compare one without, the SDK reads
// files and URIs, whatever they are.
func hashed(v value.Value) value.Value {
	if a, is := v.AsAsset(); is {
		if _, hasHash := a.Hash(); !hasHash {
			return v.WithHash(digest(v))
		}
	}
	if a, is := v.AsArchive(); is {
		if _, hasHash := a.Hash(); !hasHash {
			return v.WithHash(digest(v))
		}
	}

	return v
}

// unread is a value that the SDK can compare without reading anything.
func unread(v value.Value) value.Value {
	return changed(v, hashed)
}

const longestKey = 1<<14 - 1 // of a key in a path of the SDK's new model

func digest(v value.Value) string {
	d := v.Digest()
	return hex.EncodeToString(d[:])
}

// redundant drops secret marks below secrets.
func redundant(v value.Value) value.Value {
	w, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		v := c.Value()
		if v.OwnSecret() && c.Shown().Redacted() {
			c.DropMarks()
			v = v.DropSecret()
		}
		return v, nil
	})
	if err != nil {
		panic(err) // it only drops marks
	}
	return w
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

	if !redundant(v).Identical(v) {
		return "secret-in-a-secret"
	}
	return ""
}
