package stack_test

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/value"
)

// view is a value as the engine holds it after it has read what stands for the value
// in a state file, by the differences that docs/differences.md lists.
type view struct{ tally *tally }

// of makes the view of a value. What is lost counts as the entry that says so.
func (w view) of(v value.Value) value.Value {
	out := v.DropSecret().DropDependencies()
	switch v.Kind() {
	case value.KindArray:
		elems := slices.Collect(func(yield func(value.Value) bool) {
			for _, e := range out.Elems() {
				if !yield(w.of(e)) {
					return
				}
			}
		})
		out = value.Array(elems...)
	case value.KindObject:
		var members []value.Member
		for k, e := range out.Members() {
			members = append(members, value.Member{Key: k, Value: w.of(e)})
		}
		out = value.Object(members...)
	case value.KindUnknown:
		if hint, _ := v.Hint(); hint != value.KindString {
			w.tally.count("hint-of-an-unknown-in-a-state-file")
		}
		out = value.Unknown()
	case value.KindResourceReference:
		out = w.reference(out)
	case value.KindAsset, value.KindArchive:
		out = w.content(out)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindSealed:
	}
	if v.OwnSecret() {
		out = value.Secret(out)
	}
	return out
}

// reference has the name and the type that its URN says, if it is one.
func (w view) reference(v value.Value) value.Value {
	r, _ := v.AsResourceReference()
	name, typ := "", ""
	if urn := resource.URN(r.URN); urn.IsValid() {
		name, typ = urn.Name(), string(urn.Type())
	}
	if r.Name != name || r.Type != typ {
		w.tally.count("made-up-name-and-type")
	}
	r.Name, r.Type = name, typ
	return r.Value()
}

// content is an asset or archive of which a source that is empty is none; an archive
// without a source is one of nothing.
func (w view) content(v value.Value) value.Value {
	if a, ok := v.AsAsset(); ok {
		hash, _ := a.Hash()
		text, _ := a.Text()
		file, _ := a.Path()
		uri, _ := a.URI()
		if text+file+uri != "" {
			return v
		}
		if elided := value.Internal.AssetOf(value.SourceElided, "", hash); !elided.Identical(v) {
			w.tally.count("empty-source")
			return elided
		}
		return v
	}
	a, _ := v.AsArchive()
	hash, _ := a.Hash()
	file, _ := a.Path()
	uri, _ := a.URI()
	if file+uri != "" {
		return v
	}
	var entries []value.Member
	for name, entry := range a.Entries() {
		entries = append(entries, value.Member{Key: name, Value: w.content(entry)})
	}
	out, _ := value.Internal.LiteralArchiveOf(value.Object(entries...), hash)
	switch a.Source() {
	case value.SourceElided:
		w.tally.count("elided-archive")
	case value.SourceFile, value.SourceURI:
		w.tally.count("empty-source")
	case value.SourceLiteral, value.SourceText:
	}
	return out
}
