package pulumi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// FromPropertyMap returns a property map of the SDK as an object. A nil map, which means
// that there are no properties, becomes null. The result shares strings with props, and no
// memory that can be changed. The error is an [*Error].
func FromPropertyMap(props resource.PropertyMap) (value.Value, error) {
	if props == nil {
		return value.Null(), nil
	}

	v, err := fromMap(props, 1)
	if err != nil {
		return value.Value{}, err.finish("from property map")
	}
	return v, nil
}

// FromPropertyValue converts a property value of the SDK to a [value.Value]. The error is
// an [*Error] with the place of what cannot be converted.
func FromPropertyValue(p resource.PropertyValue) (value.Value, error) {
	v, err := from(p, 0)
	if err != nil {
		return value.Value{}, err.finish("from property value")
	}
	return v, nil
}

func from(p resource.PropertyValue, depth int) (value.Value, *Error) {
	if depth > MaxDepth {
		return value.Value{}, fail(ErrDepth, "", "")
	}

	switch p := p.V.(type) {
	case nil:
		return value.Null(), nil
	case bool:
		return value.Bool(p), nil
	case float64:
		return value.Number(p), nil
	case string:
		return value.String(p), nil

	case []resource.PropertyValue:
		return fromArray(p, depth+1)
	case resource.PropertyMap:
		return fromMap(p, depth+1)
	case *asset.Asset:
		return fromAsset(p)
	case *archive.Archive:
		return fromArchive(p, depth+1)
	case resource.ResourceReference:
		return fromReference(p)
	case resource.Computed:
		return fromComputed(p.Element, depth+1)
	case resource.Output:
		return fromOutput(p, depth+1)
	case *resource.Secret:
		if p == nil {
			return value.Value{}, fail(ErrKind, "secret", "nil")
		}
		v, err := from(p.Element, depth+1)
		if err != nil {
			return v, err.secret()
		}
		return value.Secret(v), nil
	default:
		return value.Value{}, fail(ErrKind, "", fmt.Sprintf("%T", p))
	}
}

func fromArray(elems []resource.PropertyValue, depth int) (value.Value, *Error) {
	own := make([]value.Value, len(elems))
	for i, e := range elems {
		v, err := from(e, depth)
		if err != nil {
			return v, err.under(path.Index(i))
		}
		own[i] = v
	}

	return value.Array(own...), nil
}

func fromMap(props resource.PropertyMap, depth int) (value.Value, *Error) {
	own := make([]value.Member, 0, len(props))
	for _, k := range slices.Sorted(maps.Keys(props)) { // in order, so that the first error is always the same
		v, err := from(props[k], depth)
		if err != nil {
			return v, err.under(path.Key(string(k)))
		}

		own = append(own, value.Member{Key: string(k), Value: v})
	}
	return value.Object(own...), nil
}

// fromComputed returns an unknown, given the value that says of which type it is. Marks of
// that value are kept.
func fromComputed(element resource.PropertyValue, depth int) (value.Value, *Error) {
	v, err := from(element, depth)
	if err != nil {
		return v, err
	}
	return asUnknown(v), nil
}

// asUnknown is an unknown with the kind of v as its hint and the marks of v.
func asUnknown(v value.Value) value.Value {
	hint, isUnknown := v.Hint()
	if !isUnknown {
		hint = v.Kind()
	}
	u := value.UnknownOf(hint).WithDependencies(slices.Collect(v.Dependencies())...)
	if v.ContainsSecret() {
		u = value.Secret(u)
	}
	return u
}

func fromOutput(o resource.Output, depth int) (value.Value, *Error) {
	v, err := from(o.Element, depth)
	switch {
	case err != nil && o.Secret:
		return v, err.secret()
	case err != nil:
		return v, err
	case !o.Known:
		v = asUnknown(v)
	}

	if len(o.Dependencies) > 0 {
		urns := make([]string, len(o.Dependencies))
		for i, u := range o.Dependencies {
			urns[i] = string(u)
		}
		v = v.WithDependencies(urns...)
	}
	if o.Secret {
		v = value.Secret(v)
	}
	return v, nil
}

func fromReference(r resource.ResourceReference) (value.Value, *Error) {
	own := value.ResourceReference{URN: string(r.URN), Name: r.Name, Type: r.Type, PackageVersion: r.PackageVersion}
	id, err := from(r.ID, 0)
	text, isText := id.AsString()
	switch {
	case err != nil:
		return id, fail(ErrKind, "string as ID", err.Found)
	case id.IsSecret(), id.HasDependencies():
		return id, fail(ErrMarks, "an ID without marks", "")
	case isText:
		own.ID = value.KnownID(text)
	case id.IsUnknown():
		own.ID = value.UnknownID()
	case !id.IsNull():
		return id, fail(ErrKind, "string as ID", id.Kind().String())
	}

	return own.Value(), nil
}

// source finds out which of three texts the content of an asset comes from: the
// one that is not empty.
func source(text, file, uri string) (s value.Source, content string, err *Error) {
	s = value.SourceElided
	count := 0
	for _, one := range []struct {
		s       value.Source
		content string
	}{{value.SourceText, text}, {value.SourceFile, file}, {value.SourceURI, uri}} {
		if one.content != "" {
			s, content = one.s, one.content
			count++
		}
	}
	if count > 1 {
		return s, "", fail(ErrSource, "one source", "several")
	}

	return s, content, nil
}

func fromAsset(a *asset.Asset) (value.Value, *Error) {
	if a == nil {
		return value.Value{}, fail(ErrKind, "asset", "nil")
	}

	s, content, err := source(a.Text, a.Path, a.URI)
	if err != nil {
		return value.Value{}, err
	}
	return value.Internal.AssetOf(s, content, a.Hash), nil
}

// fromArchive tells an archive of nothing, which has a map without entries, from
// one of which only the hash is known, which has no map.
func fromArchive(a *archive.Archive, depth int) (value.Value, *Error) {
	if a == nil {
		return value.Value{}, fail(ErrKind, "archive", "nil")
	}
	if depth > MaxDepth {
		return value.Value{}, fail(ErrDepth, "", "")
	}

	s, content, err := source("", a.Path, a.URI)
	switch {
	case err != nil:
		return value.Value{}, err
	case a.Assets == nil:
		return value.Internal.ArchiveOf(s, content, a.Hash), nil
	case s != value.SourceElided:
		return value.Value{}, fail(ErrSource, "one source", "several")
	}

	entries := make([]value.Member, 0, len(a.Assets))
	for _, name := range slices.Sorted(maps.Keys(a.Assets)) {
		var v value.Value
		err := fail(ErrKind, "asset or archive", fmt.Sprintf("%T", a.Assets[name]))
		switch entry := a.Assets[name].(type) {
		case *asset.Asset:
			v, err = fromAsset(entry)
		case *archive.Archive:
			v, err = fromArchive(entry, depth+1)
		}
		if err != nil {
			return v, err.under(path.Key(name))
		}
		entries = append(entries, value.Member{Key: name, Value: v})
	}
	v, ok := value.Internal.LiteralArchiveOf(value.Object(entries...), a.Hash)
	if !ok {
		return v, fail(ErrKind, "asset or archive", "")
	}
	return v, nil
}
