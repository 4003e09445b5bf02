package pulumi

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// ToPropertyMap returns an object as a property map of the SDK, and nil for null, which
// means that properties are absent. It returns an [*Error] that wraps [ErrKind] for any
// other kind, and [ErrMarks] if v itself is secret or has dependencies; other errors are
// those of [ToPropertyValue]. The map shares no memory with v that can be written to.
func ToPropertyMap(v value.Value) (resource.PropertyMap, error) {
	const op = "to property map"
	switch {
	case v.IsSecret(), v.HasDependencies():
		return nil, fail(ErrMarks, "a bag without marks", "").finish(op)
	case v.IsNull():
		return nil, nil
	case v.Kind() != value.KindObject:
		return nil, fail(ErrKind, value.KindObject.String(), v.Kind().String()).finish(op)
	}

	props, err := toMap(v, 1)
	if err != nil {
		return nil, err.finish(op)
	}
	return props, nil
}

// ToPropertyValue returns v as a property value of the SDK. A value with an inherited
// secret mark becomes a secret. The result shares no memory with v that can be written
// to. The error is an [*Error].
func ToPropertyValue(v value.Value) (resource.PropertyValue, error) {
	p, err := to(v, v.IsSecret(), 0)
	if err != nil {
		return resource.PropertyValue{}, err.finish("to property value")
	}
	return p, nil
}

// to converts a value and puts the marks around it.
func to(v value.Value, isSecret bool, depth int) (resource.PropertyValue, *Error) {
	p, err := bare(v, depth)
	switch {
	case err != nil && isSecret:
		return p, err.secret()
	case err != nil:
		return p, err
	case v.HasDependencies():
		o := resource.Output{Element: p, Known: !v.IsUnknown(), Secret: isSecret}
		if !o.Known {
			o.Element = resource.PropertyValue{}
		}
		for urn := range v.Dependencies() {
			o.Dependencies = append(o.Dependencies, resource.URN(urn))
		}
		return resource.NewProperty(o), nil
	case isSecret:
		return resource.MakeSecret(p), nil
	}

	return p, nil
}

// bare converts a value without its marks.
func bare(v value.Value, depth int) (resource.PropertyValue, *Error) {
	if depth > MaxDepth {
		return resource.PropertyValue{}, fail(ErrDepth, "", "")
	}

	switch v.Kind() {
	case value.KindNull:
		return resource.NewNullProperty(), nil
	case value.KindBool:
		b, _ := v.AsBool()
		return resource.NewProperty(b), nil
	case value.KindNumber:
		n, _ := v.AsNumber()
		return resource.NewProperty(n), nil
	case value.KindString:
		s, _ := v.AsString()
		return resource.NewProperty(s), nil
	case value.KindArray:
		elems := make([]resource.PropertyValue, 0, v.Len())
		for i, e := range v.Elems() {
			p, err := to(e, e.OwnSecret(), depth+1)
			if err != nil {
				return p, err.under(path.Index(i))
			}
			elems = append(elems, p)
		}
		return resource.NewProperty(elems), nil
	case value.KindObject:
		props, err := toMap(v, depth+1)
		return resource.NewProperty(props), err
	case value.KindAsset:
		return toAsset(v)
	case value.KindArchive:
		return toArchive(v, depth+1)
	case value.KindResourceReference:
		return toReference(v), nil
	case value.KindUnknown:
		return toComputed(v), nil
	case value.KindSealed:
	}

	return resource.PropertyValue{}, fail(ErrSealed, "", "")
}

func toMap(v value.Value, depth int) (resource.PropertyMap, *Error) {
	props := make(resource.PropertyMap, v.Len())
	for k, m := range v.Members() {
		p, err := to(m, m.OwnSecret(), depth)
		if err != nil {
			return nil, err.under(path.Key(k))
		}
		props[resource.PropertyKey(k)] = p
	}

	return props, nil
}

// toComputed gives an unknown the empty value of its hint.
func toComputed(v value.Value) resource.PropertyValue {
	hint, _ := v.Hint()
	element := resource.NewProperty("")
	switch hint {
	case value.KindBool:
		element = resource.NewProperty(false)
	case value.KindNumber:
		element = resource.NewProperty(0.0)
	case value.KindArray:
		element = resource.NewProperty([]resource.PropertyValue{})
	case value.KindObject:
		element = resource.NewProperty(resource.PropertyMap{})
	case value.KindAsset:
		element = resource.NewProperty(&asset.Asset{})
	case value.KindArchive:
		element = resource.NewProperty(&archive.Archive{})

	case value.KindNull, value.KindString, value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	return resource.MakeComputed(element)
}

func toReference(v value.Value) resource.PropertyValue {
	r, _ := v.AsResourceReference()
	own := resource.ResourceReference{URN: resource.URN(r.URN), Name: r.Name, Type: r.Type, PackageVersion: r.PackageVersion}
	if id, known := r.ID.Known(); known {
		own.ID = resource.NewProperty(id)
	} else if r.ID.IsUnknown() {
		own.ID = resource.MakeComputed(resource.NewProperty(""))
	}

	return resource.NewProperty(own)
}

func toAsset(v value.Value) (resource.PropertyValue, *Error) {
	a, _ := v.AsAsset()
	own := &asset.Asset{Sig: asset.AssetSig}
	own.Hash, _ = a.Hash()
	own.Text, _ = a.Text()
	own.Path, _ = a.Path()
	own.URI, _ = a.URI()
	back, err := fromAsset(own)
	if err != nil || !back.WithMarksOf(v).Identical(v) {
		return resource.PropertyValue{}, fail(ErrSource, "a source that is not empty", "")
	}

	return resource.NewProperty(own), nil
}

func toArchive(v value.Value, depth int) (resource.PropertyValue, *Error) {
	if depth > MaxDepth {
		return resource.PropertyValue{}, fail(ErrDepth, "", "")
	}

	a, _ := v.AsArchive()
	own := &archive.Archive{Sig: archive.ArchiveSig}
	own.Hash, _ = a.Hash()
	own.Path, _ = a.Path()
	own.URI, _ = a.URI()
	switch a.Source() {
	case value.SourceLiteral:
		own.Assets = make(map[string]any, a.Len())
		for name, entry := range a.Entries() {
			p, err := bare(entry, depth)
			if err != nil {
				return p, err.under(path.Key(name))
			}
			own.Assets[name] = p.V
		}
	case value.SourceFile, value.SourceURI:
		if own.Path == "" && own.URI == "" {
			return resource.PropertyValue{}, fail(ErrSource, "a source that is not empty", "")
		}
	case value.SourceElided, value.SourceText:
	}

	return resource.NewProperty(own), nil
}
