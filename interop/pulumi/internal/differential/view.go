package differential

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/value"
)

// View is what is left of a value that the SDK decodes: assets and archives with
// an empty source have none, archives of which only a hash is known are literal
// ones without entries, and references have the name and type of their URN.
func View(v value.Value) value.Value {
	return view(v, v.IsSecret())
}

func view(v value.Value, isSecret bool) value.Value {
	deps := slices.Collect(v.Dependencies())

	switch v.Kind() {
	case value.KindArray:
		var elems []value.Value
		for _, e := range v.Elems() {
			elems = append(elems, view(e, e.OwnSecret()))
		}
		v = value.Array(elems...)
	case value.KindObject:
		var members []value.Member
		for k, m := range v.Members() {
			members = append(members, value.Member{Key: k, Value: view(m, m.OwnSecret())})
		}
		v = value.Object(members...)
	case value.KindAsset:
		v = assetView(v)
	case value.KindArchive:
		v = archiveView(v)
	case value.KindResourceReference:
		v = referenceView(v)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindUnknown, value.KindSealed:
		v = v.DropSecret() // handed out of a secret container, which is none of its own
	}

	v = v.WithDependencies(deps...)
	if isSecret {
		v = value.Secret(v)
	}
	return v
}

func assetView(v value.Value) value.Value {
	a, _ := v.AsAsset()
	hash, _ := a.Hash()
	for _, of := range []func() (string, bool){a.Text, a.Path, a.URI} {
		if text, is := of(); is && text != "" {
			return a.Value()
		}
	}

	return value.ElidedAsset(hash).Value()
}

func archiveView(v value.Value) value.Value {
	a, _ := v.AsArchive()
	hash, _ := a.Hash()
	file, _ := a.Path()
	uri, _ := a.URI()
	if file != "" || uri != "" {
		return a.Value()
	}

	var entries []value.Member
	for name, entry := range a.Entries() {
		entries = append(entries, value.Member{Key: name, Value: view(entry, false)})
	}
	literal, ok := value.Internal.LiteralArchiveOf(value.Object(entries...), hash)
	if !ok {
		return v
	}
	return literal
}

func referenceView(v value.Value) value.Value {
	r, _ := v.AsResourceReference()
	if u := resource.URN(r.URN); u.IsValid() {
		if r.Name == "" {
			r.Name = u.Name()
		}
		if r.Type == "" {
			r.Type = string(u.Type())
		}
	}

	return r.Value()
}
