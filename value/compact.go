package value

import "strings"

// Compact returns a copy of v, with its marks, that shares no memory with v, not even
// texts.
//
// A part of a value keeps the memory of the whole alive; a compact copy does not. The
// copy is [Value.Identical] to v. Parts that v contains several times are copied several
// times.
func (v Value) Compact() Value {
	bare := v
	switch v.kind {
	case KindNull, KindBool, KindNumber, KindUnknown:
		if v.IsSecret() {
			bare = v.unveiled().veiled()
		}
		if !v.HasDependencies() {
			return bare
		}
	case KindString:
		bare = makeString(strings.Clone(v.str()))
	case KindArray:
		elems := cloned(v.elems())
		for i := range elems {
			elems[i] = elems[i].Compact()
		}
		bare = makeArray(elems)
	case KindObject:
		bare = makeObject(compactMembers(v.members()))
	case KindAsset:
		a := v.blob().compact()
		bare = makeAsset(&a)
	case KindArchive:
		a := *v.archive()
		a.blobRep, a.entries = a.compact(), compactMembers(a.entries)
		bare = makeArchive(&a)
	case KindResourceReference:
		r := *v.reference()
		for _, text := range []*string{&r.URN, &r.ID.text, &r.PackageVersion, &r.Name, &r.Type} {
			*text = strings.Clone(*text)
		}
		bare = makeReference(&r)
	case KindSealed:
		s := v.sealed()
		bare = makeSealed(&Sealed{strings.Clone(s.Ciphertext), strings.Clone(s.Provider)})
	}
	bare = bare.WithMarksOf(v)
	if v.HasDependencies() {
		deps := cloned(v.deps())
		for i := range deps {
			deps[i] = strings.Clone(deps[i])
		}

		bare = bare.withDeps(deps)
	}
	return bare
}

func (r *blobRep) compact() blobRep {
	return blobRep{r.source, strings.Clone(r.text), strings.Clone(r.hash)}
}

func compactMembers(ms []Member) []Member {
	own := cloned(ms)
	for i := range own {
		own[i].Key, own[i].Value = strings.Clone(own[i].Key), own[i].Value.Compact()
	}
	return own
}

// cloned is slices.Clone, which keeps the memory of an empty slice alive.
func cloned[T any](a []T) []T {
	own := make([]T, len(a))
	copy(own, a)
	return own
}
