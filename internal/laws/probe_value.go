package laws

import (
	"hash/maphash"
	"slices"

	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/value"
)

// makerProbes make values out of plain data.
func makerProbes() []probe {
	return []probe{
		{"value.Null", "", func(s *scene) { s.say(value.Null()) }},
		{"value.Bool", "", func(s *scene) { s.say(value.Bool(true)) }},
		{"value.Number", "", func(s *scene) { s.say(value.Number(s.number)) }},
		{"value.Int", "", func(s *scene) { s.say(value.Int(int64(s.index))) }},
		{"value.String", plainMade, func(s *scene) { s.say(value.String(s.text)) }},
		{"value.Array", "", func(s *scene) { s.say(value.Array(), value.Array(s.parts...)) }},
		{"value.Object", "", func(s *scene) {
			var members []value.Member
			for _, v := range s.parts {
				members = append(members, value.Member{Key: "k", Value: v})
			}

			s.say(value.Object(), value.Object(members...))
		}},
		{"value.ObjectFromMap", "", func(s *scene) {
			s.say(value.ObjectFromMap(nil), value.ObjectFromMap(map[string]value.Value{"v": s.v, "w": s.w}))
		}},
		{"value.Unknown", "", func(s *scene) { s.say(value.Unknown()) }},
		{"value.UnknownOf", "", func(s *scene) { s.say(value.UnknownOf(value.KindArray), value.UnknownOf(value.Kind(200))) }},
		{"value.Secret", "", func(s *scene) { s.say(value.Secret(s.v), value.Secret(value.String(s.text))) }},
		{"value.FromGo", plainMade, func(s *scene) {
			s.say(value.FromGo(map[string]any{s.text: []any{s.v, s.text, s.number, nil, s.index}}))
			s.say(value.FromGo(map[string]any{"a": s.v, "b": struct{ v value.Value }{s.v}}))
			s.say(value.FromGo([]value.Value{s.v, s.w}))
		}},
		{"value.Value.ToGo", "plain Go data has no marks; that of a secret is an error", func(s *scene) {
			s.each(func(v value.Value) { s.say(v.ToGo()) })
		}},
		{"value.Builder.Array", "", func(s *scene) {
			b := value.Builder{}
			b.Push(s.v)
			s.say(b.Array(s.index), b.Array(1), b.Array(-1))
		}},
		{"value.Builder.Object", "", func(s *scene) {
			b := value.Builder{}
			b.PushMember("a", s.v)
			b.PushMember("a", s.w)
			s.say(b.Object(2))
			s.say(b.Object(s.index))
		}},
		{"value.ArrayOf", "", func(s *scene) { s.say(value.ArrayOf(given.Away([]value.Value{s.v, s.w}))) }},
		{"value.ObjectOf", "", func(s *scene) {
			s.say(value.ObjectOf(given.Away([]value.Member{{Key: s.text, Value: s.v}})))
		}},
		{"value.Builder.Reserve", "", func(*scene) { (&value.Builder{}).Reserve(-1, 1000) }},
		{"value.Builder.Format", "", func(s *scene) {
			b := &value.Builder{}
			s.each(func(v value.Value) { b.Push(v); b.PushMember("a", v) })
			everyVerb(s, b)
			everyVerb(s, struct{ b *value.Builder }{b})
		}},
		{"value.Builder.Push", "", func(s *scene) { (&value.Builder{}).Push(s.v) }},
		{"value.Builder.PushMember", "", func(s *scene) { (&value.Builder{}).PushMember(s.text, s.v) }},
		{"value.Value.Compact", "", func(s *scene) { s.say(s.v.Compact()) }},
		{"value.Kind.IsContainer", "", func(s *scene) { s.say(value.Kind(200).IsContainer()) }},
		{"value.Kind.String", "", func(s *scene) { s.say(value.Kind(200).String(), s.v.Kind().String()) }},
		{"value.Source.String", "", func(s *scene) { s.say(value.Source(200).String()) }},
		{"value.Verdict.String", "", func(s *scene) { s.say(value.Verdict(200).String(), value.Maybe.String()) }},
	}
}

// contentProbes are about the contents of a value: assets, archives, references,
// ciphertexts. None of these types carries a mark.
func contentProbes() []probe {
	asset := func(s *scene, f func(a value.Asset)) {
		f(value.Asset{})
		s.each(func(v value.Value) { a, _ := v.AsAsset(); f(a) })
	}
	archive := func(s *scene, f func(a value.Archive)) {
		f(value.Archive{})
		s.each(func(v value.Value) { a, _ := v.AsArchive(); f(a) })
	}

	return []probe{
		{"value.TextAsset", plainMade, func(s *scene) { s.say(value.TextAsset(s.text)) }},
		{"value.FileAsset", "", func(s *scene) { s.say(value.FileAsset(s.text)) }},
		{"value.URIAsset", "", func(s *scene) { s.say(value.URIAsset(s.text)) }},
		{"value.ElidedAsset", plainMade, func(s *scene) { s.say(value.ElidedAsset(s.text)) }},
		{"value.Asset.Equal", "", func(s *scene) { asset(s, func(a value.Asset) { s.say(a.Equal(value.Asset{})) }) }},
		{"value.Asset.Hash", plainPart, func(s *scene) { asset(s, func(a value.Asset) { s.say(a.Hash()) }) }},
		{"value.Asset.Path", plainPart, func(s *scene) { asset(s, func(a value.Asset) { s.say(a.Path()) }) }},
		{"value.Asset.Source", "", func(s *scene) { asset(s, func(a value.Asset) { s.say(a.Source()) }) }},
		{"value.Asset.Text", plainPart, func(s *scene) { asset(s, func(a value.Asset) { s.say(a.Text()) }) }},
		{"value.Asset.URI", plainPart, func(s *scene) { asset(s, func(a value.Asset) { s.say(a.URI()) }) }},
		{"value.Asset.Value", plainPart, func(s *scene) { asset(s, func(a value.Asset) { s.say(a.Value()) }) }},
		{"value.Asset.WithHash", plainMade, func(s *scene) { asset(s, func(a value.Asset) { s.say(a.WithHash(s.text), a.WithHash("")) }) }},
		{"value.FileArchive", "", func(s *scene) { s.say(value.FileArchive(s.text)) }},
		{"value.URIArchive", "", func(s *scene) { s.say(value.URIArchive(s.text)) }},
		{"value.ElidedArchive", plainMade, func(s *scene) { s.say(value.ElidedArchive(s.text)) }},
		{"value.LiteralArchive", "", func(s *scene) {
			s.each(func(v value.Value) { s.say(value.LiteralArchive(value.Member{Key: s.text, Value: v})) })
			s.say(value.LiteralArchive())
		}},
		{"value.Archive.Entries", plainPart, func(s *scene) {
			archive(s, func(a value.Archive) {
				for name, v := range a.Entries() {
					s.say(name, v)

					break
				}
			})
		}},
		{"value.Archive.Equal", "", func(s *scene) { archive(s, func(a value.Archive) { s.say(a.Equal(value.Archive{})) }) }},
		{"value.Archive.Hash", plainPart, func(s *scene) { archive(s, func(a value.Archive) { s.say(a.Hash()) }) }},
		{"value.Archive.Len", "", func(s *scene) { archive(s, func(a value.Archive) { s.say(a.Len()) }) }},
		{"value.Archive.Path", plainPart, func(s *scene) { archive(s, func(a value.Archive) { s.say(a.Path()) }) }},
		{"value.Archive.Source", "", func(s *scene) { archive(s, func(a value.Archive) { s.say(a.Source()) }) }},
		{"value.Archive.URI", plainPart, func(s *scene) { archive(s, func(a value.Archive) { s.say(a.URI()) }) }},
		{"value.Archive.Value", plainPart, func(s *scene) { archive(s, func(a value.Archive) { s.say(a.Value()) }) }},
		{"value.Archive.WithHash", plainMade, func(s *scene) { archive(s, func(a value.Archive) { s.say(a.WithHash(s.text), a.WithHash("")) }) }},
		{"value.AssetOf", plainMade, func(s *scene) {
			s.say(value.AssetOf(value.Source(s.index&7), s.text, s.text), value.AssetOf(200, "", ""))
		}}, //nolint:gosec // small
		{"value.ArchiveOf", plainMade, func(s *scene) {
			s.say(value.ArchiveOf(value.Source(s.index&7), s.text, s.text), value.ArchiveOf(200, "", ""))
		}}, //nolint:gosec // small
		{"value.LiteralArchiveOf", "", func(s *scene) { s.each(func(v value.Value) { s.say(value.LiteralArchiveOf(v, "")) }) }},
		{"value.Archive.EntryAt", plainPart, func(s *scene) { archive(s, func(a value.Archive) { s.say(a.EntryAt(0)); s.say(a.EntryAt(s.index)) }) }},
	}
}

// referenceProbes are about references, their IDs, and ciphertexts.
func referenceProbes() []probe {
	pointer := func(s *scene, f func(r value.ResourceReference)) {
		s.each(func(v value.Value) { r, _ := v.AsResourceReference(); f(r) })
	}

	return []probe{
		{"value.KnownID", plainMade, func(s *scene) { s.say(value.KnownID(s.text)) }},
		{"value.UnknownID", "", func(s *scene) { s.say(value.UnknownID()) }},
		{"value.ID.IsUnknown", "", func(s *scene) { pointer(s, func(r value.ResourceReference) { s.say(r.ID.IsUnknown()) }) }},
		{"value.ID.Known", plainPart, func(s *scene) { pointer(s, func(r value.ResourceReference) { s.say(r.ID.Known()) }) }},
		{"value.ID.String", plainPart, func(s *scene) { pointer(s, func(r value.ResourceReference) { s.say(r.ID.String()) }) }},
		{"value.ResourceReference.Lower", plainPart, func(s *scene) { pointer(s, func(r value.ResourceReference) { s.say(r.Lower()) }) }},
		{"value.ResourceReference.ParseURN", plainPart, func(s *scene) { pointer(s, func(r value.ResourceReference) { s.say(r.ParseURN()) }) }},
		{"value.ResourceReference.Value", plainPart, func(s *scene) { pointer(s, func(r value.ResourceReference) { s.say(r.Value()) }) }},
		{"value.Sealed.Value", "", func(s *scene) { s.say(value.Sealed{}.Value(), value.Sealed{Ciphertext: s.text}.Value()) }},
	}
}

// accessProbes look into values.
func accessProbes() []probe {
	return []probe{
		{"value.Value.Kind", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Kind()) }) }},
		{"value.Value.IsNull", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.IsNull()) }) }},
		{"value.Value.IsUnknown", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.IsUnknown()) }) }},
		{"value.Value.IsSecret", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.IsSecret()) }) }},
		{"value.Value.OwnSecret", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.OwnSecret()) }) }},
		{"value.Value.ContainsUnknown", "", func(s *scene) { s.say(s.v.ContainsUnknown()) }},
		{"value.Value.ContainsSecret", "", func(s *scene) { s.say(s.v.ContainsSecret()) }},
		{"value.Value.ContainsDependencies", "", func(s *scene) { s.say(s.v.ContainsDependencies()) }},
		{"value.Value.HasDependencies", "", func(s *scene) { s.say(s.v.HasDependencies()) }},
		{"value.Value.Depth", "", func(s *scene) { s.say(s.v.Depth()) }},
		{"value.Value.Hint", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Hint()) }) }},
		{"value.Value.Len", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Len()) }) }},
		{"value.Value.AsBool", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsBool()) }) }},
		{"value.Value.AsNumber", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsNumber()) }) }},
		{"value.Value.AsString", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsString()) }) }},
		{"value.Value.AsAsset", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsAsset()) }) }},
		{"value.Value.AsArchive", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsArchive()) }) }},
		{"value.Value.AsResourceReference", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsResourceReference()) }) }},
		{"value.Value.AsSealed", accessor, func(s *scene) { s.each(func(v value.Value) { s.say(v.AsSealed()) }) }},
		{"value.Value.Elem", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Elem(0), v.Elem(s.index)) }) }},
		{"value.Value.Field", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Field("a"), v.Field(s.text)) }) }},
		{"value.Value.Lookup", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Lookup("a")); s.say(v.Lookup(s.text)) }) }},
		{"value.Value.Values", "", func(s *scene) { s.each(func(v value.Value) { s.say(slices.Collect(v.Values())) }) }},
		{"value.Value.Elems", "", func(s *scene) { s.each(func(v value.Value) { s.sayElems(v) }) }},
		{"value.Value.Members", accessor + " (of keys; the members are masked)", func(s *scene) { s.each(func(v value.Value) { s.sayMembers(v) }) }},
		{"value.Value.MemberAt", accessor + " (of keys; the members are masked)", func(s *scene) {
			s.each(func(v value.Value) { s.say(v.MemberAt(0)); s.say(v.MemberAt(s.index)) })
		}},
		{"value.Value.Children", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Children()) }) }},
		{"value.Children.Len", "", func(s *scene) { s.each(func(v value.Value) { s.say(v.Children().Len()) }) }},
		{"value.Children.At", accessor + " (of keys; the members are masked)", func(s *scene) {
			s.each(func(v value.Value) { s.say(v.Children().At(0)); s.say(v.Children().At(s.index)) })
		}},
		{"value.Value.Keys", accessor + " (of keys)", func(s *scene) {
			for k := range s.v.Keys() {
				s.say(k)

				break
			}
		}},
		{"value.Value.Dependencies", accessor + " (of dependencies)", func(s *scene) {
			s.each(func(v value.Value) {
				for d := range v.Dependencies() {
					s.say(d)
				}
			})
		}},
		{"value.Value.DependenciesAt", accessor + " (of dependencies)", func(s *scene) {
			for d := range s.v.DependenciesAt(s.p) {
				s.say(d)
			}
		}},
		{"value.Value.DependencyURNs", accessor + " (of dependencies)", func(s *scene) { s.each(func(v value.Value) { s.say(v.DependencyURNs()) }) }},
	}
}

// transformProbes rebuild values, and find places in them.
func transformProbes() []probe {
	return []probe{
		{"value.Transform", "", func(s *scene) {
			s.say(value.Transform(s.v, func(c *value.Cursor) (value.Value, error) { return c.Value(), nil }))
			s.say(value.Transform(s.v, func(c *value.Cursor) (value.Value, error) {
				c.Remove()

				return s.w, nil
			}))
		}},
		{"value.Transformer.Apply", "", func(s *scene) {
			text := func(c *value.Cursor) (value.Value, error) { // keeps the marks of what it replaces
				text, ok := c.Value().AsString()
				if ok {
					return value.String(text + text), nil
				}

				return c.Value(), nil
			}
			fails := func(*value.Cursor) (value.Value, error) { return value.Value{}, value.ErrKind }

			s.say(value.Transformer{Before: text, After: text, Archives: true}.Apply(s.v))
			s.say(value.Transformer{Before: fails}.Apply(s.v))
			s.say(value.Transformer{}.Apply(s.v))
		}},
		{"value.Update", "", func(s *scene) {
			s.say(value.Update(s.v, s.set, func(*value.Cursor) (value.Value, error) { return s.w, nil }))
			s.say(value.Update(s.v, nil, func(*value.Cursor) (value.Value, error) { return s.w, nil }))
		}},
		{"value.Find", "", func(s *scene) {
			for c := range value.Find(s.v, s.set) {
				s.say(c, c.Value())
			}

			for range value.Find(s.v, nil) {
				break
			}
		}},
		{"value.Lift", "", func(s *scene) {
			first := func(args ...value.Value) (value.Value, error) { return args[0], nil }
			s.say(value.Lift(first, s.v, s.w))
			s.say(value.Lift(func(...value.Value) (value.Value, error) { return value.Value{}, value.ErrKind }))
		}},
		{"value.Reveal", "it takes marks off, by its name", func(s *scene) { s.say(value.Reveal(s.v)) }},
		{"value.Value.WithMarksOf", "", func(s *scene) { s.say(s.v.WithMarksOf(s.w), s.w.WithMarksOf(s.v)) }},
		{"value.Value.AsPartOf", "", func(s *scene) { s.say(s.v.AsPartOf(s.w), s.w.AsPartOf(s.v)) }},
		{"value.Value.WithField", "", func(s *scene) {
			s.say(s.v.WithField("k", s.w))
			s.say(value.Null().WithField("k", s.v))
		}},
		{"value.Field", "", func(s *scene) { s.say(value.Field("k", s.v)) }},
	}
}

// walkProbes look into values by path, and walk through them.
func walkProbes() []probe {
	return []probe{
		{"value.Value.At", "", func(s *scene) { s.say(s.v.At(s.p)); s.say(s.w.At(s.q)) }},
		{"value.Value.Has", "", func(s *scene) { s.say(s.v.Has(s.p), s.w.Has(s.q)) }},
		{"value.Value.Walk", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c) }) }},
		{"value.Cursor.Depth", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c.Depth()) }) }},
		{"value.Cursor.Format", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c, *c, struct{ c *value.Cursor }{c}) }) }},
		{"value.Cursor.Path", whole, func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c.Path()) }) }},
		{"value.Cursor.Shown", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c.Shown()) }) }},
		{"value.Cursor.SkipBelow", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { c.SkipBelow() }) }},
		{"value.Cursor.Remove", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { c.Remove() }) }},
		{"value.Cursor.DropMarks", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { c.DropMarks() }) }},
		{"value.Cursor.Step", whole, func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c.Step()) }) }},
		{"value.Cursor.Value", "", func(s *scene) { s.eachCursor(func(c *value.Cursor) { s.say(c.Value()) }) }},
		{"value.SecretPaths", "", func(s *scene) {
			n := 0
			for p := range value.SecretPaths(s.v) {
				s.say(p)

				if n++; n == s.most(partsSeen) {
					break
				}
			}
		}},
	}
}

func (s *scene) sayElems(v value.Value) {
	for i, e := range v.Elems() {
		s.say(i, e)

		if i == s.most(partsSeen) {
			break
		}
	}
}

func (s *scene) sayMembers(v value.Value) {
	n := 0
	for k, m := range v.Members() {
		s.say(k, m, value.Member{Key: k, Value: m})

		if n++; n == s.most(partsSeen) {
			break
		}
	}
}

// eachCursor walks through a part of both values.
func (s *scene) eachCursor(f func(c *value.Cursor)) {
	f(&value.Cursor{})

	for _, v := range []value.Value{s.v, s.w} {
		n := 0
		for c := range v.Walk() {
			f(c)

			if n++; n == s.most(partsSeen) {
				break
			}
		}
	}
}

func relationProbes() []probe {
	seed := maphash.MakeSeed()
	odd := value.Relation(0xffff)

	return []probe{
		{"value.SharesMemory", "", func(s *scene) { s.say(value.SharesMemory(s.v, s.w), value.SharesMemory(s.v, s.v)) }},
		{"value.Relation.Agree", "", func(s *scene) {
			v, w := s.v.Children(), s.w.Children()
			s.say(value.Engine.Agree(v, w, 0, 0, true))
			s.say(odd.Agree(v, s.v.Compact().Children(), v.Len(), 0, false))
		}},
		{"value.Relation.Alone", "", func(s *scene) { s.each(func(v value.Value) { s.say(value.Engine.Alone(v), odd.Alone(v)) }) }},
		{"value.Relation.Compare", "", func(s *scene) { s.say(value.Engine.Compare(s.v, s.w), odd.Compare(s.v, s.w)) }},
		{"value.Relation.Compatible", "", func(s *scene) { s.say(value.Engine.Compatible(s.v, s.w), odd.Compatible(s.w, s.v)) }},
		{"value.Relation.Equal", "", func(s *scene) { s.say(value.Engine.Equal(s.v, s.w), odd.Equal(s.v, s.v.Compact())) }},
		{"value.Relation.Hash", "", func(s *scene) { s.say(value.Engine.Hash(seed, s.v) == odd.Hash(seed, s.v)) }},
		{"value.Relation.String", "", func(s *scene) { s.say(odd.String(), value.Engine.String()) }},
		{"value.Value.CompareIdentical", "", func(s *scene) { s.say(s.v.CompareIdentical(s.w)) }},
		{"value.Value.Equal", "", func(s *scene) { s.say(s.v.Equal(s.w), s.v.Equal(s.v.Compact())) }},
		{"value.Value.Identical", "", func(s *scene) { s.say(s.v.Identical(s.w), s.v.Identical(s.v.Compact())) }},
		{"value.Value.Digest", "a digest is not a text of the content, but the content can be guessed with it, as its documentation says", func(s *scene) {
			s.say(s.v.Digest())
		}},
	}
}
