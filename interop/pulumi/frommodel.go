package pulumi

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// FromValue returns a value of the SDK's new model as a [value.Value], without loss. It
// refuses an asset with several sources ([ErrSource]), an archive entry without content
// ([ErrKind]), an ID that is not a string ([ErrKind]) or has marks ([ErrMarks]), and more
// than [MaxDepth] levels ([ErrDepth]). Time and memory are linear in the size of the
// value. The error is an [*Error].
func FromValue(p property.Value) (value.Value, error) {
	v, err := fromModel(p, 0)
	if err != nil {
		return value.Value{}, err.finish("from value")
	}
	return v, nil
}

// FromMap converts a map of the SDK's new model to an object. Errors are those of
// [FromValue].
func FromMap(m property.Map) (value.Value, error) {
	v, err := fromModelMap(m, 1)
	if err != nil {
		return value.Value{}, err.finish("from map")
	}
	return v, nil
}

// FromArray converts an array of the SDK's new model to a [value.Value]. Errors are those
// of [FromValue].
func FromArray(a property.Array) (value.Value, error) {
	v, err := fromModelArray(a, 1)
	if err != nil {
		return value.Value{}, err.finish("from array")
	}
	return v, nil
}

// fromModel converts a value and puts its marks on.
func fromModel(p property.Value, depth int) (value.Value, *Error) {
	v, err := fromBareModel(p, depth)
	switch {
	case err != nil && p.Secret():
		return v, err.secret()
	case err != nil:
		return v, err
	}

	if deps := p.Dependencies(); len(deps) > 0 {
		urns := make([]string, len(deps))
		for i, u := range deps {
			urns[i] = string(u)
		}
		v = v.WithDependencies(urns...)
	}
	if p.Secret() {
		v = value.Secret(v)
	}
	return v, nil
}

// fromBareModel converts a value without its marks.
func fromBareModel(p property.Value, depth int) (value.Value, *Error) {
	if depth > MaxDepth {
		return value.Value{}, fail(ErrDepth, "", "")
	}

	switch {
	case p.IsNull():
		return value.Null(), nil
	case p.IsBool():
		return value.Bool(p.AsBool()), nil
	case p.IsNumber():
		return value.Number(p.AsNumber()), nil
	case p.IsString():
		return value.String(p.AsString()), nil
	case p.IsArray():
		return fromModelArray(p.AsArray(), depth+1)
	case p.IsMap():
		return fromModelMap(p.AsMap(), depth+1)
	case p.IsAsset():
		return fromAsset(p.AsAsset())
	case p.IsArchive():
		return fromArchive(p.AsArchive(), depth+1)
	case p.IsResourceReference():
		return fromModelReference(p.AsResourceReference())
	case p.IsComputed():
		return value.Unknown(), nil
	}

	return value.Value{}, fail(ErrKind, "", "")
}

func fromModelArray(a property.Array, depth int) (value.Value, *Error) {
	own := make([]value.Value, 0, a.Len())
	for i, e := range a.All {
		v, err := fromModel(e, depth)
		if err != nil {
			return v, err.under(path.Index(i))
		}

		own = append(own, v)
	}
	return value.Array(own...), nil
}

func fromModelMap(m property.Map, depth int) (value.Value, *Error) {
	own := make([]value.Member, 0, m.Len())
	for k, e := range m.AllStable { // in order, so that the first error is always the same
		v, err := fromModel(e, depth)
		if err != nil {
			return v, err.under(path.Key(k))
		}

		own = append(own, value.Member{Key: k, Value: v})
	}
	return value.Object(own...), nil
}

func fromModelReference(r property.ResourceReference) (value.Value, *Error) {
	own := value.ResourceReference{URN: string(r.URN), Name: r.Name, Type: r.Type, PackageVersion: r.PackageVersion}
	id := r.ID
	switch {
	case id.Secret(), len(id.Dependencies()) > 0:
		return value.Value{}, fail(ErrMarks, "an ID without marks", "")
	case id.IsString():
		own.ID = value.KnownID(id.AsString())
	case id.IsComputed():
		own.ID = value.UnknownID()
	case !id.IsNull():
		return value.Value{}, fail(ErrKind, "string as ID", modelKind(id))
	}

	return own.Value(), nil
}

// modelKind returns the name of the kind of a value that is not an ID.
func modelKind(p property.Value) string {
	switch {
	case p.IsArray():
		return value.KindArray.String()
	case p.IsMap():
		return value.KindObject.String()
	}

	v, err := fromBareModel(p, 0)
	if err != nil {
		return ""
	}
	return v.Kind().String()
}
