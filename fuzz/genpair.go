package fuzz

import (
	"math"
	"slices"

	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Pair is two values: New is Old after a few edits, or sometimes an unrelated value.
type Pair struct {
	Old, New value.Value
	Edits    int // number of edits; 0 if New is a copy of Old
}

type edit uint8

// The kinds of edits, the plain ones first.
const (
	editScalar       edit = iota // another number, text, boolean
	editReplace                  // another value
	editAdd                      // a member, or an element at the end
	editDelete                   // a member or an element
	editNull                     // null in its place
	editEmpty                    // {}, [], "" and null in each other's place
	editSecret                   // the secret mark put on or taken off
	editDependencies             // dependencies added or taken off
	editUnknown                  // an unknown in its place
	editSameMeaning              // another sign of zero, hint, redundant mark: Equal, but not Identical
	editDetail                   // version, name, type, ID of a reference; hash of an asset
	editKinds
)

// Pairs generates pairs of values that are at most three edits apart, and a few unrelated
// ones.
//
// They shrink to two nulls.
func Pairs(o Options) *rapid.Generator[Pair] {
	return pairsOf(Values(o), o)
}

// ObjectPairs generates pairs of objects; see [Pairs].
func ObjectPairs(o Options) *rapid.Generator[Pair] {
	return rapid.Custom(func(t *rapid.T) Pair {
		p := pairsOf(Objects(o), o).Draw(t, "pair")
		if p.New.Kind() != value.KindObject {
			p.New = value.Object(value.Member{Key: "a", Value: p.New})
		}

		return p
	})
}

func pairsOf(values *rapid.Generator[value.Value], o Options) *rapid.Generator[Pair] {
	return rapid.Custom(func(t *rapid.T) Pair {
		old := values.Draw(t, "old")
		n := rapid.IntRange(0, 4).Draw(t, "edits")
		if n == 4 {
			return Pair{Old: old, New: values.Draw(t, "new"), Edits: n}
		}

		edited := trees.Copy(old)
		for range n {
			edited = editOnce(t, edited, o)
		}
		return Pair{Old: old, New: edited, Edits: n}
	})
}

// editOnce draws one edit and returns v after it.
//
// Values that it adds are of the kinds that the options allow. An edit that does not
// apply to v changes nothing.
func editOnce(t *rapid.T, v value.Value, o Options) value.Value {
	small := o
	small.Nodes, small.Depth = 4, 2

	if small.Style == RealLike {
		small.Style = Plain
	}
	e := editor{maker: newMaker(t, small)}
	edit := rapid.SampledFrom(edits()).Draw(t, "edit")
	all := trees.Places(v)
	if fit := slices.DeleteFunc(slices.Clone(all), func(p trees.Place) bool { return !edit.suits(p) }); len(fit) > 0 {
		all = fit
	}
	at := rapid.SampledFrom(all).Draw(t, "place")
	return trees.Replace(v, at.At, func(here value.Value) value.Value { return e.edit(here, edit, at) })
}

func edits() []edit {
	return []edit{
		editScalar, editReplace, editAdd, editDelete, editNull, editEmpty, editSecret, editDependencies,
		editUnknown, editSameMeaning, editDetail, editSameMeaning, editDelete, editDependencies, editUnknown, editNull,
	}
}

// suits reports whether the edit is likely to change something at a place.
func (edit edit) suits(p trees.Place) bool {
	n, isNumber := p.Value.AsNumber()
	k := p.Value.Kind()
	switch edit {
	case editScalar:
		return k == value.KindBool || isNumber || k == value.KindString
	case editAdd:
		return k.IsContainer()
	case editDelete:
		return p.Value.Len() > 0
	case editSameMeaning:
		return p.BelowSecret || (isNumber && n == 0) || k == value.KindUnknown || k == value.KindAsset
	case editDetail:
		return k == value.KindResourceReference || k == value.KindAsset || k == value.KindArchive
	case editReplace, editNull, editEmpty, editSecret, editDependencies, editUnknown, editKinds:
	}

	return true
}

type editor struct{ *maker }

func (e editor) edit(v value.Value, edit edit, at trees.Place) value.Value {
	switch edit {
	case editScalar:
		return e.scalar(v)
	case editReplace:
		return e.any()

	case editAdd:
		return e.add(v)
	case editDelete:
		return e.remove(v)

	case editNull:
		if e.chance(3, "marks") {
			return trees.WithMarks(value.Null(), v)
		}
		return value.Null()
	case editEmpty:
		return trees.WithMarks(rapid.SampledFrom([]value.Value{
			value.Object(), value.Array(), value.String(""), value.Null(),
		}).Draw(e.t, "empty"), v)
	case editSecret:
		return e.toggleSecret(v)
	case editDependencies:
		return e.dependencies(v)
	case editUnknown:
		if e.o.NoUnknowns {
			return value.Null()
		}
		return trees.WithMarks(value.Unknown(), v)
	case editSameMeaning:
		return e.sameMeaning(v, at.BelowSecret)
	case editDetail:
		return e.detail(v)
	case editKinds:
	}

	return v
}

func (e editor) scalar(v value.Value) value.Value {
	if b, ok := v.AsBool(); ok {
		return trees.WithMarks(value.Bool(!b), v)
	}
	if n, ok := v.AsNumber(); ok {
		return trees.WithMarks(value.Number(math.Nextafter(n, 0)), v)
	}
	if s, ok := v.AsString(); ok {
		return trees.WithMarks(value.String(s+rapid.SampledFrom([]string{"x", "\n", " ", "\x00"}).Draw(e.t, "tail")), v)
	}

	return trees.WithMarks(value.String("x"), v)
}

func (e editor) add(v value.Value) value.Value {
	children := trees.Children(v)
	switch {
	case v.Kind() == value.KindArray:
		at := rapid.IntRange(0, len(children)).Draw(e.t, "index")
		children = append(children[:at:at], append([]trees.Child{{Value: e.value(1, 1)}}, children[at:]...)...)
	case v.Kind() == value.KindObject:
		children = append(children, trees.Child{Step: path.Key(e.key()), Value: e.value(1, 1)})
	default:
		return value.Array(v)
	}

	return trees.Rebuild(v, children)
}

func (e editor) remove(v value.Value) value.Value {
	children := trees.Children(v)
	if len(children) == 0 {
		return v
	}
	at := rapid.IntRange(0, len(children)-1).Draw(e.t, "child")
	return trees.Rebuild(v, append(children[:at:at], children[at+1:]...))
}

func (e editor) toggleSecret(v value.Value) value.Value {
	switch {
	case v.OwnSecret():
		return v.DropSecret()
	case e.o.NoSecrets:
		return v
	}

	return value.Secret(v)
}

func (e editor) dependencies(v value.Value) value.Value {
	switch {
	case v.HasDependencies():
		return v.DropDependencies()
	case e.o.NoDependencies:
		return v
	}

	return v.WithDependencies(e.urns().Draw(e.t, "URN"))
}

// sameMeaning changes what Equal does not look at.
func (e editor) sameMeaning(v value.Value, above bool) value.Value {
	if above && v.Kind() != value.KindSealed && !e.o.NoSecrets {
		return e.toggleSecret(v)
	}
	if n, ok := v.AsNumber(); ok && n == 0 {
		return trees.WithMarks(value.Number(math.Copysign(0, -math.Copysign(1, n))), v)
	}
	if _, ok := v.Hint(); ok {
		return trees.WithMarks(value.UnknownOf(rapid.SampledFrom(hints()).Draw(e.t, "hint")), v)
	}
	if a, ok := v.AsAsset(); ok {
		if hash, hashed := a.Hash(); hashed {
			return trees.WithMarks(value.FileAsset("elsewhere").WithHash(hash), v)
		}
	}

	return v
}

func (e editor) detail(v value.Value) value.Value {
	if r, ok := v.AsResourceReference(); ok {
		changed := e.reference()
		changed.URN = r.URN
		return trees.WithMarks(changed.Value(), v)
	}
	return v.WithHash(e.hash())
}
