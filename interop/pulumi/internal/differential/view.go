package differential

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/value"
)

// View is what is left of a value that the SDK decodes: assets and archives with
// an empty source have none, archives of which only a hash is known are literal
// ones without entries, and references have the name and type of their URN.
func View(v value.Value) value.Value {
	return changed(v, func(v value.Value) value.Value {
		switch v.Kind() {
		case value.KindAsset:
			return assetView(v)
		case value.KindArchive:
			return archiveView(v)
		case value.KindResourceReference:
			return referenceView(v)
		case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindUnknown, value.KindSealed,
			value.KindArray, value.KindObject:
		}
		return v
	})
}

func assetView(v value.Value) value.Value {
	a, _ := v.AsAsset()
	for _, of := range []func() (string, bool){a.Text, a.Path, a.URI} {
		if text, is := of(); is && text != "" {
			return v
		}
	}

	return v.DropContent()
}

func archiveView(v value.Value) value.Value {
	a, _ := v.AsArchive()
	hash, _ := a.Hash()
	file, _ := a.Path()
	uri, _ := a.URI()
	if file != "" || uri != "" {
		return v
	}

	var entries []value.Member
	for name, entry := range a.Entries() {
		entries = append(entries, value.Member{Key: name, Value: View(entry)})
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
