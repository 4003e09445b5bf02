package pulumi

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Hints says what to do with the expected kinds of unknowns, which the SDK's new model
// does not have. The set is closed.
type Hints uint8

const (
	// RefuseHints refuses an unknown whose hint is not string, the default, with an error
	// that wraps [ErrHint]: converted back it would not be Identical.
	RefuseHints Hints = iota
	// DropHints drops hints, as the SDK does: converted back, a value is Equal, and
	// Identical except for hints.
	DropHints
)

// ToValue returns v as a value of the SDK's new model. A value with an inherited secret
// mark becomes a secret. [FromValue] of the result is Identical to v,
// but for hints where they are dropped. What the SDK has no room for is an error:
// a sealed secret ([ErrSealed]), an asset or archive whose source is an empty
// path, URI or (with a hash) text ([ErrSource]), a hint ([ErrHint]), more than
// [MaxDepth] levels ([ErrDepth]). The error is an [*Error].
func ToValue(v value.Value, h Hints) (property.Value, error) {
	p, err := h.to(v, v.IsSecret(), 0)
	if err != nil {
		return property.Value{}, err.finish("to value")
	}
	return p, nil
}

// ToMap returns an object as a map of the SDK's new model. It returns an [*Error] that
// wraps [ErrKind] for any other kind, null included, and [ErrMarks] if v itself is secret
// or has dependencies; other errors are those of [ToValue].
func ToMap(v value.Value, h Hints) (property.Map, error) {
	const op = "to map"
	if err := unmarked(v, value.KindObject); err != nil {
		return property.Map{}, err.finish(op)
	}
	m, err := h.toMap(v, 1)
	if err != nil {
		return property.Map{}, err.finish(op)
	}

	return m, nil
}

// ToArray converts an array value to an array of the SDK's new model. Errors are those of
// [ToMap].
func ToArray(v value.Value, h Hints) (property.Array, error) {
	const op = "to array"
	if err := unmarked(v, value.KindArray); err != nil {
		return property.Array{}, err.finish(op)
	}
	a, err := h.toArray(v, 1)
	if err != nil {
		return property.Array{}, err.finish(op)
	}

	return a, nil
}

// unmarked says what is wrong with a value that is to be a whole bag or list.
func unmarked(v value.Value, kind value.Kind) *Error {
	switch {
	case v.IsSecret(), v.HasDependencies():
		return fail(ErrMarks, kind.String()+" without marks", "")
	case v.Kind() != kind:
		return fail(ErrKind, kind.String(), v.Kind().String())
	}
	return nil
}

// to converts a value and puts its marks on.
func (h Hints) to(v value.Value, isSecret bool, depth int) (property.Value, *Error) {
	p, err := h.bare(v, depth)
	switch {
	case err != nil && isSecret:
		return p, err.secret()
	case err != nil:
		return p, err
	}

	if v.HasDependencies() {
		var deps []urn.URN
		for u := range v.Dependencies() {
			deps = append(deps, urn.URN(u))
		}
		p = p.WithDependencies(deps)
	}
	return p.WithSecret(isSecret), nil
}

// bare converts a value without its marks.
func (h Hints) bare(v value.Value, depth int) (property.Value, *Error) {
	if depth > MaxDepth {
		return property.Value{}, fail(ErrDepth, "", "")
	}

	switch v.Kind() {
	case value.KindNull:
		return property.Value{}, nil
	case value.KindBool:
		b, _ := v.AsBool()
		return property.New(b), nil
	case value.KindNumber:
		n, _ := v.AsNumber()
		return property.New(n), nil
	case value.KindString:
		s, _ := v.AsString()
		return property.New(s), nil
	case value.KindArray:
		a, err := h.toArray(v, depth+1)
		return property.New(a), err
	case value.KindObject:
		m, err := h.toMap(v, depth+1)
		return property.New(m), err
	case value.KindAsset:
		own, err := toAsset(v)
		if err != nil {
			return property.Value{}, err
		}
		return property.New(own.AssetValue()), nil
	case value.KindArchive:
		own, err := toArchive(v, depth+1)
		if err != nil {
			return property.Value{}, err
		}
		return property.New(own.ArchiveValue()), nil

	case value.KindResourceReference:
		return toModelReference(v), nil
	case value.KindUnknown:
		if hint, _ := v.Hint(); hint != value.KindString && h != DropHints {
			return property.Value{}, fail(ErrHint, "an unknown string", "an unknown "+hint.String())
		}
		return property.New(property.Computed), nil
	case value.KindSealed:
	}

	return property.Value{}, fail(ErrSealed, "", "")
}

func (h Hints) toArray(v value.Value, depth int) (property.Array, *Error) {
	elems := make([]property.Value, 0, v.Len())
	for i, e := range v.Elems() {
		p, err := h.to(e, e.OwnSecret(), depth)
		if err != nil {
			return property.Array{}, err.under(path.Index(i))
		}

		elems = append(elems, p)
	}
	return property.NewArray(elems), nil
}

func (h Hints) toMap(v value.Value, depth int) (property.Map, *Error) {
	members := make(map[string]property.Value, v.Len())
	for k, m := range v.Members() {
		p, err := h.to(m, m.OwnSecret(), depth)
		if err != nil {
			return property.Map{}, err.under(path.Key(k))
		}
		members[k] = p
	}

	return property.NewMap(members), nil
}

func toModelReference(v value.Value) property.Value {
	r, _ := v.AsResourceReference()
	own := property.ResourceReference{URN: urn.URN(r.URN), Name: r.Name, Type: r.Type, PackageVersion: r.PackageVersion}
	if id, known := r.ID.Known(); known {
		own.ID = property.New(id)
	} else if r.ID.IsUnknown() {
		own.ID = property.New(property.Computed)
	}

	return property.New(own)
}
